package stream_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/stream"
)

// blockedConnection is the connection of a client that reads nothing: buffers are full, and a
// write fails when its deadline has passed.
type blockedConnection struct {
	*httptest.ResponseRecorder
	deadline   time.Time
	lateWrites int // writes without a near deadline
}

func (u *blockedConnection) SetWriteDeadline(at time.Time) error {
	u.deadline = at
	return nil
}

func (u *blockedConnection) Write([]byte) (int, error) {
	if left := time.Until(u.deadline); left <= 0 || left > time.Minute {
		u.lateWrites++
	}
	return 0, os.ErrDeadlineExceeded
}

// A client that never reads is disconnected after a while. It leaves no resources behind: neither
// its place among the streams of its actor, nor memory of a page.
func TestAClientThatNeverReadsIsGivenUp(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, "urn:li:tag:a", "tagProperties", `{"name":"a"}`)
	held, pages := 0, 0
	e := echo.New()
	stream.New(stream.Config{
		Events:       event.New(event.Config{Log: w.Store, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Now: w.Now}),
		Authenticate: func(context.Context, http.Header) (auth.Actor, error) { return auth.Actor{URN: servicetest.Root}, nil },
		Page: func(ctx context.Context) (context.Context, func()) {
			held++
			pages++
			return ctx, func() { held-- }
		},
		Stopping: func() bool { return false },
	}).Mount(e.Group(""))
	for i := range 40 { // more than an actor may have open at once
		to := &blockedConnection{ResponseRecorder: httptest.NewRecorder()}
		e.ServeHTTP(to, httptest.NewRequest(http.MethodGet, stream.Path+"?lookbackWindowDays=1", nil).WithContext(w.As(t, servicetest.Root)))
		if to.Code != http.StatusOK || to.lateWrites > 0 {
			t.Fatalf("stream %d: status %d, %d writes without a deadline", i, to.Code, to.lateWrites)
		}
	}
	if held != 0 || pages != 40 {
		t.Errorf("%d of %d pages are held", held, pages)
	}
}

// readingConnection is the connection of a client that reads everything.
type readingConnection struct{ *httptest.ResponseRecorder }

func (readingConnection) SetWriteDeadline(time.Time) error { return nil }

// A stream may last for weeks, so the context of a page must not contain those of earlier pages.
func TestTheContextOfAStreamDoesNotGrowWithItsPages(t *testing.T) {
	t.Parallel()
	const pages = 50
	w := servicetest.New(t)
	var depths []int
	e := echo.New()
	stream.New(stream.Config{
		Events:       event.New(event.Config{Log: w.Store, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Now: w.Now}),
		Authenticate: func(context.Context, http.Header) (auth.Actor, error) { return auth.Actor{URN: servicetest.Root}, nil },
		Page: func(ctx context.Context) (context.Context, func()) {
			w.Put(t, "urn:li:tag:a", "tagProperties", fmt.Sprintf(`{"name":"a%d"}`, len(depths))) // so that the stream does not wait
			depths = append(depths, len(fmt.Sprint(ctx)))                                         // contains the names of all parent contexts
			return ctx, func() {}
		},
		Stopping: func() bool { return len(depths) == pages },
	}).Mount(e.Group(""))
	request := httptest.NewRequest(http.MethodGet, stream.Path+"?topic=MetadataChangeLog_Versioned_v1&lookbackWindowDays=1", nil)
	e.ServeHTTP(readingConnection{httptest.NewRecorder()}, request.WithContext(w.As(t, servicetest.Root)))
	if len(depths) != pages {
		t.Fatalf("%d pages, want %d", len(depths), pages)
	}
	if second, last := depths[1], depths[pages-1]; second != last {
		t.Errorf("the context of the second page is made of %d bytes, that of the last of %d", second, last)
	}
}

package admission_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// served answers with what a gate carries while a request is read whole.
func served(g *admission.Gate, answer func(c echo.Context) error) *echo.Echo {
	e := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)}).Echo
	e.Use(g.Middleware())
	e.POST("/", func(c echo.Context) error {
		if _, err := httpserver.ReadBody(c, 1<<20); err != nil {
			return err
		}
		return answer(c)
	})
	return e
}

func post(e *echo.Echo, body io.Reader) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", body))
	return w
}

func TestBodiesWeighWhatTheyAreLong(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 2 << 20, MaxLight: 1 << 10, Wait: time.Millisecond})
	var inside admission.Load
	e := served(g, func(c echo.Context) error {
		inside = g.Load()
		return c.NoContent(http.StatusOK)
	})
	undeclared := func(n int) io.Reader { return io.MultiReader(strings.NewReader(strings.Repeat("x", n))) }
	for name, c := range map[string]struct {
		body io.Reader
		want int64
	}{
		"light":                    {strings.NewReader(strings.Repeat("x", 256)), 0},
		"declared":                 {strings.NewReader(strings.Repeat("x", 1000)), 4000},
		"undeclared, step by step": {undeclared(300 << 10), 2 << 20},
		"more than one may take":   {strings.NewReader(strings.Repeat("x", 1<<20)), 2 << 20},
		"undeclared and as much":   {undeclared(1 << 20), 2 << 20},
	} {
		if w := post(e, c.body); w.Code != http.StatusOK || inside.Bytes != c.want {
			t.Errorf("%s: %d %s, weighs %d, want %d", name, w.Code, w.Body, inside.Bytes, c.want)
		}
		if load := g.Load(); load.Bytes != 0 {
			t.Errorf("%s: left %+v", name, load)
		}
	}
}

// A client that announces a large body and then dawdles must not keep others out.
func TestABodyWeighsNoMoreThanHasCome(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 64 << 20, MaxLight: 1 << 20, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	body, client := io.Pipe()
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.ContentLength = 1 << 20
	w, ended := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(ended)
		e.ServeHTTP(w, r)
	}()
	for _, part := range []struct {
		length int
		want   int64 // with the step that is read next
	}{{1, 0}, {300 << 10, 2 << 20}, {1<<20 - 300<<10 - 1, 4 << 20}} {
		// It returns when all has been read.
		if _, err := client.Write(make([]byte, part.length)); err != nil {
			t.Fatal(err)
		}
		if load := g.Load(); load.Bytes != part.want {
			t.Errorf("%d bytes more: weighs %d, want %d", part.length, load.Bytes, part.want)
		}
	}
	_ = client.Close()
	if <-ended; w.Code != http.StatusOK || g.Load().Bytes != 0 {
		t.Errorf("%d %s, left %+v", w.Code, w.Body, g.Load())
	}
}

func TestABodyWithoutRoomIsToldWhenToRetry(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 1 << 10, MaxLight: 1, Wait: time.Millisecond})
	ticket := enter(t, g, "other", 1<<10)
	defer ticket.Release()
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	w := post(e, strings.NewReader(strings.Repeat("x", 1000)))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "busy with other large requests") {
		t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := post(e, strings.NewReader("")); w.Code != http.StatusOK {
		t.Errorf("nothing: %d %s", w.Code, w.Body)
	}
}

func TestTakingBelongsToTheRequest(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 1 << 20, MaxLight: 1 << 10})
	var heavy []bool
	e := served(g, func(c echo.Context) error {
		ctx := c.Request().Context()
		heavy = append(heavy, admission.Heavy(ctx))
		err := admission.Reserve(ctx, 1<<12)
		heavy = append(heavy, admission.Heavy(ctx))
		return err
	})
	if w := post(e, strings.NewReader("x")); w.Code != http.StatusOK || len(heavy) != 2 || heavy[0] || !heavy[1] {
		t.Errorf("%d %s, heavy %v", w.Code, w.Body, heavy)
	}
	if err := admission.Reserve(t.Context(), 1<<40); err != nil || admission.Heavy(t.Context()) {
		t.Errorf("without a ticket: %v", err)
	}
}

package admission_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
)

// served returns a server that reads each request completely before it calls answer.
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
		"undeclared, step by step": {undeclared(300 << 10), 1200 << 10},
		"more than one may take":   {strings.NewReader(strings.Repeat("x", 1<<20)), 2 << 20},
		"undeclared and as much":   {undeclared(1 << 20), 2 << 20},
	} {
		if w := post(e, c.body); w.Code != http.StatusOK || inside.Bytes != c.want {
			t.Errorf("%s: %d %s, weighs %d, want %d", name, w.Code, w.Body, inside.Bytes, c.want)
		}
		if load := g.Load(); load.Bytes != 0 || load.Arriving != 0 {
			t.Errorf("%s: left %+v", name, load)
		}
	}
}

// When decoded, a byte of nested JSON takes many times the memory of a byte of text.
func TestBodiesWeighTheValuesThatTheyDecodeTo(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 64 << 20, MaxRequest: 128 << 20, MaxLight: 1, Wait: time.Millisecond})
	var inside admission.Load
	e := served(g, func(c echo.Context) error {
		inside = g.Load()
		return c.NoContent(http.StatusOK)
	})
	const n = 10_000
	for name, c := range map[string]struct {
		element string
		least   int64 // bytes of an element in memory
	}{
		"empty lists":   {"[],", 64},
		"empty objects": {"{},", 64},
		"small objects": {`{"a":1},`, 320},
		"numbers":       {"1,", 32},
		"within a text": {`{\"a\":1},`, 320},
	} {
		if w := post(e, strings.NewReader(strings.Repeat(c.element, n))); w.Code != http.StatusOK || inside.Bytes < n*c.least {
			t.Errorf("%s: %d, weigh %d, want %d at least", name, w.Code, inside.Bytes, n*c.least)
		}
	}
}

// The values decoded from an arriving body count as arriving memory.
func TestObjectsWeighWhileTheyArrive(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 64 << 20, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	u := begin(t, e, "10.0.0.1")
	for range 5 {
		if _, err := u.client.Write([]byte(strings.Repeat("{}", 32<<10))); err != nil {
			t.Fatal(err)
		}
	}
	if load := g.Load(); load.Arriving < 32<<10*128 {
		t.Errorf("%d bytes arrive", load.Arriving)
	}
}

// upload is a request with a body that arrives piece by piece.
type upload struct {
	t      *testing.T
	client *io.PipeWriter
	answer *httptest.ResponseRecorder
	ended  chan struct{}
}

// begin sends the header of a request with a body of 1 MiB, with one actor for each address.
func begin(t *testing.T, e *echo.Echo, address string) *upload {
	t.Helper()
	return beginAs(t, e, address, urn.Make("corpuser", address))
}

func beginAs(t *testing.T, e *echo.Echo, address string, actor urn.URN) *upload {
	t.Helper()
	body, client := io.Pipe()
	r := httptest.NewRequestWithContext(auth.WithActor(t.Context(), auth.Actor{URN: actor}), http.MethodPost, "/", body)
	r.ContentLength, r.RemoteAddr = 1<<20, address+":1"
	u := &upload{t, client, httptest.NewRecorder(), make(chan struct{})}
	go func() {
		defer close(u.ended)
		e.ServeHTTP(u.answer, r)
		body.CloseWithError(io.ErrClosedPipe)
	}()
	t.Cleanup(func() {
		client.CloseWithError(io.ErrUnexpectedEOF)
		<-u.ended
	})
	return u
}

// send returns when the server has read everything, or the request has ended.
func (u *upload) send(length int) *upload {
	u.t.Helper()
	switch _, err := u.client.Write(make([]byte, length)); {
	case errors.Is(err, io.ErrClosedPipe):
		<-u.ended
	case err != nil:
		u.t.Fatal(err)
	}
	return u
}

func (u *upload) status() int {
	<-u.ended
	return u.answer.Code
}

// A client that declares a large body and sends it slowly must not block others.
func TestABodyWeighsNoMoreThanHasCome(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 64 << 20, MaxLight: 1 << 20, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	u := begin(t, e, "192.0.2.1")
	for _, part := range []struct {
		length int
		want   int64 // including the step to be read next
	}{{1, 0}, {300 << 10, 512 << 10}, {100 << 10, 1 << 20}} {
		u.send(part.length)
		if load := g.Load(); load.Arriving != part.want || load.Bytes != 0 {
			t.Errorf("%d bytes more: %+v, want %d", part.length, load, part.want)
		}
	}
	u.send(1<<20 - 400<<10 - 1)
	_ = u.client.Close()
	if status := u.status(); status != http.StatusOK || g.Load() != (admission.Load{}) {
		t.Errorf("%d %s, left %+v", status, u.answer.Body, g.Load())
	}
}

func TestBodiesThatArriveTakeNothingFromTheBudget(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 1 << 20, MaxLight: 1 << 10, Arrivals: 8 << 20, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	for range 20 { // of which the first and a quarter find room
		begin(t, e, "192.0.2.1").send(500 << 10)
	}
	if load := g.Load(); load.Bytes != 0 || load.Arriving == 0 || load.Arriving > 3<<20 {
		t.Errorf("%+v", load)
	}
	enter(t, g, "a", 1<<20).Release()
	if w := post(e, strings.NewReader(strings.Repeat("x", 60<<10))); w.Code != http.StatusOK {
		t.Errorf("a small body: %d %s", w.Code, w.Body)
	}
	other := begin(t, e, "192.0.2.2").send(1 << 20)
	_ = other.client.Close()
	if status := other.status(); status != http.StatusOK {
		t.Errorf("a large body of another client: %d %s", status, other.answer.Body)
	}
}

func TestBodiesThatArriveAreBounded(t *testing.T) {
	t.Parallel()
	const arrivals, most = 4 << 20, 2 << 20 // a body of 1 MiB counts as 2 MiB
	g := admission.New(admission.Config{Budget: 1 << 20, Arrivals: arrivals, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	refused := 0
	var first *upload
	for i := range 40 {
		u := begin(t, e, fmt.Sprintf("192.0.2.%d", i))
		if first == nil {
			first = u
		}
		u.send(900 << 10)
		select {
		case <-u.ended:
			refused++
			if u.answer.Code != http.StatusServiceUnavailable || u.answer.Header().Get("Retry-After") == "" || !strings.Contains(u.answer.Body.String(), "still arriving") {
				t.Errorf("got %d %v %s", u.answer.Code, u.answer.Header(), u.answer.Body)
			}
		default:
		}
		if load := g.Load(); load.Arriving > arrivals+most {
			t.Fatalf("%+v", load)
		}
	}
	if refused < 30 {
		t.Errorf("%d of 40 bodies were refused", refused)
	}
	// The first one continues even if there is no room.
	first.send(1<<20 - 900<<10)
	_ = first.client.Close()
	if status := first.status(); status != http.StatusOK {
		t.Errorf("the first: %d %s", status, first.answer.Body)
	}
}

func TestAnActorWithManyAddressesLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 1 << 20, Arrivals: 8 << 20, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	for i := range 20 {
		beginAs(t, e, fmt.Sprintf("192.0.2.%d", i), "urn:li:corpuser:jo").send(900 << 10)
	}
	other := beginAs(t, e, "192.0.2.200", "urn:li:corpuser:mia").send(1 << 20)
	_ = other.client.Close()
	if status := other.status(); status != http.StatusOK {
		t.Errorf("a body of another actor: %d %s", status, other.answer.Body)
	}
}

func TestNearTheMemoryLimitBodiesArriveOneAfterTheOther(t *testing.T) {
	t.Parallel()
	const limit = 100 << 20
	g := admission.New(admission.Config{Budget: 10 << 20, Limit: limit, Live: func() int64 { return limit - 1 }, Wait: time.Millisecond})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	first := begin(t, e, "192.0.2.1").send(500 << 10)
	if status := begin(t, e, "192.0.2.2").send(500 << 10).status(); status != http.StatusServiceUnavailable {
		t.Errorf("a second body: %d", status)
	}
	first.send(1<<20 - 500<<10)
	_ = first.client.Close()
	if status := first.status(); status != http.StatusOK {
		t.Errorf("the first: %d %s", status, first.answer.Body)
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

// TestReadsCountAsQueriesOfTheirActor admits two heavy queries of an actor. A third read of the
// actor is refused, unless its request is exempt; light ones pass.
func TestReadsCountAsQueriesOfTheirActor(t *testing.T) {
	t.Parallel()
	g := admission.New(admission.Config{Budget: 64 << 20, MaxLight: 1 << 10, PerActor: 2, Wait: time.Millisecond})
	for range 2 {
		other, err := g.Enter(t.Context(), "", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Release()
	}
	for name, c := range map[string]struct {
		read   func(context.Context) error
		status int
	}{
		"heavy":                {func(ctx context.Context) error { return admission.ReserveRead(ctx, 1<<20) }, http.StatusServiceUnavailable},
		"larger than all":      {func(ctx context.Context) error { return admission.ReserveRead(ctx, 1<<40) }, http.StatusServiceUnavailable},
		"light":                {func(ctx context.Context) error { return admission.ReserveRead(ctx, 1<<10) }, http.StatusOK},
		"of an exempt request": {func(ctx context.Context) error { return admission.ReserveRead(admission.Exempt(ctx), 1<<20) }, http.StatusOK},
	} {
		w := post(served(g, func(ec echo.Context) error {
			if err := c.read(ec.Request().Context()); err != nil {
				return err
			}
			return ec.NoContent(http.StatusOK)
		}), strings.NewReader(""))
		if w.Code != c.status {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
	}
}

// A client reads its answer slowly, and sends another request meanwhile.
func TestAnAnswerThatIsSentKeepsNoTurn(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.MaxLightWork = 1, time.Nanosecond
	g := admission.New(cfg)
	computed := 0
	var e *echo.Echo
	e = served(g, func(c echo.Context) error {
		if err := admission.Work(c.Request().Context(), time.Second); err != nil {
			return err
		}
		if computed++; computed < 3 {
			c.Response().WriteHeader(http.StatusOK)
			if w := post(e, strings.NewReader("again")); w.Code != http.StatusOK { // while the answer is being sent
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		return nil
	})
	if w := post(e, strings.NewReader("first")); w.Code != http.StatusOK || computed != 3 {
		t.Errorf("%d %s, %d were computed", w.Code, w.Body, computed)
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestFirstPartsOfBodiesAreBounded holds half-sent bodies, each within the part without a
// reservation.
func TestFirstPartsOfBodiesAreBounded(t *testing.T) {
	t.Parallel()
	const part = 2 * 64 << 10 // memory of the part of a body
	g := admission.New(admission.Config{Budget: 64 << 20, Arrivals: 8 * part, Wait: time.Minute})
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	ann, ben := urn.Make("corpuser", "ann"), urn.Make("corpuser", "ben")
	for _, of := range []struct{ address, actor string }{{"10.0.0.1", "ann"}, {"10.0.0.1", "ben"}, {"10.0.0.2", "ann"}, {"10.0.0.3", "ann"}, {"10.0.0.4", "ann"}} {
		beginAs(t, e, of.address, urn.Make("corpuser", of.actor)).send(10)
	}
	for name, refused := range map[string]*upload{
		"of the address": beginAs(t, e, "10.0.0.1", ben),
		"of the actor":   beginAs(t, e, "10.0.0.5", ann),
	} {
		if status := refused.status(); status != http.StatusServiceUnavailable {
			t.Errorf("one more %s: %d", name, status)
		}
		header := refused.answer.Header()
		if header.Get("Retry-After") == "" || header.Get("Connection") != "close" {
			t.Errorf("one more %s: %v", name, header)
		}
	}
	small := httptest.NewRequestWithContext(auth.WithActor(t.Context(), auth.Actor{URN: ann}), http.MethodPost, "/", strings.NewReader("small"))
	small.RemoteAddr = "10.0.0.1:1"
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, small); w.Code != http.StatusOK {
		t.Errorf("a small one of both: %d", w.Code)
	}
	beginAs(t, e, "10.0.0.6", ben).send(10)
}

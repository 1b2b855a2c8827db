package tracing_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/tracing/tracingtest"
)

// begin creates a tracer for a collector, which the end of the test closes.
func begin(t *testing.T, c *tracingtest.Collector, change func(*tracing.Config)) *tracing.Tracer {
	t.Helper()
	cfg := tracing.DefaultConfig()
	cfg.Endpoint, cfg.Ratio = c.Endpoint(), 1
	if change != nil {
		change(&cfg)
	}
	if problems := cfg.Validate(); len(problems) > 0 {
		t.Fatal(problems)
	}
	return open(t, cfg, logging.Discard())
}

func open(t *testing.T, cfg tracing.Config, log *slog.Logger) *tracing.Tracer {
	t.Helper()
	tracer, err := tracing.New(cfg, tracing.Program{Name: "test", Version: "1"}, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tracer.Close() })
	return tracer
}

func flush(t *testing.T, tracer *tracing.Tracer) {
	t.Helper()
	if err := tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// serve runs a server with a handler behind the middleware.
func serve(t *testing.T, tracer *tracing.Tracer, proven func(*http.Request) bool, handle echo.HandlerFunc) *httptest.Server {
	t.Helper()
	e := echo.New()
	e.Pre(tracer.Middleware(proven))
	e.Any("/entity/:urn", handle)
	e.Any("/health", handle)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return server
}

const (
	outside     = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	outsideID   = "0af7651916cd43dd8448eb211c80319c"
	outsideSpan = "b7ad6b7169203331"
)

func ask(t *testing.T, address string, header ...string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
}

func TestARequestIsOneTraceAcrossTwoPrograms(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, nil)
	var logged string
	behind := serve(t, tracer, func(*http.Request) bool { return true }, func(e echo.Context) error {
		ctx, span := tracing.Start(e.Request().Context(), "write")
		defer span.End(nil)
		span.Count("items", 3)
		_, inner := tracing.Start(ctx, "store")
		inner.End(fault.New(fault.Unavailable, "the disk sleeps"))
		logged = tracing.ID(ctx)
		return e.NoContent(http.StatusTeapot)
	})
	client := &http.Client{Transport: tracing.Transport(http.DefaultTransport, "ask the service")}
	front := serve(t, tracer, nil, func(e echo.Context) error {
		r, err := http.NewRequestWithContext(e.Request().Context(), http.MethodPut, behind.URL+"/entity/b", nil)
		if err != nil {
			return err
		}
		r.Header.Set(tracing.ParentHeader, outside)
		res, err := client.Do(r)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		return e.NoContent(http.StatusOK)
	})
	ask(t, front.URL+"/entity/a", tracing.ParentHeader, outside)
	flush(t, tracer)

	store := c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "store" })
	if got, want := c.Way(t, store), []string{"test: GET /entity/:urn", "test: ask the service", "test: PUT /entity/:urn", "test: write", "test: store"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !store.Failed || store.Attributes["error.type"] != "unavailable" || store.Attributes["error.message"] != "" {
		t.Errorf("the failed span is %+v", store)
	}
	if store.Trace == outsideID || store.Trace != logged {
		t.Errorf("the trace is %s, the context said %s", store.Trace, logged)
	}
	if age := time.Since(tracing.TimeOf(store.Trace)); age < 0 || age > time.Hour {
		t.Errorf("the id of the trace says that it began %s ago", age)
	}
	put := c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "PUT /entity/:urn" })
	if put.Attributes["http.response.status_code"] != "418" || put.Attributes["url.path"] != "" || put.Failed {
		t.Errorf("the request is %+v", put)
	}
	for _, s := range c.Spans() {
		for key, value := range s.Attributes {
			if strings.Contains(value, "disk") || strings.HasSuffix(value, "/a") {
				t.Errorf("%s of %s is %q, though names are off", key, s.Name, value)
			}
		}
	}
}

func TestATraceIsTakenOverFromWhereItIsTrustedAlone(t *testing.T) {
	t.Parallel()
	yes, no := func(*http.Request) bool { return true }, func(*http.Request) bool { return false }
	for _, c := range []struct {
		name   string
		trust  []string
		proven func(*http.Request) bool
		header string
		taken  bool
	}{
		{"a stranger", nil, no, outside, false},
		{"our other program", nil, yes, outside, true},
		{"a trusted network", []string{"127.0.0.0/8"}, no, outside, true},
		{"another network", []string{"10.0.0.0/8"}, no, outside, false},
		{"a header that is none", nil, yes, "00-zz-b7ad6b7169203331-01", false},
		{"no header", nil, yes, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			collector := tracingtest.New(t)
			tracer := begin(t, collector, func(cfg *tracing.Config) { cfg.Trust = c.trust })
			server := serve(t, tracer, c.proven, func(e echo.Context) error { return e.NoContent(http.StatusOK) })
			ask(t, server.URL+"/entity/a", tracing.ParentHeader, c.header)
			flush(t, tracer)
			span := collector.Wait(t, func(tracingtest.Span) bool { return true })
			if taken := span.Trace == outsideID && span.Parent == outsideSpan; taken != c.taken || !taken && span.Parent != "" {
				t.Errorf("got trace %s below %q", span.Trace, span.Parent)
			}
		})
	}
}

func TestTheDecisionToRecordIsMadeWhereATraceBegins(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	none := begin(t, c, func(cfg *tracing.Config) { cfg.Ratio = 0 })
	all := begin(t, c, nil)
	var behindSampled atomic.Bool
	yes := func(*http.Request) bool { return true }
	behind := serve(t, all, yes, func(e echo.Context) error {
		_, span := tracing.Start(e.Request().Context(), "inner")
		defer span.End(nil)
		behindSampled.Store(span.Recording())
		return e.NoContent(http.StatusOK)
	})
	client := &http.Client{Transport: tracing.Transport(http.DefaultTransport, "ask")}
	front := serve(t, none, nil, func(e echo.Context) error {
		if tracing.ID(e.Request().Context()) == "" {
			t.Error("a request that is not recorded has no trace id for its log")
		}
		r, err := http.NewRequestWithContext(e.Request().Context(), http.MethodGet, behind.URL+"/entity/b", nil)
		if err != nil {
			return err
		}
		res, err := client.Do(r)
		if err != nil {
			return err
		}
		return res.Body.Close()
	})
	ask(t, front.URL+"/entity/a")
	flush(t, all)
	flush(t, none)
	if spans := c.Spans(); len(spans) != 0 || behindSampled.Load() {
		t.Errorf("got %+v", spans)
	}
}

func TestNamesAreToldWhereThatIsConfigured(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, func(cfg *tracing.Config) { cfg.Names = true })
	server := serve(t, tracer, nil, func(e echo.Context) error {
		_, span := tracing.Start(e.Request().Context(), "read")
		span.Name("urn", "urn:li:tag:a")
		span.End(errors.New("a cause"))
		return nil
	})
	ask(t, server.URL+"/entity/a")
	flush(t, tracer)
	read := c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "read" })
	if read.Attributes["urn"] != "urn:li:tag:a" || read.Attributes["error.message"] != "a cause" {
		t.Errorf("got %+v", read)
	}
	if root := c.Wait(t, func(s tracingtest.Span) bool { return s.Parent == "" }); root.Attributes["url.path"] != "/entity/a" {
		t.Errorf("got %+v", root)
	}
}

func TestProbesAreNotTraced(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, nil)
	ask(t, serve(t, tracer, nil, func(e echo.Context) error { return e.NoContent(http.StatusOK) }).URL+"/health")
	flush(t, tracer)
	if spans := c.Spans(); len(spans) > 0 {
		t.Errorf("got %+v", spans)
	}
}

func TestARequestThatPanicsOrFailsHasASpan(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, nil)
	e := echo.New()
	e.Pre(tracer.Middleware(nil))
	e.GET("/fails", func(echo.Context) error { return errors.New("broken") })
	e.GET("/panics", func(echo.Context) error { panic("broken") })
	for _, path := range []string{"/fails", "/panics"} {
		func() {
			defer func() { _ = recover() }()
			e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		}()
	}
	flush(t, tracer)
	if failed := c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "GET /fails" }); !failed.Failed || failed.Attributes["http.response.status_code"] != "500" {
		t.Errorf("got %+v", failed)
	}
	c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "GET" }) // of the panic: it has no response
}

func TestTheSpansBelowOneRootAreBounded(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, func(cfg *tracing.Config) { cfg.Queue = 1 << 16 })
	ctx, root := tracer.Root(t.Context(), "task")
	for range 1500 {
		_, span := tracing.Start(ctx, "step")
		span.End(nil)
	}
	root.End(nil)
	flush(t, tracer)
	if n := len(c.Spans()); n != 1001 {
		t.Errorf("got %d spans", n)
	}
	if root := c.Wait(t, func(s tracingtest.Span) bool { return s.Name == "task" }); root.Attributes["cartulary.spans_left_out"] != "500" {
		t.Errorf("got %+v", root)
	}
}

func TestNothingIsSentAndNothingAllocatedWhenTracingIsOff(t *testing.T) {
	tracer := open(t, tracing.DefaultConfig(), logging.Discard())
	if tracer != nil {
		t.Fatal("there is a tracer, though no collector is named")
	}
	if tracer.Lost(tracing.QueueFull) != 0 || tracer.Lost(tracing.NotExported) != 0 {
		t.Error("spans are lost, though there are none")
	}
	root, span := tracer.Root(t.Context(), "task")
	span.End(nil)
	if tracing.ID(root) != "" || tracing.Header(root) != "" {
		t.Error("there is a trace")
	}
	ctx := logging.WithRequestID(t.Context(), "r")
	if n := testing.AllocsPerRun(100, func() {
		below, span := tracing.Start(ctx, "read")
		span.Count("items", 3)
		span.Word("kind", "query")
		span.Name("urn", "urn:li:tag:a")
		span.End(nil)
		_ = below
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// lines is a log that is safe for concurrent writes.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

func TestFailuresToExportAreLoggedOnceAndHoldNobodyUp(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	c.Refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	cfg := tracing.DefaultConfig()
	cfg.Endpoint, cfg.Ratio, cfg.Headers = c.Endpoint(), 1, "Authorization=Bearer hidden"
	log := &lines{}
	tracer := open(t, cfg, slog.New(slog.NewTextHandler(log, nil)))
	for range 3 {
		_, span := tracer.Root(t.Context(), "task")
		span.End(nil)
		flush(t, tracer)
	}
	if n := tracer.Lost(tracing.NotExported); n != 3 || tracer.Lost(tracing.QueueFull) != 0 {
		t.Errorf("%d spans are counted as lost", n)
	}
	if n := log.count("traces were not exported"); n != 1 || log.count("403") != 1 || log.count("hidden") > 0 {
		t.Errorf("logged %d times: %s", n, log.text.String())
	}
}

func TestSpansForWhichTheQueueHasNoRoomAreCounted(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	arrived, answer := make(chan struct{}, 8), make(chan struct{})
	c.Refuse = func(http.ResponseWriter, *http.Request) bool {
		arrived <- struct{}{}
		<-answer
		return false
	}
	const room = 4
	tracer := begin(t, c, func(cfg *tracing.Config) { cfg.Queue = room })
	end := func(spans int) {
		for range spans {
			_, span := tracer.Root(t.Context(), "task")
			span.End(nil)
		}
	}
	end(room)
	<-arrived // sent to the collector, which does not respond yet
	end(room + 6)
	if full, failed := tracer.Lost(tracing.QueueFull), tracer.Lost(tracing.NotExported); full != 6 || failed != 0 {
		t.Errorf("%d had no room, want 6, and %d were not exported", full, failed)
	}
	close(answer)
	flush(t, tracer)
	end(1)
	flush(t, tracer)
	if n := len(c.Spans()); n != 2*room+1 || tracer.Lost(tracing.QueueFull) != 6 {
		t.Errorf("%d spans arrived, and %d had no room", n, tracer.Lost(tracing.QueueFull))
	}
}

func TestAnExportThatMayBeTriedAgainIs(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	var tries atomic.Int32
	c.Refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		if tries.Add(1) > 1 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	tracer := begin(t, c, func(cfg *tracing.Config) { cfg.Headers = "Authorization=Bearer x, X-Scope = y" })
	_, span := tracer.Root(t.Context(), "task")
	span.End(nil)
	flush(t, tracer)
	if n := len(c.Spans()); n != 1 || tries.Load() != 2 {
		t.Errorf("%d spans after %d tries", n, tries.Load())
	}
	if h := c.Header(); h.Get("Authorization") != "Bearer x" || h.Get("X-Scope") != "y" {
		t.Errorf("the headers are %v", h)
	}
}

// A collector that accepts connections but never responds must delay neither the code that creates
// spans, whose queue is soon full, nor the end of the process beyond the timeout.
func TestACollectorThatHangsDelaysNobody(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := tracing.DefaultConfig()
	cfg.Endpoint, cfg.Ratio, cfg.Queue, cfg.Timeout = "http://"+l.Addr().String()+"/v1/traces", 1, 4, time.Millisecond
	log := &lines{}
	tracer := open(t, cfg, slog.New(slog.NewTextHandler(log, nil)))
	for range 10_000 {
		_, span := tracer.Root(t.Context(), "task")
		span.End(nil)
	}
	if err := tracer.Close(); err != nil {
		t.Error(err)
	}
	if err := tracer.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsLeftIsExportedAtTheEnd(t *testing.T) {
	t.Parallel()
	c := tracingtest.New(t)
	tracer := begin(t, c, nil)
	_, span := tracer.Root(t.Context(), "task")
	span.End(nil)
	if err := tracer.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Spans()); n != 1 {
		t.Errorf("%d spans", n)
	}
}

func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	good := tracing.DefaultConfig()
	if problems := good.Validate(); len(problems) > 0 {
		t.Errorf("the defaults: %v", problems)
	}
	for want, change := range map[string]func(*tracing.Config){
		"tracing.endpoint: must be an address": func(c *tracing.Config) { c.Endpoint = "127.0.0.1:4318" },
		"tracing.endpoint: must hold no user":  func(c *tracing.Config) { c.Endpoint = "http://u:secret@h/v1/traces" },
		"tracing.endpoint: must have the path": func(c *tracing.Config) { c.Endpoint = "http://h:4318" },
		"tracing.headers: entry 2 is not":      func(c *tracing.Config) { c.Headers = "a=b,secret" },
		"tracing.headers: has 17 headers": func(c *tracing.Config) {
			c.Headers = "a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b,a=b"
		},
		"tracing.ratio: must be from 0 to 1":     func(c *tracing.Config) { c.Ratio = 1.5 },
		"tracing.trust: \"everybody\" is not":    func(c *tracing.Config) { c.Trust = []string{"everybody"} },
		"tracing.queue: must be from 1 to 65536": func(c *tracing.Config) { c.Queue = 1 << 20 },
		"tracing.timeout: must be more than 0":   func(c *tracing.Config) { c.Timeout = 0 },
	} {
		c := tracing.DefaultConfig()
		change(&c)
		problems := c.Validate()
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), want) || strings.Contains(problems[0].Error(), "secret") {
			t.Errorf("got %v, want %s", problems, want)
		}
	}
	for _, text := range []string{"", "much", "NaN"} {
		if err := new(tracing.Ratio).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for a ratio", text)
		}
	}
}

func BenchmarkStartWhenOff(b *testing.B) {
	ctx := context.Background()
	for i := range 8 { // as deep as the context of a request
		ctx = logging.With(ctx, slog.String("k", strconv.Itoa(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		_, span := tracing.Start(ctx, "read")
		span.Count("items", 3)
		span.End(nil)
	}
}

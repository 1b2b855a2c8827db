package gateway_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/gateway"
	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
)

func TestBodiesAreLimited(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(http.ErrAbortHandler)
		}
	}))
	large, small := 4<<10, 1<<10
	for path, limit := range map[string]int{
		"/api/gms/aspects?action=ingestProposal": large, "/gms/entities?action=ingest": large, "/openapi/v3/entity/dataset": large,
		"/api/gms/operations": small, "/api/graphql": small, "/openapi/v1/trace/write/x": small,
	} {
		for size, want := range map[int]int{limit: http.StatusOK, limit + 1: http.StatusRequestEntityTooLarge} {
			text := strings.Repeat("x", size)
			if res := d.do(t, "POST", path, strings.NewReader(text)); res.status != want {
				t.Errorf("%s, %d bytes: got %d %s, want %d", path, size, res.status, res.body, want)
			}
			res := d.do(t, "POST", path, io.MultiReader(strings.NewReader(text)))
			if res.status != want || want != http.StatusOK && !isError(res) {
				t.Errorf("%s, %d bytes in chunks: got %d %s, want %d", path, size, res.status, res.body, want)
			}
		}
	}
}

// A body of 64 MiB is generated while it is sent; each mebibyte is generated only after the service
// has read the previous one, so the gateway cannot have buffered the body.
func TestLargeBodiesStreamWithoutBeingHeld(t *testing.T) {
	t.Parallel()
	const piece, pieces = 1 << 20, 64
	arrived := make(chan int, pieces)
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, piece)
		for {
			n, err := io.ReadFull(r.Body, buf)
			if err != nil {
				return
			}
			arrived <- n
		}
	}), func(c *gateway.Config) { c.IngestLimit = piece * pieces })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	reader, writer := io.Pipe()
	go func() {
		chunk := make([]byte, piece)
		for range pieces {
			if _, err := writer.Write(chunk); err != nil {
				return
			}
			<-arrived
		}
		writer.Close()
	}()
	if res := d.do(t, "POST", "/api/gms/aspects?action=ingestProposalBatch", reader); res.status != http.StatusOK {
		t.Fatalf("got %d %s", res.status, res.body)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
		t.Errorf("%d bytes were allocated for a body of %d", grown, piece*pieces)
	}
}

func TestAnswersStreamAtOnce(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first\n")
		_ = http.NewResponseController(w).Flush()
		<-release
		_, _ = io.WriteString(w, "second\n")
	}))
	res, err := http.Get(d.url + "/openapi/v1/events/poll")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "first\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	close(release)
	if line, err := lines.ReadString('\n'); err != nil || line != "second\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestATornAnswerIsNotTakenForAWholeOne(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	res, err := http.Get(d.url + "/openapi/x")
	if err != nil {
		return
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("got %q as if it were whole", text)
	}
}

func TestTheServiceGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "back") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	d := newTestGateway(t, nil, func(c *gateway.Config) {
		c.Upstream, c.Outage = &url.URL{Scheme: "http", Host: address}, outage.NewWatch(func() time.Time { return now })
	})

	for range 2 {
		since := now.Format(time.RFC3339)
		for _, retry := range []string{"1", "20", "30"} {
			res := d.do(t, "POST", "/api/gms/aspects", strings.NewReader("{}"))
			if res.status != http.StatusBadGateway || !isError(res) || res.header.Get("Retry-After") != retry || !strings.Contains(res.body, "since "+since) {
				t.Fatalf("away: got %d %v %s, want %s and since %s", res.status, res.header, res.body, retry, since)
			}
			now = now.Add(20 * time.Second)
		}
		listener, err = net.Listen("tcp", address)
		if err != nil {
			t.Skipf("the port was taken meanwhile: %v", err)
		}
		back := httptest.NewUnstartedServer(service)
		back.Listener.Close()
		back.Listener = listener
		back.Start()
		if res := d.do(t, "POST", "/api/gms/aspects", nil); res.status != http.StatusOK || res.body != "back" {
			t.Fatalf("back: got %d %s", res.status, res.body)
		}
		back.Close()
	}
}

func TestAServiceThatStartsSpeaksForItself(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, `{"error":"starting"}`, http.StatusServiceUnavailable)
	}))
	if res := d.do(t, "GET", "/api/gms/config", nil); res.status != 503 || res.header.Get("Retry-After") != "1" || !strings.Contains(res.body, "starting") {
		t.Errorf("got %d %v %s", res.status, res.header, res.body)
	}
}

func TestASilentServiceTimesOut(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
		func(c *gateway.Config) { c.Transport = gateway.Transport(time.Millisecond) })
	res := d.do(t, "GET", "/api/gms/entities/x", nil)
	if res.status != http.StatusGatewayTimeout || !isError(res) || res.header.Get("Retry-After") != "1" {
		t.Errorf("got %d %v %s", res.status, res.header, res.body)
	}
}

func TestAClientThatLeavesIsNoticedAtTheService(t *testing.T) {
	t.Parallel()
	entered, left := make(chan struct{}), make(chan struct{})
	d := newTestGateway(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
		close(left)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+"/api/gms/entities/x", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-entered
		cancel()
	}()
	if _, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-left
}

func TestExpectContinueReachesTheAnswer(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil)
	res := d.do(t, "POST", "/api/gms/aspects", strings.NewReader("body"), header("Expect", "100-continue"))
	if got := d.arrived(t); res.status != http.StatusOK || got.Body != "body" || got.Header.Get("Expect") != "" {
		t.Errorf("got %d, %+v", res.status, got)
	}
}

func BenchmarkProxy(b *testing.B) {
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"value":1}`)
	})
	d := newTestGateway(b, service)
	direct := httptest.NewServer(service)
	defer direct.Close()
	cookie := d.signedIn(b)
	client := &http.Client{Transport: gateway.Transport(time.Minute)}
	run := func(target string) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				r, err := http.NewRequest(http.MethodGet, target+"/openapi/v3/entity/dataset/"+urnEncoded, nil)
				if err != nil {
					b.Error(err)
					return
				}
				cookie(r)
				for pb.Next() {
					res, err := client.Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			})
		}
	}
	b.Run("direct", run(direct.URL))
	b.Run("proxied", run(d.url))
}

func TestStreamsOfEventsEndWithTheProxyAndOtherAnswersDoNot(t *testing.T) {
	t.Parallel()
	serving, stop := context.WithCancel(t.Context())
	resume := make(chan struct{})
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		_, _ = io.WriteString(w, "begun\n")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-resume:
			_, _ = io.WriteString(w, "ended")
		}
	}), func(c *gateway.Config) { c.Serving = serving })
	open := func(kind string) (io.ReadCloser, *bufio.Reader) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+"/gms/x?type="+url.QueryEscape(kind), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer x")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(res.Body)
		if line, err := lines.ReadString('\n'); line != "begun\n" {
			t.Fatalf("%q, %v", line, err)
		}
		return res.Body, lines
	}
	stream, events := open("text/event-stream; charset=utf-8")
	defer stream.Close()
	other, text := open("text/plain")
	defer other.Close()
	stop()
	if rest, err := io.ReadAll(events); err != nil || len(rest) > 0 {
		t.Errorf("the stream: %q, %v, want its end", rest, err)
	}
	close(resume)
	if rest, err := io.ReadAll(text); err != nil || string(rest) != "ended" {
		t.Errorf("another answer: %q, %v", rest, err)
	}
}

// Package tracingtest provides a collector of traces for tests.
package tracingtest

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a received span.
type Span struct {
	Program, Name     string
	Trace, ID, Parent string // hex digits; a root has an empty parent
	Kind              tracepb.Span_SpanKind
	Failed            bool
	Attributes        map[string]string // numbers as decimal text
}

// Collector is a server that keeps the spans that it receives. It is safe for concurrent use.
type Collector struct {
	*httptest.Server
	// Refuse, if set before the first request, may answer a request instead of the collector. It
	// then returns true.
	Refuse func(w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	spans   []Span
	header  http.Header
	arrived chan struct{} // closed and replaced at each export
}

// New starts a collector, which is stopped at the end of the test.
func New(tb testing.TB) *Collector {
	tb.Helper()
	c := &Collector{arrived: make(chan struct{})}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.Refuse != nil && c.Refuse(w, r) {
			return
		}
		c.receive(tb, w, r)
	}))
	tb.Cleanup(c.Close)
	return c
}

// Endpoint returns the value for tracing.endpoint.
func (c *Collector) Endpoint() string { return c.URL + "/v1/traces" }

func (c *Collector) receive(tb testing.TB, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var data tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &data)
	}
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		tb.Errorf("%s %s with %s is no export: %v", r.Method, r.URL, r.Header.Get("Content-Type"), err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header
	for _, of := range data.GetResourceSpans() {
		program := attributes(of.GetResource().GetAttributes())["service.name"]
		for _, scope := range of.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				c.spans = append(c.spans, Span{
					Program: program, Name: s.GetName(), Kind: s.GetKind(), Failed: s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR,
					Trace: hex.EncodeToString(s.GetTraceId()), ID: hex.EncodeToString(s.GetSpanId()), Parent: hex.EncodeToString(s.GetParentSpanId()),
					Attributes: attributes(s.GetAttributes()),
				})
			}
		}
	}
	close(c.arrived)
	c.arrived = make(chan struct{})
}

func attributes(all []*commonpb.KeyValue) map[string]string {
	out := map[string]string{}
	for _, kv := range all {
		text := kv.GetValue().String() // such as int_value:3
		_, text, _ = strings.Cut(text, ":")
		out[kv.GetKey()] = strings.Trim(text, `"`)
	}
	return out
}

// Spans returns the spans received so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Header returns the header of the last export.
func (c *Collector) Header() http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header
}

// Wait returns the first span for which fits returns true, and waits until it has arrived. The
// deadline of the tests ends the wait.
func (c *Collector) Wait(tb testing.TB, fits func(Span) bool) Span {
	tb.Helper()
	for {
		c.mu.Lock()
		i, arrived := slices.IndexFunc(c.spans, fits), c.arrived
		spans := c.spans
		c.mu.Unlock()
		if i >= 0 {
			return spans[i]
		}
		select {
		case <-arrived:
		case <-tb.Context().Done():
			tb.Fatalf("no such span among %+v", spans)
		}
	}
}

// Way returns the names of a span and its ancestors, the root first. It fails for a parent that is
// in another trace or was not received.
func (c *Collector) Way(tb testing.TB, of Span) []string {
	tb.Helper()
	way := []string{of.Program + ": " + of.Name}
	for of.Parent != "" {
		above := c.Wait(tb, func(s Span) bool { return s.ID == of.Parent })
		if above.Trace != of.Trace {
			tb.Fatalf("%s is in another trace than its parent %s", of.Name, above.Name)
		}
		way = append([]string{above.Program + ": " + above.Name}, way...)
		of = above
	}
	return way
}

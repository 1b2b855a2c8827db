package apptest_test

import (
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/tracing/tracingtest"
)

// traced returns a service that records all requests and tasks.
func traced(t *testing.T, change ...func(*app.Config)) (*apptest.Service, *tracingtest.Collector) {
	t.Helper()
	collector := tracingtest.New(t)
	return apptest.Start(t, t.TempDir(), append(change, func(c *app.Config) {
		c.Tracing.Endpoint, c.Tracing.Ratio = collector.Endpoint(), 1
	})...), collector
}

func TestATaskIsATraceThatTheRequestNames(t *testing.T) {
	t.Parallel()
	s, collector := traced(t)
	if status, answer := s.Call(http.MethodPost, "/operations?action=restoreIndices", `{"urnLike":"urn:li:tag:%"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	s.Stop()
	task := collector.Wait(t, func(s tracingtest.Span) bool { return strings.HasPrefix(s.Name, "task ") })
	start := collector.Wait(t, func(s tracingtest.Span) bool { return s.Name == "start a task" })
	if task.Parent != "" || task.Trace == start.Trace || task.Attributes["cartulary.task"] == "" || task.Attributes["cartulary.task"] != start.Attributes["cartulary.task"] {
		t.Errorf("the task is %+v, the request that started it %+v", task, start)
	}
}

func TestSpansThatACollectorRefusesAreFiguresOfTheService(t *testing.T) {
	t.Parallel()
	refused := make(chan struct{})
	once := sync.OnceFunc(func() { close(refused) })
	collector := tracingtest.New(t)
	collector.Refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		once()
		return true
	}
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.Tracing.Endpoint, c.Tracing.Ratio, c.Tracing.Queue = collector.Endpoint(), 1, 1 // each span is exported at once
	})
	if status, answer := s.Call(http.MethodGet, "/config", ""); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	<-refused
	// The loss is counted after the response of the collector has been read.
	for {
		_, text := s.Call(http.MethodGet, "/metrics", "")
		if !strings.Contains(text, `cartulary_tracing_spans_dropped_total{reason="queue_full"} `) {
			t.Fatalf("spans for which the queue has no room are no figure: %s", text)
		}
		if !strings.Contains(text, `cartulary_tracing_spans_dropped_total{reason="not_exported"} 0`) {
			return
		}
		runtime.Gosched()
	}
}

func TestTheTraceOfAnAnswerIsTheOneRecordedAndThatOfWhatWasWritten(t *testing.T) {
	t.Parallel()
	s, collector := traced(t)
	var written []struct {
		Properties struct {
			SystemMetadata struct{ Properties map[string]string }
		} `json:"tagProperties"`
	}
	s.JSON(http.MethodPost, "/openapi/v3/entity/tag?async=false&systemMetadata=true", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}}]`, &written)
	s.Stop()
	request := collector.Wait(t, func(s tracingtest.Span) bool { return strings.HasPrefix(s.Name, "POST /openapi/v3/entity/") })
	if len(written) != 1 || written[0].Properties.SystemMetadata.Properties["telemetryTraceId"] != request.Trace {
		t.Errorf("what was written is %+v, the trace is %s", written, request.Trace)
	}
	change := collector.Wait(t, func(s tracingtest.Span) bool { return s.Name == "catalog write" })
	if change.Trace != request.Trace || change.Attributes["cartulary.proposals"] != "1" {
		t.Errorf("the write is %+v", change)
	}
}

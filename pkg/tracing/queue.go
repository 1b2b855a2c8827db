package tracing

import (
	"context"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// queue passes ended spans to the exporter in batches, and counts the spans that it drops because
// it is full. The processor of the library would drop them without reporting the number, so the
// queue enforces a lower limit.
type queue struct {
	sdktrace.SpanProcessor
	most    int64
	waiting atomic.Int64
	dropped atomic.Uint64
}

func newQueue(cfg Config, exporter sdktrace.SpanExporter) *queue {
	q := &queue{most: int64(cfg.Queue)}
	// A flush also takes a place in the queue of the library, so there are additional places.
	q.SpanProcessor = sdktrace.NewBatchSpanProcessor(countingExporter{exporter, q}, sdktrace.WithMaxQueueSize(cfg.Queue+maxFlushes),
		sdktrace.WithMaxExportBatchSize(min(cfg.Queue, maxBatch)), sdktrace.WithExportTimeout(cfg.Timeout))
	return q
}

// maxFlushes is the maximum number of concurrent flushes.
const maxFlushes = 64

// OnEnd implements sdktrace.SpanProcessor.
func (q *queue) OnEnd(s sdktrace.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() {
		return
	}
	if q.waiting.Add(1) > q.most {
		q.waiting.Add(-1)
		q.dropped.Add(1)
		return
	}
	q.SpanProcessor.OnEnd(s)
}

// countingExporter is an exporter that reports to the queue the number of spans that no longer wait.
type countingExporter struct {
	sdktrace.SpanExporter
	queue *queue
}

func (l countingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	l.queue.waiting.Add(-int64(len(spans)))
	return l.SpanExporter.ExportSpans(ctx, spans)
}

package tracing

import (
	"context"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// queue hands ended spans to the exporter in batches, and counts those for which it has
// no room. The processor of the library drops them as well and keeps the number to
// itself, so spans are refused here before they come to its bound.
type queue struct {
	sdktrace.SpanProcessor
	most    int64
	waiting atomic.Int64
	dropped atomic.Uint64
}

func newQueue(cfg Config, exporter sdktrace.SpanExporter) *queue {
	q := &queue{most: int64(cfg.Queue)}
	// A flush takes a place in the queue of the library, too: there are some to spare.
	q.SpanProcessor = sdktrace.NewBatchSpanProcessor(leaving{exporter, q}, sdktrace.WithMaxQueueSize(cfg.Queue+spare),
		sdktrace.WithMaxExportBatchSize(min(cfg.Queue, maxBatch)), sdktrace.WithExportTimeout(cfg.Timeout))
	return q
}

// spare is how many flushes may be under way at once.
const spare = 64

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

// leaving is an exporter that tells the queue which spans wait no longer.
type leaving struct {
	sdktrace.SpanExporter
	queue *queue
}

func (l leaving) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	l.queue.waiting.Add(-int64(len(spans)))
	return l.SpanExporter.ExportSpans(ctx, spans)
}

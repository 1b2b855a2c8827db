package tracing

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Program describes the process to a collector.
type Program struct{ Name, Version string }

// Tracer starts traces. It is safe for concurrent use. A nil Tracer records nothing.
type Tracer struct {
	queue   *queue // ended spans
	sender  *sender
	tracer  trace.Tracer
	trusted []netip.Prefix
	names   bool
	timeout time.Duration
}

// scopeName identifies the instrumentation to a collector.
const scopeName = "github.com/cartulary/cartulary"

// New creates a Tracer that exports to the collector of a valid Config. It returns nil if tracing
// is off. Nothing is sent before a span has ended. The caller must close the Tracer.
func New(cfg Config, of Program, log *slog.Logger) (*Tracer, error) {
	if !cfg.On() {
		return nil, nil
	}
	trusted, err := cfg.trusted()
	if err != nil {
		return nil, err
	}
	sender, err := newSender(cfg, log)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(context.Background(), sender) // this opens no connection
	if err != nil {
		return nil, err
	}
	queue := newQueue(cfg, exporter)
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", of.Name), attribute.String("service.version", of.Version))),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(float64(cfg.Ratio)))),
		sdktrace.WithIDGenerator(idGenerator{}),
		sdktrace.WithRawSpanLimits(sdktrace.SpanLimits{
			AttributeValueLengthLimit: maxValue, AttributeCountLimit: 32, EventCountLimit: 8, LinkCountLimit: 4,
			AttributePerEventCountLimit: 8, AttributePerLinkCountLimit: 8,
		}),
		sdktrace.WithSpanProcessor(queue),
	)
	return &Tracer{queue: queue, sender: sender, tracer: provider.Tracer(scopeName), trusted: trusted, names: cfg.Names, timeout: cfg.Timeout}, nil
}

const (
	maxValue = 512  // characters of an attribute
	maxBatch = 512  // spans of one export
	maxSpans = 1000 // below one root
)

// Close exports the remaining spans, for at most the time Config.Timeout. Spans that could not be
// exported are lost, which the log reports. A second call does nothing.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout)
	defer cancel()
	// Close ends the queue instead of its provider, which would leave the queue running if the
	// timeout ends first. An export that did not end in time has been logged.
	if err := t.queue.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Flush exports the spans that have already ended.
func (t *Tracer) Flush(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.queue.ForceFlush(ctx)
}

// Reasons for the loss of spans.
const (
	QueueFull   = "queue_full"   // too many waited to be exported
	NotExported = "not_exported" // the collector was away, or refused them
)

// Lost returns the number of spans lost so far for a reason.
func (t *Tracer) Lost(reason string) uint64 {
	switch {
	case t == nil:
		return 0
	case reason == QueueFull:
		return t.queue.dropped.Load()
	}
	return t.sender.failed.Load()
}

// Root starts a separate trace, for example for a task.
func (t *Tracer) Root(ctx context.Context, name string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	return t.begin(ctx, name, trace.WithNewRoot())
}

// begin starts the first span of this process, below the span context in ctx.
func (t *Tracer) begin(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, Span) {
	ctx, span := t.tracer.Start(ctx, name, options...)
	if !span.IsRecording() {
		return ctx, Span{}
	}
	root := &local{Tracer: t}
	return context.WithValue(ctx, localKey{}, root), Span{span: span, of: root, root: true}
}

// local is shared by the spans of one root. The number of spans is limited, because a page of a
// large listing or a task may read very often.
type local struct {
	*Tracer
	begun atomic.Int64
}

type localKey struct{}

// Start starts a span below the span of ctx. If that is not recorded, or beyond a thousand spans
// below one root, it returns ctx and a Span that does nothing.
func Start(ctx context.Context, name string) (context.Context, Span) {
	return start(ctx, name)
}

func start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, Span) {
	of, _ := ctx.Value(localKey{}).(*local)
	if of == nil || of.begun.Add(1) > maxSpans {
		return ctx, Span{}
	}
	ctx, span := of.tracer.Start(ctx, name, options...)
	return ctx, Span{span: span, of: of}
}

// Span is an operation in progress. The zero Span does nothing. A Span must be used by one
// goroutine only.
type Span struct {
	span trace.Span
	of   *local
	root bool
}

// Recording reports whether the attributes of the Span are recorded.
func (s Span) Recording() bool { return s.span != nil }

// Count adds a number as an attribute.
func (s Span) Count(key string, n int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(key, n))
	}
}

// Word adds a constant word of the program as an attribute, never an external text.
func (s Span) Word(key, value string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Name adds an external text or a name from the catalog, if Config.Names is set. Secrets must not
// be added to spans at all.
func (s Span) Name(key, value string) {
	if s.span != nil && s.of.names {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// End ends the span. It records an error by its kind, and marks the span as failed if the caller
// cannot resolve the error.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.fail(err)
	}
	if dropped := s.of.begun.Load() - maxSpans; s.root && dropped > 0 {
		s.span.SetAttributes(attribute.Int64("cartulary.spans_left_out", dropped))
	}
	s.span.End()
}

func (s Span) fail(err error) {
	kind := fault.KindOf(err)
	s.Word("error.type", kind.Error())
	s.Name("error.message", err.Error())
	if kind.Status() >= 500 {
		s.span.SetStatus(codes.Error, kind.Error())
	}
}

// ID returns the trace id of ctx, 32 hex digits, or an empty string. Traces that are not recorded
// have an id, too.
func ID(ctx context.Context) string {
	if at := trace.SpanContextFromContext(ctx); at.IsValid() {
		return at.TraceID().String()
	}
	return ""
}

// TimeOf returns the start time of a trace that this package started, by its id. For ids of other
// origins the result has no meaning.
func TimeOf(id string) time.Time {
	parsed, err := trace.TraceIDFromHex(id)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(parsed[:8])))
}

// idGenerator generates the ids of traces and spans. They are not secret.
type idGenerator struct{}

// NewIDs implements sdktrace.IDGenerator.
func (idGenerator) NewIDs(context.Context) (id trace.TraceID, span trace.SpanID) {
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixMicro()))
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	return id, newSpanID()
}

// NewSpanID implements sdktrace.IDGenerator.
func (idGenerator) NewSpanID(context.Context, trace.TraceID) trace.SpanID { return newSpanID() }

func newSpanID() (span trace.SpanID) {
	binary.BigEndian.PutUint64(span[:], rand.Uint64()|1) // zero is not a valid id
	return span
}

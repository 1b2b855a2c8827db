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

// Program is what a collector is told about the process.
type Program struct{ Name, Version string }

// Tracer begins traces. It is safe for concurrent use. A nil Tracer records nothing.
type Tracer struct {
	queue   *queue // of spans that have ended
	sender  *sender
	tracer  trace.Tracer
	trusted []netip.Prefix
	names   bool
	timeout time.Duration
}

// scopeName says to a collector what made the spans.
const scopeName = "github.com/cartulary/cartulary"

// New makes a Tracer that exports to the collector of a valid Config, and none when it
// names none. Nothing is sent before a span has ended. The caller closes it.
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
	exporter, err := otlptrace.New(context.Background(), sender) // which connects to nothing
	if err != nil {
		return nil, err
	}
	queue := newQueue(cfg, exporter)
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", of.Name), attribute.String("service.version", of.Version))),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(float64(cfg.Ratio)))),
		sdktrace.WithIDGenerator(ids{}),
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

// Close exports what is left, for the time of Config.Timeout at most. What could not be
// exported is lost, which the log tells. Closing a second time does nothing.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout)
	defer cancel()
	// The queue is ended, not its provider, which leaves it running when the time is up
	// before it gets there. An export that did not end in time has been logged.
	if err := t.queue.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Flush exports the spans that have ended by now.
func (t *Tracer) Flush(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.queue.ForceFlush(ctx)
}

// Reasons for which spans are lost.
const (
	QueueFull   = "queue_full"   // too many waited to be exported
	NotExported = "not_exported" // the collector was away, or refused them
)

// Lost tells how many spans were lost so far, for a reason.
func (t *Tracer) Lost(reason string) uint64 {
	switch {
	case t == nil:
		return 0
	case reason == QueueFull:
		return t.queue.dropped.Load()
	}
	return t.sender.failed.Load()
}

// Root begins a trace of its own, such as of a task.
func (t *Tracer) Root(ctx context.Context, name string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	return t.begin(ctx, name, trace.WithNewRoot())
}

// begin begins the first span of this process, below what ctx has been told of.
func (t *Tracer) begin(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, Span) {
	ctx, span := t.tracer.Start(ctx, name, options...)
	if !span.IsRecording() {
		return ctx, Span{}
	}
	root := &local{Tracer: t}
	return context.WithValue(ctx, localKey{}, root), Span{span: span, of: root, root: true}
}

// local is what the spans of one root share. A page of a large listing and a task read
// again and again, so their spans are bounded.
type local struct {
	*Tracer
	begun atomic.Int64
}

type localKey struct{}

// Start begins a span below that of ctx. Without one that is recorded, or beyond a
// thousand spans below one root, it gives ctx and a Span that does nothing.
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

// Span is something that is being done. The zero Span does nothing. It belongs to one
// goroutine.
type Span struct {
	span trace.Span
	of   *local
	root bool
}

// Recording tells whether what the Span is told is kept.
func (s Span) Recording() bool { return s.span != nil }

// Count adds a number.
func (s Span) Count(key string, n int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(key, n))
	}
}

// Word adds a word of the program, which nobody outside chooses.
func (s Span) Word(key, value string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Name adds what names something of the catalog or comes from outside, where that is
// configured. Secrets are not for spans at all.
func (s Span) Name(key, value string) {
	if s.span != nil && s.of.names {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// End ends the span. An error is told by its kind, and makes the span a failed one when
// the caller can do nothing about it.
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

// ID is the id of the trace that ctx belongs to, 32 hex digits, or empty. There is one
// for traces that are not recorded, too.
func ID(ctx context.Context) string {
	if at := trace.SpanContextFromContext(ctx); at.IsValid() {
		return at.TraceID().String()
	}
	return ""
}

// TimeOf is when a trace began, by its id. Ids that others made do not tell.
func TimeOf(id string) time.Time {
	parsed, err := trace.TraceIDFromHex(id)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(parsed[:8])))
}

// ids makes the ids of traces and spans. They are no secrets.
type ids struct{}

// NewIDs implements sdktrace.IDGenerator.
func (ids) NewIDs(context.Context) (id trace.TraceID, span trace.SpanID) {
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixMicro()))
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	return id, newSpanID()
}

// NewSpanID implements sdktrace.IDGenerator.
func (ids) NewSpanID(context.Context, trace.TraceID) trace.SpanID { return newSpanID() }

func newSpanID() (span trace.SpanID) {
	binary.BigEndian.PutUint64(span[:], rand.Uint64()|1) // zero is none
	return span
}

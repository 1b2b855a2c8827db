// Package logging gives all log lines one shape.
//
// Loggers are values of log/slog, made once and handed to constructors. The
// message of a line is a constant phrase, facts are attributes, and the same
// key means the same thing everywhere: urn, aspect, actor, took, error. What
// belongs to a request travels in its context, so it stands on each line that
// is logged with that context:
//
//	ctx = logging.WithRequestID(ctx, id)
//	log.InfoContext(ctx, "token revoked", "id", tokenID) // also carries request_id
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
)

// RequestIDKey is the attribute that ties the lines of one request together.
const RequestIDKey = "request_id"

// Format is the form of a line.
type Format string

// Auto is Text when the writer is a terminal and JSON otherwise.
const (
	Auto Format = "auto"
	Text Format = "text"
	JSON Format = "json"
)

// UnmarshalText accepts the three words and an empty text, which is Auto.
func (f *Format) UnmarshalText(text []byte) error {
	switch word := Format(text); word {
	case "":
		*f = Auto
	case Auto, Text, JSON:
		*f = word
	default:
		return fmt.Errorf("%q is not a log format; use auto, text or json", text)
	}
	return nil
}

// New makes a logger. Pass a *slog.LevelVar to change the level while running.
func New(w io.Writer, level slog.Leveler, format Format) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == Text || format != JSON && isTerminal(w) {
		return slog.New(handler{slog.NewTextHandler(w, options)})
	}
	return slog.New(handler{slog.NewJSONHandler(w, options)})
}

// formatDuration gives durations their unit; JSON would show bare nanoseconds. It reports
// whether there was one. A slog.HandlerOptions.ReplaceAttr would be asked about time,
// level and message as well, at half of the price of a line again.
func formatDuration(a slog.Attr) (slog.Attr, bool) {
	switch value := a.Value.Resolve(); value.Kind() {
	case slog.KindDuration:
		a.Value = slog.StringValue(value.Duration().String())
		return a, true
	case slog.KindGroup:
		members, found := formatDurations(value.Group())
		if found {
			a.Value = slog.GroupValue(members...)
		}
		return a, found
	}
	return a, false
}

// formatDurations is formatDuration for some attributes. They are copied where one changes.
func formatDurations(attrs []slog.Attr) (_ []slog.Attr, found bool) {
	for i, a := range attrs {
		a, changed := formatDuration(a)
		if !changed {
			continue
		}
		if !found {
			attrs, found = slices.Clone(attrs), true
		}
		attrs[i] = a
	}
	return attrs, found
}

// Discard is a logger for tests that do not look at the log.
func Discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

type contextKey struct{}

type contextValue struct {
	requestID string
	attrs     []slog.Attr
}

// WithRequestID returns a context whose lines carry the id.
func WithRequestID(ctx context.Context, id string) context.Context {
	value := fromContext(ctx)
	value.requestID = id
	return context.WithValue(ctx, contextKey{}, value)
}

// RequestID is the id put in by WithRequestID, or empty.
func RequestID(ctx context.Context) string { return fromContext(ctx).requestID }

// With returns a context whose lines carry attrs as well as those it had.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	value := fromContext(ctx)
	value.attrs = append(slices.Clip(value.attrs), attrs...)
	return context.WithValue(ctx, contextKey{}, value)
}

func fromContext(ctx context.Context) contextValue {
	value, _ := ctx.Value(contextKey{}).(contextValue)
	return value
}

// handler adds what the context carries, and makes durations readable.
type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	var space [12]slog.Attr // of a line about a request; longer ones take memory
	attrs := space[:0]
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	value := fromContext(ctx)
	if value.requestID != "" {
		attrs = append(attrs, slog.String(RequestIDKey, value.requestID))
	}
	attrs = append(attrs, value.attrs...)
	for i := range attrs {
		attrs[i], _ = formatDuration(attrs[i])
	}
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	line.AddAttrs(attrs...)
	return h.Handler.Handle(ctx, line)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	attrs, _ = formatDurations(attrs)
	return handler{h.Handler.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

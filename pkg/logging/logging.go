// Package logging gives all log lines the same structure.
//
// Loggers are values of log/slog, created once and passed to constructors. The message of a line is
// a constant phrase, facts are attributes, and each key has the same meaning everywhere: urn,
// aspect, actor, took, error. Attributes of a request are stored in its context and are added to
// each line that is logged with that context:
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

// RequestIDKey is the attribute that is common to the lines of one request.
const RequestIDKey = "request_id"

// Format is the form of a line.
type Format string

// Auto is Text if the writer is a terminal, and JSON otherwise.
const (
	Auto Format = "auto"
	Text Format = "text"
	JSON Format = "json"
)

// UnmarshalText accepts the three names, and an empty text as Auto.
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

// New creates a logger. Pass a *slog.LevelVar to change the level at run time.
func New(w io.Writer, level slog.Leveler, format Format) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == Text || format != JSON && isTerminal(w) {
		return slog.New(handler{slog.NewTextHandler(w, options)})
	}
	return slog.New(handler{slog.NewJSONHandler(w, options)})
}

// formatDuration formats a duration with its unit, because JSON would show bare nanoseconds, and
// reports whether there was one. slog.HandlerOptions.ReplaceAttr would also be called for time,
// level and message, and make a line one and a half times as expensive.
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

// formatDurations is formatDuration for several attributes. It copies them if one changes.
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

// Discard returns a logger for tests that do not check the log.
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

// RequestID returns the id stored by WithRequestID, or an empty string.
func RequestID(ctx context.Context) string { return fromContext(ctx).requestID }

// With returns a context whose lines carry attrs in addition to its existing attributes.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	value := fromContext(ctx)
	value.attrs = append(slices.Clip(value.attrs), attrs...)
	return context.WithValue(ctx, contextKey{}, value)
}

func fromContext(ctx context.Context) contextValue {
	value, _ := ctx.Value(contextKey{}).(contextValue)
	return value
}

// handler adds the attributes of the context, and formats durations.
type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	var space [12]slog.Attr // enough for the line of a request; longer ones allocate
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

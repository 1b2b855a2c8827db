package store

import "context"

type originKey struct{}

// WithOrigin returns a context whose writes are attributed to a background sink: the log entries of
// an Update have its name. A sink ignores entries of its own origin, to avoid endless reactions to
// itself, and ignores entries of any origin if it reacts only to users and programs.
func WithOrigin(ctx context.Context, sink string) context.Context {
	return context.WithValue(ctx, originKey{}, sink)
}

// OriginOf returns the name of the background sink of the context, empty if there is none.
func OriginOf(ctx context.Context) string {
	sink, _ := ctx.Value(originKey{}).(string)
	return sink
}

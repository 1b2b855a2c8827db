package store

import "context"

type originKey struct{}

// WithOrigin marks what is written under the context as caused by a background
// sink: the log entries of an Update carry its name. A sink leaves out entries
// of its own origin, so that it does not answer itself for ever, and entries of
// any origin when it reacts to people and programs alone.
func WithOrigin(ctx context.Context, sink string) context.Context {
	return context.WithValue(ctx, originKey{}, sink)
}

// OriginOf is the name of the background sink that acts under the context, empty
// when none does.
func OriginOf(ctx context.Context) string {
	sink, _ := ctx.Value(originKey{}).(string)
	return sink
}

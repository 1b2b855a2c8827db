package store

import "context"

type sizeKey struct{}

// WithSize announces about how many bytes an Update under the context is going to write. A
// driver with one writer uses it to keep small updates from waiting for large ones; it
// promises nothing else, and a wrong number does no harm beyond that.
func WithSize(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, sizeKey{}, bytes)
}

// SizeOf is the number that WithSize announced under the context, 0 when there is none.
func SizeOf(ctx context.Context) int {
	bytes, _ := ctx.Value(sizeKey{}).(int)
	return bytes
}

package store

import "context"

type sizeKey struct{}

// WithSize announces the approximate number of bytes that an Update under the context will write. A
// driver with one writer uses it to keep small updates from waiting for large ones. It has no other
// effect, and a wrong number does no other harm.
func WithSize(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, sizeKey{}, bytes)
}

// SizeOf returns the number announced by WithSize, 0 if there is none.
func SizeOf(ctx context.Context) int {
	bytes, _ := ctx.Value(sizeKey{}).(int)
	return bytes
}

package roaring

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// Cancellation: a query checks its context between pieces of work that take microseconds, so a
// cancelled query ends within about a millisecond. Its result is then incomplete and is neither
// returned nor cached. At these checks a long query also yields to other requests (idle.Yield).

// stepsPerCheck is the number of values or documents that a loop visits between two checks of the
// context.
const stepsPerCheck = 256

// cancelled checks the context once every stepsPerCheck steps and reports whether it has ended. In
// between it costs one remainder operation.
func cancelled(ctx context.Context, step int) bool {
	return step%stepsPerCheck == 0 && ended(ctx)
}

// ended reports whether a context has ended. Before that it yields.
func ended(ctx context.Context) bool {
	idle.Yield(ctx)
	return ctx.Err() != nil
}

// eachRunUntil is eachRun that stops when the context ends.
func eachRunUntil(ctx context.Context, set *roaring.Bitmap, f func(docs []uint32)) {
	size := set.GetCardinality()
	if size == 0 {
		return
	}
	buf := make([]uint32, min(size, maxRun))
	it := set.ManyIterator()
	for !ended(ctx) {
		n := it.NextMany(buf)
		if n == 0 {
			return
		}
		f(buf[:n])
	}
}

// eachUntil is each that stops when the context ends. It passes long postings in several runs.
func (l postings) eachUntil(ctx context.Context, f func(docs []uint32)) {
	if l.set != nil {
		eachRunUntil(ctx, l.set, f)
		return
	}
	for rest := l.docs; len(rest) > 0 && !ended(ctx); {
		n := min(len(rest), maxRun)
		f(rest[:n])
		rest = rest[n:]
	}
}

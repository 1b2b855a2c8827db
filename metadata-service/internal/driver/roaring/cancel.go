package roaring

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"
)

// A query looks at its context between pieces of work that take microseconds, so
// that a cancelled one ends within a millisecond or so. What it has come to by
// then is incomplete, and neither answered nor remembered.

// stepsPerLook is how many values or documents are looked at one by one between
// two looks at the context.
const stepsPerLook = 256

// ended looks at the context at every so many steps and tells whether it has ended.
func ended(ctx context.Context, step int) bool {
	return step%stepsPerLook == 0 && ctx.Err() != nil
}

// eachIn is eachOf until the context ends.
func eachIn(ctx context.Context, set *roaring.Bitmap, f func(docs []uint32)) {
	size := set.GetCardinality()
	if size == 0 {
		return
	}
	buf := make([]uint32, min(size, longestRun))
	it := set.ManyIterator()
	for ctx.Err() == nil {
		n := it.NextMany(buf)
		if n == 0 {
			return
		}
		f(buf[:n])
	}
}

// eachIn is each until the context ends. Long lists come in several runs.
func (l list) eachIn(ctx context.Context, f func(docs []uint32)) {
	if l.bits != nil {
		eachIn(ctx, l.bits, f)
		return
	}
	for rest := l.few; len(rest) > 0 && ctx.Err() == nil; {
		n := min(len(rest), longestRun)
		f(rest[:n])
		rest = rest[n:]
	}
}

package roaring

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// empty is the set without members. It is shared.
var empty = roaring.New()

// gather joins lists into a set. Sets that come out may be shared with the
// index: they are read, never changed.
type gather struct {
	n    int // documents of the segment
	few  []uint32
	big  []*roaring.Bitmap
	bits []uint64 // once there are many
}

const manyDocs = 2048

func (g *gather) add(l list) {
	if l.bits != nil {
		g.big = append(g.big, l.bits)
		return
	}
	g.addDocs(l.few)
}

func (g *gather) addDocs(docs []uint32) {
	if g.bits != nil {
		for _, doc := range docs {
			g.bits[doc>>6] |= 1 << (doc & 63)
		}
		return
	}
	g.few = append(g.few, docs...)
	if len(g.few) > manyDocs {
		g.bits = make([]uint64, (g.n+63)/64)
		docs, g.few = g.few, nil
		g.addDocs(docs)
	}
}

// addAll joins the lists from (included) to (excluded).
func (g *gather) addAll(l *lists, from, to int) {
	if from >= to {
		return
	}
	g.addDocs(l.docs[l.start[from]:l.start[to]])
	if len(l.big) < to-from {
		for i, bits := range l.big {
			if int(i) >= from && int(i) < to {
				g.big = append(g.big, bits)
			}
		}
		return
	}
	for i := from; i < to; i++ {
		if bits := l.big[uint32(i)]; bits != nil {
			g.big = append(g.big, bits)
		}
	}
}

func (g *gather) set() *roaring.Bitmap {
	if len(g.big) == 1 && len(g.few) == 0 && g.bits == nil {
		return g.big[0]
	}
	g.spread()
	var own *roaring.Bitmap
	switch {
	case g.bits != nil:
		own = roaring.FromDense(g.bits, true)
	case len(g.few) > 0:
		own = roaring.New()
		own.AddMany(g.few)
	case len(g.big) == 0:
		return empty
	}
	if own == nil {
		return roaring.FastOr(g.big...)
	}
	for _, bits := range g.big {
		own.Or(bits)
	}
	return own
}

// spread writes sets with few documents out one by one: joining their
// containers costs more than the documents do.
func (g *gather) spread() {
	const perContainer = 1 << 12
	large := g.big[:0:0]
	for _, bits := range g.big {
		if int(bits.GetCardinality()) > g.n/(1<<16)*perContainer+perContainer {
			large = append(large, bits)
			continue
		}
		eachOf(bits, g.addDocs)
	}
	g.big = large
}

// setOf is a list as a set.
func setOf(l list) *roaring.Bitmap {
	if l.bits != nil {
		return l.bits
	}
	set := roaring.New()
	set.AddMany(l.few)
	return set
}

// derived holds what a segment is asked for again and again.
type derived struct {
	mu    sync.Mutex
	sets  map[string]*roaring.Bitmap
	bytes uint64
	uses  map[string][]*use
	ranks map[string]*ranking
}

// Bounds of what a segment remembers of filters.
const (
	maxRemembered      = 256
	maxRememberedBytes = 16 << 20
)

// remembered gives the set that was made for a key before, or makes it. What make
// gives up for the context is not remembered.
func (d *derived) remembered(ctx context.Context, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
	d.mu.Lock()
	set := d.sets[key]
	d.mu.Unlock()
	if set != nil {
		return set
	}
	if set = make(); ctx.Err() != nil {
		return set
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if size := set.GetSizeInBytes() + uint64(len(key)); size <= maxRememberedBytes/4 {
		if len(d.sets) >= maxRemembered || d.bytes+size > maxRememberedBytes {
			d.sets, d.bytes = nil, 0
		}
		if d.sets == nil {
			d.sets = map[string]*roaring.Bitmap{}
		}
		d.sets[key] = set
		d.bytes += size
	}
	return set
}

// bitmap is the set of the library.
type bitmap = roaring.Bitmap

func and(a, b *bitmap) *bitmap { return roaring.And(a, b) }

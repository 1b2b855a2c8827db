package roaring

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// empty is the set without members. It is shared and must not be changed.
var empty = roaring.New()

// setBuilder joins postings lists into a set. The resulting set may be shared with the index:
// callers must not change it.
type setBuilder struct {
	n     int // number of documents of the segment
	docs  []uint32
	sets  []*roaring.Bitmap
	dense []uint64 // used for many documents
}

const maxSparseDocs = 2048

func (g *setBuilder) add(l postings) {
	if l.set != nil {
		g.sets = append(g.sets, l.set)
		return
	}
	g.addDocs(l.docs)
}

func (g *setBuilder) addDocs(docs []uint32) {
	if g.dense != nil {
		for _, doc := range docs {
			g.dense[doc>>6] |= 1 << (doc & 63)
		}
		return
	}
	g.docs = append(g.docs, docs...)
	if len(g.docs) > maxSparseDocs {
		g.dense = make([]uint64, (g.n+63)/64)
		docs, g.docs = g.docs, nil
		g.addDocs(docs)
	}
}

// addAll joins the postings lists from (included) to (excluded).
func (g *setBuilder) addAll(l *postingsTable, from, to int) {
	if from >= to {
		return
	}
	g.addDocs(l.docs[l.start[from]:l.start[to]])
	if len(l.sets) < to-from {
		for i, bits := range l.sets {
			if int(i) >= from && int(i) < to {
				g.sets = append(g.sets, bits)
			}
		}
		return
	}
	for i := from; i < to; i++ {
		if bits := l.sets[uint32(i)]; bits != nil {
			g.sets = append(g.sets, bits)
		}
	}
}

func (g *setBuilder) set() *roaring.Bitmap {
	if len(g.sets) == 1 && len(g.docs) == 0 && g.dense == nil {
		return g.sets[0]
	}
	g.spread()
	var own *roaring.Bitmap
	switch {
	case g.dense != nil:
		own = roaring.FromDense(g.dense, true)
	case len(g.docs) > 0:
		own = roaring.New()
		own.AddMany(g.docs)
	case len(g.sets) == 0:
		return empty
	}
	if own == nil {
		return roaring.FastOr(g.sets...)
	}
	for _, bits := range g.sets {
		own.Or(bits)
	}
	return own
}

// spread adds the members of small sets one by one: joining the containers of such a set costs more
// than adding its members.
func (g *setBuilder) spread() {
	const perContainer = 1 << 12
	large := g.sets[:0:0]
	for _, bits := range g.sets {
		if int(bits.GetCardinality()) > g.n/(1<<16)*perContainer+perContainer {
			large = append(large, bits)
			continue
		}
		eachRun(bits, g.addDocs)
	}
	g.sets = large
}

// setOf returns postings as a set, which may be shared with the index.
func setOf(l postings) *roaring.Bitmap {
	if l.set != nil {
		return l.set
	}
	set := roaring.New()
	set.AddMany(l.docs)
	return set
}

// segmentCache caches intermediate results of queries on a segment. Entries stay valid, as segments
// never change; the cache is emptied when it is full.
type segmentCache struct {
	mu    sync.Mutex
	sets  map[string]*roaring.Bitmap
	bytes uint64
	uses  map[string][]*fieldUse
	ranks map[rankingKey]*ranking
	named map[namedKey]map[uint32]uint32 // see namedIn
}

// Limits of a segment's cache of filter results.
const (
	maxCachedSets  = 256
	maxCachedBytes = 16 << 20
)

// cachedSet returns the cached set of a key, or computes it with make. It does not cache a set that
// is incomplete because the context ended.
func (d *segmentCache) cachedSet(ctx context.Context, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
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
	if size := set.GetSizeInBytes() + uint64(len(key)); size <= maxCachedBytes/4 {
		if len(d.sets) >= maxCachedSets || d.bytes+size > maxCachedBytes {
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

func (d *segmentCache) hasSet(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sets[key] != nil
}

// bitmap is the set type of the library, iterator an ordered walk over a set.
type (
	bitmap   = roaring.Bitmap
	iterator = roaring.IntPeekable
)

func and(a, b *bitmap) *bitmap { return roaring.And(a, b) }

func andNot(a, b *bitmap) *bitmap { return roaring.AndNot(a, b) }

func or(sets ...*bitmap) *bitmap { return roaring.FastOr(sets...) }

package roaring

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/pkg/urn"
)

// version is one state of the index. Nothing in it ever changes.
type version struct {
	parts   []view
	applied uint64
}

// view is a segment with the documents that are deleted in it, nil for none.
type view struct {
	*segment
	deleted *roaring.Bitmap
	cache   *viewCache
}

// viewCache holds what is derived from a view when it is first asked for: what
// filters let through, so that what an actor may see, and what is left out by
// default, costs its first query alone.
type viewCache struct {
	once sync.Once
	live *roaring.Bitmap

	mu    sync.Mutex
	bases map[string]*roaring.Bitmap
}

// maxBases bounds the filters a view remembers.
const maxBases = 32

// base gives the set that was made for a key before, or makes it. What make gives
// up for the context is not remembered.
func (c *viewCache) base(ctx context.Context, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
	c.mu.Lock()
	set := c.bases[key]
	c.mu.Unlock()
	if set != nil {
		return set
	}
	if set = make(); ctx.Err() != nil {
		return set
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bases == nil || len(c.bases) >= maxBases {
		c.bases = map[string]*roaring.Bitmap{}
	}
	c.bases[key] = set
	return set
}

// live is the set of documents that are not deleted. It is shared.
func (v view) live() *roaring.Bitmap {
	v.cache.once.Do(func() {
		set := roaring.New()
		set.AddRange(0, uint64(v.n))
		if v.deleted != nil {
			set.AndNot(v.deleted)
		}
		v.cache.live = set
	})
	return v.cache.live
}

func (v view) isLive(doc uint32) bool { return v.deleted == nil || !v.deleted.Contains(doc) }

func (v view) count() int {
	if v.deleted == nil {
		return v.n
	}
	return v.n - int(v.deleted.GetCardinality())
}

func (v *version) count() int {
	n := 0
	for _, part := range v.parts {
		n += part.count()
	}
	return n
}

// find gives the part and number of an entity's document.
func (v *version) find(u urn.URN) (part int, doc uint32, ok bool) {
	for i := len(v.parts) - 1; i >= 0; i-- {
		doc, found := v.parts[i].find(u)
		if found && (v.parts[i].deleted == nil || !v.parts[i].deleted.Contains(doc)) {
			return i, doc, true
		}
	}
	return 0, 0, false
}

// edit is a version in the making.
type edit struct {
	parts  []view
	copied map[int]bool // parts whose deleted set is our own
}

func (v *version) edit() *edit {
	return &edit{parts: slices.Clone(v.parts), copied: map[int]bool{}}
}

func (e *edit) remove(part int, doc uint32) {
	p := &e.parts[part]
	switch {
	case p.deleted == nil:
		p.deleted = roaring.New()
	case !e.copied[part]:
		p.deleted = p.deleted.Clone()
	}
	e.copied[part] = true
	p.cache = &viewCache{}
	p.deleted.Add(doc)
}

// finish leaves out parts of which nothing is left.
func (e *edit) finish(applied uint64) *version {
	e.parts = slices.DeleteFunc(e.parts, func(p view) bool { return p.count() == 0 })
	return &version{parts: e.parts, applied: applied}
}

package roaring

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/pkg/urn"
)

// version is one state of the index. It never changes, except for its caches.
type version struct {
	segments []segmentView
	applied  uint64
	joined   joinedSets
}

// segmentView is a segment with the set of its deleted documents, nil for none.
type segmentView struct {
	*segment
	deleted *roaring.Bitmap
	cache   *viewCache
}

// viewCache caches results derived from a view on first use: the documents that match filters. So
// the visibility filter of an actor and the default exclusions cost only the first query.
type viewCache struct {
	once sync.Once
	live *roaring.Bitmap

	mu       sync.Mutex
	baseSets map[string]*roaring.Bitmap
	visible  map[string]*roaring.Bitmap // documents visible to actors, by VisibleKey
}

// maxBaseSets is the maximum number of filter results that a view caches, of each of the two kinds.
const maxBaseSets = 32

// baseSet returns the cached set of a key, or computes it with make. It does not cache a set that
// is incomplete because the context ended.
func (c *viewCache) baseSet(ctx context.Context, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
	return c.cached(ctx, &c.baseSets, key, make)
}

// visibleSet is baseSet for the documents that an actor may see.
func (c *viewCache) visibleSet(ctx context.Context, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
	return c.cached(ctx, &c.visible, key, make)
}

func (c *viewCache) cached(ctx context.Context, sets *map[string]*roaring.Bitmap, key string, make func() *roaring.Bitmap) *roaring.Bitmap {
	c.mu.Lock()
	set := (*sets)[key]
	c.mu.Unlock()
	if set != nil {
		return set
	}
	if set = make(); ctx.Err() != nil {
		return set
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if *sets == nil || len(*sets) >= maxBaseSets {
		*sets = map[string]*roaring.Bitmap{}
	}
	(*sets)[key] = set
	return set
}

func (c *viewCache) hasBaseSet(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.baseSets[key] != nil
}

// live returns the documents that are not deleted. The set is shared.
func (v segmentView) live() *roaring.Bitmap {
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

func (v segmentView) isLive(doc uint32) bool { return v.deleted == nil || !v.deleted.Contains(doc) }

func (v segmentView) count() int {
	if v.deleted == nil {
		return v.n
	}
	return v.n - int(v.deleted.GetCardinality())
}

func (v *version) count() int {
	n := 0
	for _, view := range v.segments {
		n += view.count()
	}
	return n
}

// find returns the segment and number of an entity's live document.
func (v *version) find(u urn.URN) (part int, doc uint32, ok bool) {
	for i := len(v.segments) - 1; i >= 0; i-- {
		doc, found := v.segments[i].find(u)
		if found && (v.segments[i].deleted == nil || !v.segments[i].deleted.Contains(doc)) {
			return i, doc, true
		}
	}
	return 0, 0, false
}

// versionEdit is a version under construction.
type versionEdit struct {
	segments []segmentView
	owned    map[int]bool // segments whose deleted set is a copy made for this edit
}

func (v *version) edit() *versionEdit {
	return &versionEdit{segments: slices.Clone(v.segments), owned: map[int]bool{}}
}

func (e *versionEdit) remove(part int, doc uint32) {
	view := &e.segments[part]
	switch {
	case view.deleted == nil:
		view.deleted = roaring.New()
	case !e.owned[part]:
		view.deleted = view.deleted.Clone()
	}
	e.owned[part] = true
	view.cache = &viewCache{}
	view.deleted.Add(doc)
}

// finish returns the version, without segments that have no live document.
func (e *versionEdit) finish(applied uint64) *version {
	e.segments = slices.DeleteFunc(e.segments, func(p segmentView) bool { return p.count() == 0 })
	return &version{segments: e.segments, applied: applied}
}

package roaring

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// What an actor may see is a filter of any size that comes with every query of the
// actor. It is made ready once, and its set is made once for each segment; where it
// asks about entities that others name, once for each version, as these may be in
// another segment.

// preparedVisible is such a filter made ready.
type preparedVisible struct {
	key    string // empty for one that is not remembered
	filter preparedFilter
	joins  bool // it asks about entities that others name
}

// preparedReference is a search.Reference made ready.
type preparedReference struct {
	search.Reference
	where preparedFilter
	// bare are the alternatives that can hold for an entity without a document.
	bare []bareAlternative
	key  string
}

// maxPrepared bounds the filters that are kept ready.
const maxPrepared = 64

// readyFilters keeps filters of actors ready, by their keys.
type readyFilters struct {
	mu    sync.Mutex
	byKey map[string]*preparedVisible
}

func (r *readyFilters) get(key string) *preparedVisible {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byKey[key]
}

func (r *readyFilters) put(v *preparedVisible) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKey == nil || len(r.byKey) >= maxPrepared {
		r.byKey = map[string]*preparedVisible{}
	}
	r.byKey[v.key] = v
}

// prepareVisible makes what an actor may see ready, nil for everything. A filter
// without a key has the limits of a caller's.
func (x *Index) prepareVisible(f search.Filter, key string) (*preparedVisible, error) {
	if len(f) == 0 {
		return nil, nil
	}
	if key == "" {
		if err := search.SizeOf(f).Check(); err != nil {
			return nil, err
		}
	} else if ready := x.visible.get(key); ready != nil {
		return ready, nil
	}
	out := &preparedVisible{key: key}
	keys := keySet{}
	var err error
	if out.filter, err = x.prepareAlternatives(f, keys, func(c search.Criterion) (preparedCriterion, error) {
		if c.To == nil {
			return x.prepareCriterion(c)
		}
		out.joins = true
		to, err := x.prepareReference(c.To, keys)
		return preparedCriterion{Criterion: c, places: x.schemas.resolve(c.Field), to: to}, err
	}); err != nil {
		return nil, err
	}
	if key != "" {
		x.visible.put(out)
	}
	return out, nil
}

// keySet keeps one copy of equal keys: alternatives mostly begin with the same
// criterion.
type keySet map[string]string

func (s keySet) one(key string) string {
	if have, ok := s[key]; ok {
		return have
	}
	s[key] = key
	return key
}

func (x *Index) prepareAlternatives(f search.Filter, keys keySet, prepare func(search.Criterion) (preparedCriterion, error)) (preparedFilter, error) {
	out := make(preparedFilter, len(f))
	for i, alternative := range f {
		out[i] = make([]preparedCriterion, len(alternative))
		for j, c := range alternative {
			ready, err := prepare(c)
			if err != nil {
				return nil, err
			}
			ready.key = keys.one(ready.key)
			out[i][j] = ready
		}
	}
	return out, nil
}

func (x *Index) prepareReference(r *search.Reference, keys keySet) (*preparedReference, error) {
	out := &preparedReference{Reference: *r}
	var err error
	out.where, err = x.prepareAlternatives(r.Where, keys, func(c search.Criterion) (preparedCriterion, error) {
		if c.To != nil {
			return preparedCriterion{}, fault.New(fault.Malformed, "filter: field %s of an entity that another one names asks about further entities", c.Field)
		}
		return x.prepareCriterion(c)
	})
	if err != nil || r.Stored {
		return out, err
	}
	for _, alternative := range r.Where {
		if bare, possible := newBareAlternative(alternative); possible {
			out.bare = append(out.bare, bare)
		}
	}
	return out, nil
}

// bareAlternative is an alternative as it holds for entities without a document.
type bareAlternative []func(u urn.URN) bool

// newBareAlternative reads the criteria on type and URN. Those on other fields find no
// value: they hold always, or the alternative is not possible.
func newBareAlternative(all []search.Criterion) (out bareAlternative, possible bool) {
	for i := range all {
		c := &all[i]
		switch field := search.PlainName(c.Field); {
		case field == typeField && (c.Condition == "" || c.Condition == search.Equal):
			names := map[string]bool{}
			for _, v := range c.Values {
				names[search.TypeName(v)] = true
			}
			out = append(out, func(u urn.URN) bool { return names[search.TypeName(u.Type())] != c.Negated })
		case field == urnField && (c.Condition == "" || c.Condition == search.Equal):
			named := map[string]bool{}
			for _, v := range c.Values {
				named[v] = true
			}
			out = append(out, func(u urn.URN) bool { return named[string(u)] != c.Negated })
		case field == urnField && c.Condition == search.Prefix:
			begins := func(u urn.URN) bool {
				return slices.ContainsFunc(c.Values, func(v string) bool { return strings.HasPrefix(string(u), v) })
			}
			out = append(out, func(u urn.URN) bool { return begins(u) != c.Negated })
		case c.Negated == (c.Condition == search.IsNull):
			return nil, false
		}
	}
	return out, true
}

func (r *preparedReference) holdsBare(u urn.URN) bool {
	return slices.ContainsFunc(r.bare, func(all bareAlternative) bool {
		return !slices.ContainsFunc(all, func(holds func(urn.URN) bool) bool { return !holds(u) })
	})
}

// visibleSets are the documents of each segment that an actor may see, deleted ones
// included; nil where that is everything.
func (x *Index) visibleSets(ctx context.Context, v *version, by *preparedVisible) []*bitmap {
	if by == nil {
		return nil
	}
	if by.joins && by.key != "" {
		if sets := v.joined.get(by.key); sets != nil {
			return sets
		}
	}
	sets := make([]*bitmap, len(v.segments))
	joins := joinEval{ctx: ctx, v: v, where: map[*preparedReference][]*bitmap{}}
	for i, view := range v.segments {
		made := func() *bitmap { return view.segment.unionOf(ctx, by.filter, &joins) }
		if by.key == "" || by.joins {
			sets[i] = made()
			continue
		}
		sets[i] = view.queryCache.cachedSet(ctx, "visible "+by.key, made)
	}
	if by.joins && by.key != "" && ctx.Err() == nil {
		v.joined.put(by.key, sets)
	}
	return sets
}

// unionOf is the set of documents for which an alternative holds. It caches no set of
// a single criterion: there may be thousands, and the whole is cached.
func (s *segment) unionOf(ctx context.Context, f preparedFilter, joins *joinEval) *bitmap {
	types := map[string]*bitmap{}
	match := func(c *preparedCriterion) *bitmap {
		if c.to != nil {
			return joins.match(s, c)
		}
		if c.Field != typeField {
			return s.match(ctx, c)
		}
		set, ok := types[c.key]
		if !ok {
			set = s.match(ctx, c)
			types[c.key] = set
		}
		return set
	}
	any := make([]*bitmap, 0, min(len(f), unionBatch))
	for _, alternative := range f {
		if ctx.Err() != nil {
			break
		}
		if set := s.intersection(alternative, match); !set.IsEmpty() {
			any = append(any, set)
		}
		if len(any) == unionBatch {
			any = append(any[:0], roaring.FastOr(any...))
		}
	}
	return roaring.FastOr(any...)
}

// intersection is the set of documents for which all criteria hold.
func (s *segment) intersection(all []preparedCriterion, match func(*preparedCriterion) *bitmap) *bitmap {
	var set *bitmap
	for i := range all {
		matched := match(&all[i])
		switch {
		case all[i].Negated && set == nil:
			set = roaring.New()
			set.AddRange(0, uint64(s.n))
			set.AndNot(matched)
		case all[i].Negated:
			set = roaring.AndNot(set, matched)
		case set == nil:
			set = matched
		default:
			set = roaring.And(set, matched)
		}
		if set.IsEmpty() {
			return set
		}
	}
	if set == nil {
		set = roaring.New()
		set.AddRange(0, uint64(s.n))
	}
	return set
}

// joinEval finds what holds for entities that documents name, in one version.
type joinEval struct {
	ctx   context.Context
	v     *version
	where map[*preparedReference][]*bitmap // by segment
}

// match is the set of documents of a segment that name entities as a criterion asks.
func (j *joinEval) match(s *segment, c *preparedCriterion) *bitmap {
	fits, fails := &setBuilder{n: s.n}, &setBuilder{n: s.n}
	for _, p := range c.places {
		named := s.column(p.column)
		if named == nil || named.text == nil || p.key != "" {
			continue
		}
		for it := named.text.from(0); it.next() && !cancelled(j.ctx, it.index); {
			if j.holds(c.to, urn.URN(it.text)) {
				fits.add(named.lists.at(it.index))
			} else if c.to.All {
				fails.add(named.lists.at(it.index))
			}
		}
	}
	if !c.to.All {
		return fits.set()
	}
	return roaring.AndNot(fits.set(), fails.set())
}

// holds tells whether an entity fits a reference.
func (j *joinEval) holds(to *preparedReference, u urn.URN) bool {
	part, doc, ok := j.v.find(u)
	if !ok {
		return !to.Stored && to.holdsBare(u)
	}
	sets := j.where[to]
	if sets == nil {
		sets = make([]*bitmap, len(j.v.segments))
		j.where[to] = sets
	}
	if sets[part] == nil {
		sets[part] = j.v.segments[part].unionOf(j.ctx, to.where, j)
	}
	return sets[part].Contains(doc)
}

// maxJoined bounds the sets that a version keeps.
const maxJoined = 32

// joinedSets keeps sets that depend on all segments of a version, by segment.
type joinedSets struct {
	mu    sync.Mutex
	byKey map[string][]*bitmap
}

func (j *joinedSets) get(key string) []*bitmap {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.byKey[key]
}

func (j *joinedSets) put(key string, sets []*bitmap) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.byKey == nil || len(j.byKey) >= maxJoined {
		j.byKey = map[string][]*bitmap{}
	}
	j.byKey[key] = sets
}

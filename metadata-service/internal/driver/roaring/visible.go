package roaring

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The visibility filter of an actor can have any size, and comes with every query of the actor. It
// is prepared once, and its set is computed once per segment. Conditions on entities that documents
// name are evaluated once per version, as these entities may be in other segments; the document
// numbers of the named entities are cached.

// preparedVisible is a prepared visibility filter.
type preparedVisible struct {
	key    string         // empty for a filter that is not cached
	filter preparedFilter // alternatives about the documents themselves
	joins  preparedFilter // alternatives with conditions on entities that documents name
}

// preparedReference is a prepared search.Reference.
type preparedReference struct {
	search.Reference
	where preparedFilter
	// bare holds the alternatives that can match an entity without a document.
	bare []bareAlternative
	key  string // cache key of the set of Where, empty if it is not cached
}

// maxPrepared is the maximum number of prepared filters that are cached.
const maxPrepared = 64

// readyFilters caches prepared filters of actors by their keys.
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

// prepareVisible prepares a visibility filter; it returns nil for an empty one. The limits for
// filters of callers also apply to a filter without a key.
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
	keys, references := keySet{}, 0
	all, err := x.prepareAlternatives(f, keys, func(c search.Criterion) (preparedCriterion, error) {
		if c.To == nil {
			return x.prepareCriterion(c)
		}
		to, err := x.prepareReference(c.To, keys)
		if err == nil && key != "" {
			to.key = fmt.Sprintf("named %d by %s", references, key)
		}
		references++
		return preparedCriterion{Criterion: c, places: x.schemas.resolve(c.Field), to: to}, err
	})
	if err != nil {
		return nil, err
	}
	for _, alternative := range all {
		if slices.ContainsFunc(alternative, func(c preparedCriterion) bool { return c.to != nil }) {
			out.joins = append(out.joins, alternative)
		} else {
			out.filter = append(out.filter, alternative)
		}
	}
	if key != "" {
		x.visible.put(out)
	}
	return out, nil
}

// keySet deduplicates equal keys: alternatives mostly begin with the same criterion.
type keySet map[string]string

func (s keySet) intern(key string) string {
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
			ready.key = keys.intern(ready.key)
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

// bareAlternative is an alternative for entities without a document.
type bareAlternative []func(u urn.URN) bool

// newBareAlternative converts the criteria on type and URN. With a criterion on another field the
// alternative cannot match.
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
		default:
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

// visibleSets returns the live documents of each segment that an actor may see; nil if there is no
// restriction.
func (x *Index) visibleSets(ctx context.Context, v *version, by *preparedVisible) []*bitmap {
	if by == nil {
		return nil
	}
	if len(by.joins) > 0 && by.key != "" {
		if sets := v.joined.get(by.key); sets != nil {
			return sets
		}
	}
	sets := make([]*bitmap, len(v.segments))
	joins := joinEval{ctx: ctx, v: v, where: map[*preparedReference][]*bitmap{}}
	for i, view := range v.segments {
		made := func() *bitmap {
			set := view.segment.union(ctx, "visible "+by.key, by.key != "", by.filter)
			if len(by.joins) > 0 {
				set = or(set, view.segment.unionOf(ctx, by.joins, &joins))
			}
			if view.deleted != nil {
				set = andNot(set, view.deleted)
			}
			return set
		}
		if by.inBase() {
			sets[i] = view.cache.visibleSet(ctx, by.key, made)
		} else {
			sets[i] = made()
		}
	}
	if len(by.joins) > 0 && by.key != "" && ctx.Err() == nil {
		v.joined.put(by.key, sets)
	}
	return sets
}

// union returns the documents that match an alternative of plain criteria. If remember is set, it
// caches them under the key.
func (s *segment) union(ctx context.Context, key string, remember bool, f preparedFilter) *bitmap {
	made := func() *bitmap { return s.unionOf(ctx, f, nil) }
	if !remember {
		return made()
	}
	return s.queryCache.cachedSet(ctx, key, made)
}

// unionOf returns the documents that match an alternative. It does not cache the sets of single
// criteria: there may be thousands, and the whole set is cached.
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
		if ended(ctx) {
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

// intersection returns the documents that match all criteria.
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

// joinEval evaluates conditions on entities that documents name, in one version.
type joinEval struct {
	ctx   context.Context
	v     *version
	where map[*preparedReference][]*bitmap // by segment
}

// match returns the documents of a segment that name entities matching a criterion.
func (j *joinEval) match(s *segment, c *preparedCriterion) *bitmap {
	fits, fails := &setBuilder{n: s.n}, &setBuilder{n: s.n}
	for _, p := range c.places {
		named := s.column(p.column)
		if named == nil || named.text == nil || p.key != "" {
			continue
		}
		j.each(s, p.column, named, c.to, func(i int, fit bool) {
			switch {
			case fit:
				fits.add(named.lists.at(i))
			case c.to.All:
				fails.add(named.lists.at(i))
			}
		})
	}
	if !c.to.All {
		return fits.set()
	}
	return roaring.AndNot(fits.set(), fails.set())
}

// each reports for each value of a column whether the entity that it names matches.
func (j *joinEval) each(s *segment, name string, named *column, to *preparedReference, visit func(i int, fit bool)) {
	where := j.whereOf(to)
	places := make([]map[uint32]uint32, len(j.v.segments))
	for part := range j.v.segments {
		if ended(j.ctx) {
			return
		}
		places[part] = s.queryCache.namedIn(name, named, j.v.segments[part].segment)
	}
	for it := named.text.from(0); it.next() && !cancelled(j.ctx, it.index); {
		fit, found := false, false
		for part := len(places) - 1; part >= 0 && !found; part-- {
			doc, known := places[part][uint32(it.index)]
			if found = known && j.v.segments[part].isLive(doc); found {
				fit = where[part].Contains(doc)
			}
		}
		if !found && !to.Stored {
			fit = to.holdsBare(urn.URN(it.text))
		}
		visit(it.index, fit)
	}
}

// whereOf returns the documents that match a reference, by segment.
func (j *joinEval) whereOf(to *preparedReference) []*bitmap {
	sets := j.where[to]
	if sets == nil {
		sets = make([]*bitmap, len(j.v.segments))
		for i, view := range j.v.segments {
			sets[i] = view.segment.union(j.ctx, to.key, to.key != "", to.where)
		}
		j.where[to] = sets
	}
	return sets
}

// namedKey is a column of one segment, and the id of another segment.
type namedKey struct {
	column string
	in     uint64
}

// maxNamed limits the cached lookups between segments, as merges create new segments all the time.
const maxNamed = 4 * maxSegments

// namedIn returns the documents of a segment that the values of a column of this segment name, by
// value. The result is cached, since neither segment ever changes.
func (d *segmentCache) namedIn(name string, named *column, in *segment) map[uint32]uint32 {
	key := namedKey{name, in.id}
	d.mu.Lock()
	docs, ok := d.named[key]
	d.mu.Unlock()
	if ok {
		return docs
	}
	docs = map[uint32]uint32{}
	if in.n < named.len() {
		for it := in.urns.from(0); it.next(); {
			if i, ok := named.find(string(it.text)); ok {
				docs[uint32(i)] = uint32(it.index)
			}
		}
	} else {
		for it := named.text.from(0); it.next(); {
			if doc, ok := in.find(urn.URN(it.text)); ok {
				docs[uint32(it.index)] = doc
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.named == nil || len(d.named) >= maxNamed {
		d.named = map[namedKey]map[uint32]uint32{}
	}
	d.named[key] = docs
	return docs
}

// maxJoined is the maximum number of sets that a version caches.
const maxJoined = 32

// joinedSets caches sets that depend on all segments of a version, by segment.
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

package discover

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// toParents are the relationships from a child to its parent: IsChildOf between knowledge
// documents, and IsPartOf in all other hierarchies.
var toParents = []string{"IsPartOf", "IsChildOf"}

// hierarchies holds the parts of the entity hierarchies that the filters of one request need.
// Ancestors and descendants shared by several values are looked up once.
type hierarchies struct {
	*Service
	parents  map[urn.URN]urn.URN // by entity, empty for none
	children map[urn.URN][]urn.URN
}

const (
	// lookupsAtOnce is the number of entities looked up between two points at which other requests
	// get a turn.
	lookupsAtOnce = 256
	// perLookup is the approximate processor time of a lookup.
	perLookup = 8 * time.Microsecond
)

// work yields to other requests and reserves the processor time of some lookups. It fails when ctx
// ends.
func (h *hierarchies) work(ctx context.Context, lookups int) error {
	idle.Yield(ctx)
	if h.Work != nil {
		return h.Work(ctx, perLookup*time.Duration(lookups))
	}
	return ctx.Err()
}

// loadAbove looks up all ancestors of some entities.
func (h *hierarchies) loadAbove(ctx context.Context, level []urn.URN) error {
	for len(level) > 0 {
		var keys []store.Key
		var next []urn.URN
		for _, u := range level {
			if _, known := h.parents[u]; known {
				continue
			}
			h.parents[u] = ""
			if place, ok := model.ParentOf(u.Type()); ok {
				keys = append(keys, store.Key{URN: u, Aspect: place.Aspect})
			}
		}
		for part := range slices.Chunk(keys, lookupsAtOnce) {
			if err := h.work(ctx, len(part)); err != nil {
				return err
			}
			records, err := h.Catalog.Latest(ctx, part...)
			if err != nil {
				return err
			}
			for i, rec := range records {
				if rec == nil {
					continue
				}
				value, err := jsontree.DecodeObject(rec.Value)
				if err != nil {
					return err
				}
				place, _ := model.ParentOf(part[i].URN.Type())
				if parent := place.In(value); parent != "" {
					h.parents[part[i].URN] = parent
					next = append(next, parent)
				}
			}
		}
		level = next
	}
	return nil
}

// loadBelow looks up all descendants of some entities that are part of a hierarchy themselves. It
// stops early when there are more than a filter may have values.
func (h *hierarchies) loadBelow(ctx context.Context, level []urn.URN) error {
	steps := []graph.Step{{Direction: graph.Incoming, Types: toParents}}
	for len(level) > 0 && len(h.children) <= search.MaxValues {
		var fresh, next []urn.URN
		for _, u := range level {
			if _, known := h.children[u]; !known {
				h.children[u] = nil
				fresh = append(fresh, u)
			}
		}
		for part := range slices.Chunk(fresh, lookupsAtOnce) {
			if err := h.work(ctx, len(part)); err != nil {
				return err
			}
			visited := 0
			err := h.Graph.Expand(ctx, part, steps, func(node int, e *model.Edge) bool {
				if _, inHierarchy := model.ParentOf(e.Source.Type()); inHierarchy {
					h.children[part[node]] = append(h.children[part[node]], e.Source)
					next = append(next, e.Source)
				}
				visited++
				return len(next) <= search.MaxValues
			})
			if err == nil {
				err = h.work(ctx, visited/2)
			}
			if err != nil {
				return err
			}
		}
		level = next
	}
	return nil
}

// expandHierarchies replaces the conditions on hierarchies, which the index does not support, by
// lists of URNs. The URNs looked up count towards the maximum number of values of all filters
// together.
func (s *Service) expandHierarchies(ctx context.Context, filters []search.Filter, types []string) ([]search.Filter, error) {
	size := search.SizeOf(filters...)
	if err := size.Check(); err != nil {
		return nil, err
	}
	h := &hierarchies{Service: s, parents: map[urn.URN]urn.URN{}, children: map[urn.URN][]urn.URN{}}
	var above, below []urn.URN
	for _, c := range criteria(filters...) {
		up, down := walkDirections(c.Condition)
		for _, v := range c.Values {
			if up {
				above = append(above, urn.URN(v))
			}
			if down {
				below = append(below, urn.URN(v))
			}
		}
	}
	if err := h.loadAbove(ctx, above); err != nil {
		return nil, err
	}
	if err := h.loadBelow(ctx, below); err != nil {
		return nil, err
	}
	out := make([]search.Filter, len(filters))
	for i, filter := range filters {
		out[i] = make(search.Filter, len(filter))
		for j, alternative := range filter {
			for _, c := range alternative {
				if search.PlainName(c.Field) == entityField && !s.fields.has(types, entityField) {
					c.Field = typeField
				}
				expanded, err := h.expand(ctx, c, &size)
				if err != nil {
					return nil, err
				}
				out[i][j] = append(out[i][j], expanded)
			}
		}
	}
	return out, nil
}

// walkDirections reports whether a condition selects ancestors of its values (up) and descendants
// (down).
func walkDirections(c search.Condition) (up, down bool) {
	return c == AncestorsIncl || c == RelatedIncl, c == DescendantsIncl || c == RelatedIncl
}

// expand adds the ancestors and descendants of the values of a criterion to these values, and to
// the size.
func (h *hierarchies) expand(ctx context.Context, c search.Criterion, size *search.FilterSize) (search.Criterion, error) {
	if c.Condition == In {
		c.Condition = search.Equal
	}
	up, down := walkDirections(c.Condition)
	if !up && !down {
		return c, nil
	}
	if err := ctx.Err(); err != nil {
		return c, err
	}
	values := append([]string(nil), c.Values...)
	given, added := make(map[urn.URN]bool, len(values)), map[urn.URN]bool{}
	for _, v := range values {
		given[urn.URN(v)] = true
	}
	add := func(u urn.URN) bool {
		if !given[u] && !added[u] {
			added[u] = true
			values = append(values, string(u))
		}
		return size.Values+len(added) <= search.MaxValues
	}
	// An entity found again needs no further walk, because the first visit continued from it.
	climbed, descended := map[urn.URN]bool{}, map[urn.URN]bool{}
	room := true
	for _, v := range c.Values {
		for u := urn.URN(v); up && room && u != "" && !climbed[u]; u = h.parents[u] {
			climbed[u], room = true, add(u)
		}
		for open := []urn.URN{urn.URN(v)}; down && room && len(open) > 0; {
			u := open[len(open)-1]
			if open = open[:len(open)-1]; !descended[u] {
				descended[u], room = true, add(u)
				open = append(open, h.children[u]...)
			}
		}
	}
	if size.Values += len(added); !room {
		return c, fault.New(fault.Malformed, "filter on %s: with the entities above and below, there are more than %d values; name a smaller part", c.Field, search.MaxValues)
	}
	return search.Criterion{Field: c.Field, Condition: search.Equal, Values: values, Negated: c.Negated}, nil
}

package discover

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// isPartOf is the edge from a child to its parent in all hierarchies.
const isPartOf = "IsPartOf"

// Limits of hierarchies. Larger ones are refused, not cut.
const (
	maxAncestors   = 100
	maxDescendants = search.MaxValues
)

// parent reads the parent of an entity in its hierarchy, empty for none.
func (s *Service) parent(ctx context.Context, u urn.URN) (urn.URN, error) {
	place, ok := model.ParentOf(u.Type())
	if !ok {
		return "", nil
	}
	records, err := s.Catalog.Latest(ctx, store.Key{URN: u, Aspect: place.Aspect})
	if err != nil || records[0] == nil {
		return "", err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return "", err
	}
	return place.In(value), nil
}

// ancestors lists what lies above an entity, nearest first. A cycle ends it.
func (s *Service) ancestors(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	seen := map[urn.URN]bool{u: true}
	var chain []urn.URN
	for len(chain) < maxAncestors {
		parent, err := s.parent(ctx, u)
		if err != nil || parent == "" || seen[parent] {
			return chain, err
		}
		seen[parent] = true
		chain = append(chain, parent)
		u = parent
	}
	return chain, nil
}

// descendants lists what lies below an entity among entities that form a
// hierarchy with it.
func (s *Service) descendants(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	seen := map[urn.URN]bool{u: true}
	var below []urn.URN
	steps := []graph.Step{{Direction: graph.Incoming, Types: []string{isPartOf}}}
	for level := []urn.URN{u}; len(level) > 0; {
		var next []urn.URN
		err := s.Graph.Expand(ctx, level, steps, func(_ int, e *model.Edge) bool {
			if _, inHierarchy := model.ParentOf(e.Source.Type()); inHierarchy && !seen[e.Source] {
				seen[e.Source] = true
				next = append(next, e.Source)
			}
			return len(seen) <= maxDescendants
		})
		if err != nil {
			return nil, err
		}
		below = append(below, next...)
		if len(below) >= maxDescendants {
			return nil, fault.New(fault.Malformed, "%s has more than %d entities below it; name a smaller part", u, maxDescendants)
		}
		level = next
	}
	return below, nil
}

// expandHierarchies replaces the conditions on hierarchies, which the index does
// not know, by lists of URNs. What is looked up counts, together, as values of the
// filters: the limit is met before more is looked up.
func (s *Service) expandHierarchies(ctx context.Context, filters []search.Filter, types []string) ([]search.Filter, error) {
	size := search.SizeOf(filters...)
	out := make([]search.Filter, len(filters))
	for i, filter := range filters {
		out[i] = make(search.Filter, len(filter))
		for j, alternative := range filter {
			for _, c := range alternative {
				if search.PlainName(c.Field) == entityField && !s.fields.has(types, entityField) {
					c.Field = typeField
				}
				expanded, err := s.expandHierarchy(ctx, c, &size)
				if err != nil {
					return nil, err
				}
				out[i][j] = append(out[i][j], expanded)
			}
		}
	}
	return out, nil
}

// expandHierarchy adds what lies above and below the values of a criterion to
// them, and to the size.
func (s *Service) expandHierarchy(ctx context.Context, c search.Criterion, size *search.FilterSize) (search.Criterion, error) {
	if c.Condition == In {
		c.Condition = search.Equal
	}
	up := c.Condition == AncestorsIncl || c.Condition == RelatedIncl
	down := c.Condition == DescendantsIncl || c.Condition == RelatedIncl
	if !up && !down {
		return c, nil
	}
	values := append([]string(nil), c.Values...)
	for _, v := range c.Values {
		var related []urn.URN
		if up {
			above, err := s.ancestors(ctx, urn.URN(v))
			if err != nil {
				return c, err
			}
			related = append(related, above...)
		}
		if down {
			below, err := s.descendants(ctx, urn.URN(v))
			if err != nil {
				return c, err
			}
			related = append(related, below...)
		}
		for _, u := range related {
			values = append(values, string(u))
		}
		if size.Values += len(related); size.Values > search.MaxValues {
			return c, fault.New(fault.Malformed, "filter on %s: with the entities above and below, there are %d values, at most %d are allowed; name a smaller part",
				c.Field, size.Values, search.MaxValues)
		}
	}
	return search.Criterion{Field: c.Field, Condition: search.Equal, Values: values, Negated: c.Negated}, nil
}

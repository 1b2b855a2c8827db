package policy

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// The scope of a token also limits search results. Its criteria on types decide about whole types,
// as in a check of a type; the other criteria become a filter of the index.

// maxSplit limits the criteria of a scope that create two alternatives each.
const maxSplit = 4

// outsideIndex reports whether the index cannot determine which entities of a type a scope permits.
// This is the case for entities that follow others, if the scope has criteria other than on types.
// For columns, and for entities about assets, the index only lacks the entities that NOT_EQUALS
// excludes because of their datasets or assets.
func outsideIndex(entityType string, beyond []criterion) bool {
	switch entityType {
	case queryEntity, documentEntity:
		return len(beyond) > 0
	case columnEntity:
		return excludes(beyond)
	}
	return document.SubjectsAspect(entityType) != "" && excludes(beyond)
}

func excludes(beyond []criterion) bool {
	return slices.ContainsFunc(beyond, func(c criterion) bool { return c.condition == notEquals })
}

// scopeParts holds variants of a scope that keep different criteria. Each keeps the privileges of
// the scope.
type scopeParts struct {
	privileges *auth.Scope // without criteria
	types      *auth.Scope // with the criteria on entity types
	others     *auth.Scope // with all other criteria
	excluding  *auth.Scope // with those of the other criteria that have NOT_EQUALS
}

func splitScope(scope *auth.Scope) *scopeParts {
	part := func(keep func(c auth.Criterion) bool) *auth.Scope {
		out := &auth.Scope{ReadOnly: scope.ReadOnly, Privileges: scope.Privileges}
		for _, c := range scope.Resources {
			if keep(c) {
				out.Resources = append(out.Resources, c)
			}
		}
		return out
	}
	ofTypes := func(c auth.Criterion) bool { return c.Field == auth.FieldType }
	return &scopeParts{
		privileges: part(func(auth.Criterion) bool { return false }),
		types:      part(ofTypes),
		others:     part(func(c auth.Criterion) bool { return !ofTypes(c) }),
		excluding:  part(func(c auth.Criterion) bool { return !ofTypes(c) && c.Condition == auth.NotEquals }),
	}
}

// beyondTypes returns the criteria of a scope on single entities. bounded is false if their filter
// would be too long.
func beyondTypes(scope *auth.Scope) (criteria []criterion, bounded bool) {
	if scope == nil {
		return nil, true
	}
	split := 0
	for _, c := range scope.Resources {
		on := fields[string(c.Field)]
		if on == typeOf {
			continue
		}
		by, known := conditions[string(c.Condition)]
		if !known {
			by = unknownCondition
		}
		criteria = append(criteria, newCriterion(on, by, c.Values))
		if hierarchical[on] != nil {
			split++
		}
	}
	return criteria, split <= maxSplit
}

// narrowed returns the view restricted to entities of some types that also meet further criteria.
// If an entity is visible through another one, that one must meet them.
func (v view) narrowed(by []criterion, types []string) view {
	if len(by) == 0 {
		return v
	}
	f := v.filter
	if f == nil {
		f = search.Filter{{ofTypes(types)}}
	}
	var out search.Filter
	for _, alternative := range f {
		out = append(out, narrowedAlternative(alternative, by, types)...)
	}
	if len(out) == 0 {
		out = seesNothing()
	}
	return view{filter: out, key: keyOf(out)}
}

func narrowedAlternative(alternative []search.Criterion, by []criterion, types []string) search.Filter {
	last := alternative[len(alternative)-1]
	if last.To == nil {
		return withCriteria(search.Filter{alternative}, by, types)
	}
	to := *last.To
	if to.Where = withCriteria(to.Where, by, slices.Sorted(maps.Keys(followableTypes))); len(to.Where) == 0 {
		return nil
	}
	last.To = &to
	return search.Filter{append(slices.Clone(alternative[:len(alternative)-1]), last)}
}

// withCriteria returns a filter for entities that also meet the criteria.
func withCriteria(f search.Filter, by []criterion, types []string) search.Filter {
	for i := range by {
		f = conjunction(f, by[i].indexed(types))
	}
	return slices.Clip(f)
}

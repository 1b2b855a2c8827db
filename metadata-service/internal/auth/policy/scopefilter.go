package policy

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// The scope of a token narrows what is found as well. What it says of types
// decides about whole types, as a check of a type does; the rest is a filter of
// the index.

// maxSplit bounds the criteria of a scope that make two alternatives each.
const maxSplit = 4

// outsideIndex reports whether the index does not tell which entities of a type a scope with
// criteria beyond types permits: those that are read with others. Of columns, and of what is about
// assets, it tells all but what NOT_EQUALS excludes of their datasets or of these.
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

// scopeParts are parts of a scope by the criteria that they keep. Each part names the privileges
// of the scope.
type scopeParts struct {
	privileges *auth.Scope // none
	types      *auth.Scope // those of entity types
	others     *auth.Scope // all but those of entity types
	excluding  *auth.Scope // those of others with NOT_EQUALS
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

// beyondTypes is what a scope says of single entities. bounded is false when the
// filter made of it would be too long.
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

// narrowed is a view of some types of what meets further criteria, too. Where an entity
// is seen with another one, the other one has to meet them.
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
		return meeting(search.Filter{alternative}, by, types)
	}
	to := *last.To
	if to.Where = meeting(to.Where, by, slices.Sorted(maps.Keys(followed))); len(to.Where) == 0 {
		return nil
	}
	last.To = &to
	return search.Filter{append(slices.Clone(alternative[:len(alternative)-1]), last)}
}

// meeting is a filter of what meets criteria, too.
func meeting(f search.Filter, by []criterion, types []string) search.Filter {
	for i := range by {
		f = both(f, by[i].indexed(types))
	}
	return slices.Clip(f)
}

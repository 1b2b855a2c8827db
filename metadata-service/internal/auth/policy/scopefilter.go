package policy

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// The scope of a token narrows what is found as well. What it says of types
// decides about whole types, as a check of a type does; the rest is a filter of
// the index.

// maxSplit bounds the criteria of a scope that make two alternatives each.
const maxSplit = 4

// readByOthers are entity types whose entities are readable when others are. What
// a scope says of these is not in the index.
var readByOthers = map[string]bool{queryEntity: true, documentEntity: true}

// typeScope is what a scope says of privileges and entity types.
func typeScope(scope *auth.Scope) *auth.Scope {
	if scope == nil {
		return nil
	}
	out := &auth.Scope{ReadOnly: scope.ReadOnly, Privileges: scope.Privileges}
	for _, c := range scope.Resources {
		if c.Field == auth.FieldType {
			out.Resources = append(out.Resources, c)
		}
	}
	return out
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

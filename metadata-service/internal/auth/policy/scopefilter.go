package policy

import (
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

// narrowed is a filter that holds where another one, nil for everything, and some
// criteria do.
func narrowed(f search.Filter, by []criterion, types []string) search.Filter {
	if len(by) == 0 {
		return f
	}
	if f == nil {
		f = search.Filter{{ofTypes(types)}}
	}
	for i := range by {
		f = both(f, by[i].indexed(types))
	}
	if len(f) == 0 {
		return search.Filter{{ofTypes(nil)}}
	}
	return slices.Clip(f)
}

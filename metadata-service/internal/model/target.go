package model

import (
	"slices"
	"strings"
)

// AnyType means all entity types in lists of entity types.
const AnyType = "*"

// Targets returns the entity types that URNs at a path of the aspect may have: those of the URN
// rules of the path, otherwise the one of its type. The result is AnyType alone if the model names
// none, regardless of the usual types of a relationship. It is nil if the model does not define the
// values there as URNs. Paths are as in SearchField.
func (a *AspectSpec) Targets(path string) []string {
	t, rules := a.Record, a.rules
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		switch {
		case t == nil:
			return nil
		case step == "*" && (t.Shape == Array || t.Shape == Map):
			t, rules = t.Elem, rules.element()
		case t.Shape == RecordShape:
			f, _ := t.Field(step)
			t, rules = f.Type, rules.field(step)
		case t.Shape == Union:
			i := slices.IndexFunc(t.Members, func(m Member) bool { return m.Key == step })
			if i < 0 {
				return nil
			}
			t, rules = t.Members[i].Type, rules.field(step)
		default:
			return nil
		}
	}
	switch {
	case rules != nil && len(rules.types) > 0:
		return slices.Clone(rules.types)
	case t == nil || t.Addresses == "":
		return nil
	}
	return []string{t.Addresses}
}

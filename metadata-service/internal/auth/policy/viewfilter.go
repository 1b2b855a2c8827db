package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// indexed are the fields of the search index that hold the values of a field.
var indexed = [fieldCount]string{
	urnOf: "urn", domainOf: document.AncestorDomains, containerOf: document.AncestorContainers, ownerOf: document.AllOwners, tagOf: "tags",
	glossaryOf: document.AncestorTerms, instanceOf: "platformInstance", membershipOf: document.Groups,
}

// alternatives are those of a filter by which the actor sees entities of some
// types. The first criterion of each names the types it is for.
func (s *standing) alternatives(types []string) search.Filter {
	var u union
	seen := map[*Policy]bool{}
	for _, privilege := range slices.Sorted(maps.Keys(s.grants)) {
		concerned := slices.DeleteFunc(slices.Clone(types), func(t string) bool {
			return t == queryEntity || !slices.Contains(rowOf(t).read, privilege)
		})
		if len(concerned) == 0 {
			continue
		}
		g := s.grants[privilege]
		for _, p := range g.scoped {
			if !seen[p] || len(concerned) < len(types) {
				u.add(p.alternatives(concerned, nil)...)
			}
			seen[p] = seen[p] || len(concerned) == len(types)
		}
		for _, p := range g.owned {
			if !seen[p] || len(concerned) < len(types) {
				u.add(p.alternatives(concerned, s)...)
			}
			seen[p] = seen[p] || len(concerned) == len(types)
		}
	}
	if slices.Contains(types, account.EntityType) {
		u.add([]search.Criterion{ofTypes([]string{account.EntityType}), {Field: "urn", Values: []string{string(s.urn)}}})
	}
	return u.filter
}

// alternatives are a policy as a filter, for those of some types that it is about.
// With an owner they hold for what that owns.
func (p *Policy) alternatives(types []string, owning *standing) search.Filter {
	f := search.Filter{nil}
	if owning != nil {
		f[0] = []search.Criterion{{Field: document.AllOwners, Values: p.actors.ownersOf(owning.subject)}}
	}
	if p.resources != nil {
		for i := range p.resources.criteria {
			c := &p.resources.criteria[i]
			if c.field == typeOf {
				types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !c.holds([]string{t}) })
				continue
			}
			f = both(f, c.indexed(types))
		}
	}
	if len(types) == 0 {
		return nil
	}
	for i := range f {
		f[i] = append([]search.Criterion{ofTypes(types)}, f[i]...)
	}
	return f
}

// both is a filter for what two filters hold for. Few criteria of policies have
// more than one alternative, and none more than two.
func both(a, b search.Filter) search.Filter {
	var f search.Filter
	for _, left := range a {
		for _, right := range b {
			f = append(f, slices.Concat(left, right))
		}
	}
	return f
}

// indexed is the criterion as a filter of the search index for some types: one
// empty alternative when it holds for everything, none when for nothing.
func (c *criterion) indexed(types []string) search.Filter {
	values := slices.Sorted(maps.Keys(c.values))
	plain := search.Criterion{Field: indexed[c.field], Values: values}
	// Entities that are values of the field are values of themselves.
	self := slices.DeleteFunc(slices.Clone(hierarchical[c.field]), func(t string) bool { return !slices.Contains(types, t) })
	switch {
	case c.field == unknownField, c.condition == unknownCondition:
		return nil
	case c.condition == notEquals:
		if len(values) == 0 {
			return search.Filter{nil}
		}
		plain.Negated = true
		if len(self) == 0 {
			return search.Filter{{plain}}
		}
		return search.Filter{{plain, {Field: "urn", Values: values, Negated: true}}}
	case len(values) == 0:
		return nil
	case c.condition == startsWith:
		plain.Condition = search.Prefix
		if c.field == ownerOf {
			plain.Field = "owners" // other values of AllOwners begin with the type of an ownership
		}
	}
	if len(self) == 0 {
		return search.Filter{{plain}}
	}
	return search.Filter{{plain}, {ofTypes(self), {Field: "urn", Values: values, Condition: plain.Condition}}}
}

// ownersOf are the values of the field of owners by which an actor owns an entity
// in a way that the policy asks for.
func (a *actorFilter) ownersOf(s *subject) []string {
	names := []string{string(s.urn)}
	for _, g := range slices.Sorted(maps.Keys(s.groups)) {
		names = append(names, string(g))
	}
	if a.ownerTypes == nil {
		return names
	}
	typed := make([]string, 0, len(names)*len(a.ownerTypes))
	for _, t := range slices.Sorted(maps.Keys(a.ownerTypes)) {
		for _, name := range names {
			typed = append(typed, document.TypedOwner(string(t), name))
		}
	}
	return typed
}

// union collects alternatives. Those that differ in the values of one criterion
// are one: a thousand policies over a domain each stay within what a filter may hold.
type union struct {
	filter search.Filter
	places map[string]int
}

func (u *union) add(alternatives ...[]search.Criterion) {
	for _, alternative := range alternatives {
		u.addOne(alternative)
	}
}

func (u *union) addOne(alternative []search.Criterion) {
	if u.places == nil {
		u.places = map[string]int{}
	}
	key := strings.Join(alternative[0].Values, " ")
	if len(alternative) != 2 || alternative[1].Negated {
		u.filter = append(u.filter, alternative)
		return
	}
	key += "|" + alternative[1].Field + "|" + string(alternative[1].Condition)
	at, ok := u.places[key]
	if !ok {
		u.places[key] = len(u.filter)
		u.filter = append(u.filter, alternative)
		return
	}
	merged := &u.filter[at][1]
	for _, v := range alternative[1].Values {
		if !slices.Contains(merged.Values, v) {
			merged.Values = append(merged.Values, v)
		}
	}
}

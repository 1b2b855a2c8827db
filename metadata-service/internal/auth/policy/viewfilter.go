package policy

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// indexed maps a field to the field of the search index with its values.
var indexed = [fieldCount]string{
	urnOf: "urn", domainOf: document.AncestorDomains, containerOf: document.AncestorContainers, ownerOf: document.AllOwners, tagOf: "tags",
	glossaryOf: document.AncestorTerms, instanceOf: "platformInstance", membershipOf: document.Groups,
}

// view is the part of some types that an actor sees, as a filter of the index with a key for its
// content. A nil filter means all entities of the types.
type view struct {
	filter search.Filter
	key    string
}

// maxViews limits the cached filters of an actor, since clients choose the types.
const maxViews = 64

// viewCache caches filters by their types.
type viewCache struct {
	mu    sync.Mutex
	views map[string]view
}

// get returns the cached view of a key, or creates and caches it.
func (c *viewCache) get(key string, make func() search.Filter) view {
	c.mu.Lock()
	v, ok := c.views[key]
	c.mu.Unlock()
	if ok {
		return v
	}
	v.filter = make()
	v.key = keyOf(v.filter)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.views == nil || len(c.views) >= maxViews {
		c.views = map[string]view{}
	}
	c.views[key] = v
	return v
}

// keyOf returns a key for the content of a filter.
func keyOf(f search.Filter) string {
	h := sha256.New()
	hashFilter(h, f)
	return string(h.Sum(nil))
}

// hashFilter writes a filter unambiguously into a hash.
func hashFilter(h hash.Hash, f search.Filter) {
	_, _ = fmt.Fprintf(h, "%d", len(f))
	for _, alternative := range f {
		_, _ = fmt.Fprintf(h, "|%d", len(alternative))
		for i := range alternative {
			c := &alternative[i]
			_, _ = fmt.Fprintf(h, "&%q %q %t %d", c.Field, c.Condition, c.Negated, len(c.Values))
			for _, v := range c.Values {
				_, _ = fmt.Fprintf(h, " %d:%s", len(v), v)
			}
			if c.To != nil {
				_, _ = fmt.Fprintf(h, "=> %t %t ", c.To.All, c.To.Stored)
				hashFilter(h, c.To.Where)
			}
		}
	}
}

// view returns the part of some types that the actor sees; part lists the types that it sees in
// part. It is computed once per standing.
func (s *standing) view(e *Engine, types, part []string) view {
	views := slices.Contains(types, viewEntity) && !s.of(auth.ManageGlobalViews).always
	if len(part) == 0 && !views {
		return view{}
	}
	return s.views.get(strings.Join(types, " ")+"|"+strings.Join(part, " "), func() search.Filter { return s.makeFilter(e, types, part, views) })
}

func (s *standing) makeFilter(e *Engine, types, part []string, views bool) search.Filter {
	var f search.Filter
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return slices.Contains(part, t) || views && t == viewEntity })
	if len(rest) > 0 {
		f = append(f, []search.Criterion{ofTypes(rest)})
	}
	if views && !slices.Contains(part, viewEntity) {
		f = append(f, s.ownViews([]search.Criterion{ofTypes([]string{viewEntity})})...)
	}
	for _, alternative := range s.alternatives(e, part) {
		if views && slices.Contains(alternative[0].Values, viewEntity) {
			f = append(f, s.splitViews(alternative)...)
			continue
		}
		f = append(f, alternative)
	}
	if len(f) == 0 {
		return seesNothing()
	}
	return f
}

// seesNothing returns a filter that matches nothing, since every entity has a type.
func seesNothing() search.Filter { return search.Filter{{ofTypes(nil)}} }

// alternatives returns the alternatives of a filter for the entities of some types that the actor
// sees. The first criterion of each alternative names its types.
func (s *standing) alternatives(e *Engine, types []string) search.Filter {
	var u union
	plain := types
	if e.cfg.ViewAuthorization {
		// A query is visible through the assets that it reads, and never through facts about
		// itself.
		plain = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == queryEntity })
	}
	s.addGranted(&u, plain, askNamed, func(t string) []auth.Privilege { return privilege.ToRead(t) })
	if slices.Contains(types, account.EntityType) {
		u.add([]search.Criterion{ofTypes([]string{account.EntityType}), {Field: "urn", Values: []string{string(s.urn)}}})
	}
	return append(u.filter, s.following(e, types)...)
}

// addGranted adds the filters of the actor's policies for some types. The privileges that count
// depend on the type.
func (s *standing) addGranted(u *union, types []string, how naming, by func(entityType string) []auth.Privilege) {
	seen := map[*Policy]bool{}
	for _, privilege := range slices.Sorted(maps.Keys(s.grants)) {
		concerned := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !slices.Contains(by(t), privilege) || !s.permitsToRead(privilege, t) })
		if len(concerned) == 0 {
			continue
		}
		g := s.grants[privilege]
		unnamed := slices.DeleteFunc(slices.Clone(concerned), func(t string) bool { return s.mustNameToRead(privilege, t) })
		if g.always && len(unnamed) > 0 {
			u.add([]search.Criterion{ofTypes(unnamed)})
		}
		add := func(p *Policy, owning *standing) {
			over := slices.DeleteFunc(slices.Clone(concerned), func(t string) bool { return !slices.Contains(unnamed, t) && !p.namesResource(t) })
			if len(over) > 0 && (!seen[p] || len(over) < len(types)) {
				u.add(p.alternatives(over, owning, how)...)
			}
			seen[p] = seen[p] || len(over) == len(types)
		}
		for _, p := range g.scoped {
			add(p, nil)
		}
		for _, p := range g.owned {
			add(p, s)
		}
	}
}

// followableTypes holds the entity types that other entities can follow: those that describe data.
var followableTypes = dataTypes()

func dataTypes() map[string]bool {
	types := privilege.DataTypes()
	delete(types, columnEntity)
	delete(types, queryEntity)
	return types
}

// toReadSubject returns the privileges over an asset that permit reading entities of a type about
// it.
func toReadSubject(about, entityType string) []auth.Privilege {
	return alsoReadBy(writesAbout(about), entityType)
}

func alsoReadBy(p auth.Privilege, entityType string) []auth.Privilege {
	if p == "" {
		return privilege.ToRead(entityType)
	}
	return slices.Concat(privilege.ToRead(entityType), []auth.Privilege{p})
}

// writesAbout returns the privilege over an asset that permits writing entities of a type about it.
// It is empty if there is none.
func writesAbout(entityType string) auth.Privilege {
	if entityType == queryEntity {
		return auth.EditQueries
	}
	return privilege.OverNamed(document.SubjectsAspect(entityType))
}

// following returns the alternatives for entities that follow others.
func (s *standing) following(e *Engine, types []string) search.Filter {
	var f search.Filter
	follow := func(entityType, field string, to search.Reference, by func(string) []auth.Privilege) {
		if !slices.Contains(types, entityType) {
			return
		}
		if to.Where = s.overFollowed(e, to.All, by); len(to.Where) > 0 {
			f = append(f, []search.Criterion{ofTypes([]string{entityType}), {Field: field, To: &to}})
		}
	}
	read := func(t string) []auth.Privilege { return privilege.ToRead(t) }
	follow(columnEntity, document.ColumnOf, search.Reference{}, read)
	follow(documentEntity, document.StandsFor, search.Reference{Stored: true}, read)
	if e.cfg.ViewAuthorization {
		f = append(f, s.about(e, types)...)
	}
	return f
}

// about returns the alternatives for entities about assets that they name. Types without grants by
// a privilege of their own share one alternative.
func (s *standing) about(e *Engine, types []string) search.Filter {
	var f search.Filter
	var open []string
	by := map[auth.Privilege][]string{}
	for _, t := range types {
		about := model.SubjectsOf(t)
		if about.Aspect == "" || about.ByGrant {
			continue
		}
		if about.Open {
			open = append(open, t)
		}
		p := writesAbout(t)
		if s.of(p) == noGrants {
			p = ""
		}
		by[p] = append(by[p], t)
	}
	for _, p := range slices.Sorted(maps.Keys(by)) {
		to := search.Reference{All: true, Where: s.overFollowed(e, true, func(t string) []auth.Privilege { return alsoReadBy(p, t) })}
		if len(to.Where) > 0 {
			f = append(f, []search.Criterion{ofTypes(by[p]), {Field: document.Subjects, To: &to}})
		}
	}
	if len(open) > 0 {
		f = append(f, []search.Criterion{ofTypes(open), {Field: document.Subjects, Condition: search.IsNull}})
	}
	return f
}

// overFollowed returns a filter for the entities that others can follow. With open it includes the
// unrestricted types: this is for entities that require all assets that they name to be visible.
func (s *standing) overFollowed(e *Engine, open bool, by func(string) []auth.Privilege) search.Filter {
	var u union
	types := slices.Sorted(maps.Keys(followableTypes))
	if unrestricted := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !e.isUnrestricted(t) }); open && len(unrestricted) > 0 {
		u.add([]search.Criterion{ofTypes(unrestricted)})
	}
	s.addGranted(&u, types, leaveOutNaming, by)
	return u.filter
}

// alternatives returns a policy as a filter, for those of the given types to which it applies. With
// owning it matches the entities that this actor owns.
func (p *Policy) alternatives(types []string, owning *standing, how naming) search.Filter {
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
			if c.excludes() {
				types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == columnEntity }) // columns follow their datasets
			}
			f = conjunction(f, c.indexed(types))
		}
	}
	return p.excludingNamed(f, types, how)
}

// conjunction returns the conjunction of two filters. Few criteria of policies have more than one
// alternative, and none has more than two.
func conjunction(a, b search.Filter) search.Filter {
	var f search.Filter
	for _, left := range a {
		for _, right := range b {
			f = append(f, slices.Concat(left, right))
		}
	}
	return f
}

// indexed returns the criterion as a filter of the search index for some types. The filter has one
// empty alternative if it matches everything, and none if it matches nothing.
func (c *criterion) indexed(types []string) search.Filter {
	values := slices.Sorted(maps.Keys(c.values))
	plain := search.Criterion{Field: indexed[c.field], Values: values}
	// Entities that are values of the field count as their own values.
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

// ownersOf returns the values of the field of owners by which an actor owns an entity with a type
// of ownership that the policy accepts.
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

// union collects alternatives. It joins those that differ only in the values of one criterion: a
// thousand policies on one domain each become one list of a thousand domains.
type union struct {
	filter search.Filter
	places map[string]int
	values map[string]map[string]bool // values of joined alternatives
}

func (u *union) add(alternatives ...[]search.Criterion) {
	for _, alternative := range alternatives {
		u.addOne(alternative)
	}
}

func (u *union) addOne(alternative []search.Criterion) {
	if len(alternative) != 2 || alternative[1].Negated || alternative[1].To != nil {
		u.filter = append(u.filter, alternative)
		return
	}
	if u.places == nil {
		u.places, u.values = map[string]int{}, map[string]map[string]bool{}
	}
	by := alternative[1]
	key := strings.Join(alternative[0].Values, " ") + "|" + by.Field + "|" + string(by.Condition)
	at, ok := u.places[key]
	if !ok {
		at = len(u.filter)
		u.places[key], u.values[key] = at, map[string]bool{}
		u.filter = append(u.filter, []search.Criterion{alternative[0], {Field: by.Field, Condition: by.Condition}})
	}
	joined, known := &u.filter[at][1], u.values[key]
	for _, v := range by.Values {
		if !known[v] {
			known[v] = true
			joined.Values = append(joined.Values, v)
		}
	}
}

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
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// indexed are the fields of the search index that hold the values of a field.
var indexed = [fieldCount]string{
	urnOf: "urn", domainOf: document.AncestorDomains, containerOf: document.AncestorContainers, ownerOf: document.AllOwners, tagOf: "tags",
	glossaryOf: document.AncestorTerms, instanceOf: "platformInstance", membershipOf: document.Groups,
}

// view is what an actor sees of some types as a filter of the index, nil for all of
// them, with a name for its content.
type view struct {
	filter search.Filter
	key    string
}

// maxViews bounds the filters that are kept of an actor. Callers choose the types.
const maxViews = 64

// viewCache keeps filters by what they are made for.
type viewCache struct {
	mu    sync.Mutex
	views map[string]view
}

// get gives what was made for a key before, or makes it.
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

// keyOf is a name for the content of a filter.
func keyOf(f search.Filter) string {
	h := sha256.New()
	hashFilter(h, f)
	return string(h.Sum(nil))
}

// hashFilter writes a filter so that no other one reads the same.
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

// view is what the actor sees of some types, of which it sees some in part. It is made
// once for a standing.
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

// seesNothing holds for nothing: no entity is of no type.
func seesNothing() search.Filter { return search.Filter{{ofTypes(nil)}} }

// alternatives are those of a filter by which the actor sees entities of some
// types. The first criterion of each names the types it is for.
func (s *standing) alternatives(e *Engine, types []string) search.Filter {
	var u union
	plain := types
	if e.cfg.ViewAuthorization {
		// A query is read by what it asks, and by nothing that is said of itself.
		plain = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == queryEntity })
	}
	s.addGranted(&u, plain, askNamed, func(t string) []auth.Privilege { return rowOf(t).read })
	if slices.Contains(types, account.EntityType) {
		u.add([]search.Criterion{ofTypes([]string{account.EntityType}), {Field: "urn", Values: []string{string(s.urn)}}})
	}
	return append(u.filter, s.following(e, types)...)
}

// addGranted adds what the policies of the actor say about some types by privileges
// that depend on the type.
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

// followed are the entity types that others may be read with: those that describe data.
var followed = followedTypes()

func followedTypes() map[string]bool {
	types := maps.Clone(described)
	delete(types, columnEntity)
	delete(types, queryEntity)
	return types
}

// toReadSubject are the privileges over an asset by which entities of a type that are about it are read.
func toReadSubject(about, entityType string) []auth.Privilege {
	return alsoReadBy(writesAbout(about), entityType)
}

func alsoReadBy(p auth.Privilege, entityType string) []auth.Privilege {
	if p == "" {
		return rowOf(entityType).read
	}
	return slices.Concat(rowOf(entityType).read, []auth.Privilege{p})
}

// writesAbout is the privilege over an asset by which entities of a type that are about it are
// written, empty where there is none.
func writesAbout(entityType string) auth.Privilege {
	if entityType == queryEntity {
		return auth.EditQueries
	}
	return overNamed[document.SubjectsAspect(entityType)].Privilege
}

// following are the alternatives for entities that are read with others.
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
	read := func(t string) []auth.Privilege { return rowOf(t).read }
	follow(columnEntity, document.ColumnOf, search.Reference{}, read)
	follow(documentEntity, document.StandsFor, search.Reference{Stored: true}, read)
	if e.cfg.ViewAuthorization {
		f = append(f, s.about(e, types)...)
	}
	return f
}

// about are the alternatives for entities that are about assets which they name. Types of
// which the actor has no grants by a privilege of their own share one.
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

// overFollowed is a filter for what others may be read with. What everybody views
// counts if open is set: for entities that are about all assets that they name.
func (s *standing) overFollowed(e *Engine, open bool, by func(string) []auth.Privilege) search.Filter {
	var u union
	types := slices.Sorted(maps.Keys(followed))
	if unrestricted := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !e.isUnrestricted(t) }); open && len(unrestricted) > 0 {
		u.add([]search.Criterion{ofTypes(unrestricted)})
	}
	s.addGranted(&u, types, leaveOutNaming, by)
	return u.filter
}

// alternatives are a policy as a filter, for those of some types that it is about.
// With an owner they hold for what that owns.
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
				types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == columnEntity }) // read with their datasets
			}
			f = both(f, c.indexed(types))
		}
	}
	return p.excludingNamed(f, types, how)
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
// are one: a thousand policies over a domain each make a list of a thousand domains.
type union struct {
	filter search.Filter
	places map[string]int
	values map[string]map[string]bool // of joined alternatives
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

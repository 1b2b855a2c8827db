package policy

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A criterion with NOT_EQUALS excludes an entity together with everything that is about it.
// Incidents, assertions and contracts have no tags or domains of their own, so they would meet the
// criterion although their dataset does not. The entity must meet it, and so must all entities that
// it names, and for a column its dataset. A named entity that is not stored never meets such a
// criterion, nor does one that names further entities: only grants without NOT_EQUALS show an
// incident about a metric.

// excludes reports whether the criterion excludes entities by more than their type.
func (c *criterion) excludes() bool {
	return c.condition == notEquals && c.field > typeOf && len(c.values) > 0
}

// holdsForNamed reports whether an excluding criterion holds for all entities that a resource
// names.
func (q *question) holdsForNamed(c *criterion, r *resource) (bool, error) {
	if r.entityType == columnEntity {
		return q.holdsForWhole(c, r)
	}
	named, err := q.namedEntities(r.urn)
	if err != nil || q.asSubject && len(named) > 0 {
		return false, err
	}
	for _, u := range slices.Concat(named, r.names) {
		if met, err := q.holdsForOne(c, u); !met || err != nil {
			return false, err
		}
	}
	return true, nil
}

// holdsForWhole reports whether the criterion holds for the dataset of a column that is written.
// For reads, the dataset has already been checked.
func (q *question) holdsForWhole(c *criterion, r *resource) (bool, error) {
	whole := parentOf(r.urn)
	if whole == "" {
		return true, nil
	}
	found, err := q.facts.get(q.ctx, &resource{urn: whole, entityType: whole.Type(), domains: r.domains, deletedFirst: r.wholeDeletedFirst}, c.field)
	return err == nil && c.holds(found), err
}

// holdsForOne reports whether the criterion holds for an entity that another one names.
func (q *question) holdsForOne(c *criterion, u urn.URN) (bool, error) {
	if u.Key() == "" {
		return false, nil
	}
	further, err := q.namedEntities(u)
	if err != nil || len(further) > 0 {
		return false, err
	}
	r := &resource{urn: u, entityType: u.Type()}
	found, err := q.facts.get(q.ctx, r, c.field)
	if err != nil || !c.holds(found) {
		return false, err
	}
	return q.stored(r)
}

// namedEntities lists the entities that an entity is about or stands for, stored or not.
func (q *question) namedEntities(on urn.URN) ([]urn.URN, error) {
	if on.Type() != documentEntity {
		return q.subjectsOf(on)
	}
	source, err := q.sourceOf(on)
	if source == "" || err != nil {
		return nil, err
	}
	return []urn.URN{source}, nil
}

// excludedBy returns the fields of the named entities that may decide whether the actor holds one
// of the privileges over the entity.
func (q *question) excludedBy(needed []auth.Privilege, on urn.URN) need {
	return q.needsOf(needed, on, (*Policy).excluding)
}

// excluding returns the fields of the excluding criteria of a policy.
func (p *Policy) excluding() (n need) {
	if p.resources == nil {
		return 0
	}
	for i := range p.resources.criteria {
		if c := &p.resources.criteria[i]; c.excludes() {
			n |= needOf(c.field)
		}
	}
	return n
}

// namingAspects are the aspects with which entities name the entities that they are about or stand
// for.
var namingAspects = allNamingAspects()

func allNamingAspects() []string {
	aspects := set.Of([]string{"documentInfo", "subTypes"})
	for _, entityType := range entityTypes {
		for _, aspect := range model.SubjectsOf(entityType).Aspects() {
			aspects.Add(aspect)
		}
	}
	return aspects.List()
}

// naming selects how index filters treat entities that name others, for policies that exclude.
type naming int

const (
	// askNamed checks the named entities. Only search.Query.Visible may hold such a filter.
	askNamed naming = iota
	// leaveOutNaming excludes entities that name others.
	leaveOutNaming
	// ignoreNamed ignores the named entities. Such a filter is for counts, which show no entities.
	ignoreNamed
)

// excludingNamed restricts the alternatives of a policy to entities whose named entities the policy
// does not exclude. The alternatives are for the given types and have no criterion on types yet.
// Criteria on named entities are in second place, since a scope narrows the last criterion of an
// alternative.
func (p *Policy) excludingNamed(f search.Filter, types []string, how naming) search.Filter {
	var namers []string
	if how != ignoreNamed && p.excluding() != 0 {
		namers = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !mayName(t) })
	}
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return slices.Contains(namers, t) })
	var out search.Filter
	if len(rest) > 0 {
		out = append(out, startingWith(f, ofTypes(rest))...)
	}
	if len(namers) == 0 {
		return out
	}
	out = append(out, startingWith(f, slices.Concat([]search.Criterion{ofTypes(namers)}, namesNothing())...)...)
	if how == leaveOutNaming {
		return out
	}
	where := p.notExcluded()
	for _, field := range []string{document.Subjects, document.StandsFor} {
		some := slices.DeleteFunc(slices.Clone(namers), func(t string) bool { return (t == documentEntity) != (field == document.StandsFor) })
		if len(some) > 0 {
			to := search.Reference{Where: where, All: true, Stored: true}
			out = append(out, startingWith(f, ofTypes(some), search.Criterion{Field: field, To: &to})...)
		}
	}
	return out
}

// mayName reports whether entities of a type can name entities that they are about or stand for.
func mayName(entityType string) bool {
	return entityType == documentEntity || model.SubjectsOf(entityType).Aspect != ""
}

// mayNameStored reports whether a policy that excludes can refuse access to an entity because of
// the entities that it is about. An absent entity of that name is refused as well: the difference
// would reveal which entities exist.
func mayNameStored(u urn.URN) bool {
	return mayName(u.Type()) && (u.Type() != documentEntity || document.MayStandForAsset(u))
}

// namesNothing returns criteria for entities that are about no entity and stand for none.
func namesNothing() []search.Criterion {
	return []search.Criterion{{Field: document.Subjects, Condition: search.IsNull}, {Field: document.StandsFor, Condition: search.IsNull}}
}

// notExcluded returns a filter for entities of any type that the policy does not exclude and that
// name no others.
func (p *Policy) notExcluded() search.Filter {
	f := search.Filter{namesNothing()}
	for i := range p.resources.criteria {
		if c := &p.resources.criteria[i]; c.excludes() {
			f = conjunction(f, c.indexed(slices.Concat(slices.Collect(maps.Values(hierarchical))...)))
		}
	}
	return f
}

// startingWith returns a filter whose alternatives begin with the given criteria.
func startingWith(f search.Filter, first ...search.Criterion) search.Filter {
	out := make(search.Filter, len(f))
	for i := range f {
		out[i] = slices.Concat(first, f[i])
	}
	return out
}

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

// A criterion with NOT_EQUALS excludes an entity together with everything that is about it: incidents,
// assertions and contracts carry no tag or domain themselves, so they would meet the criterion where their
// dataset does not. The entity has to meet it and all entities that it names as well, a column with its
// dataset. A named entity that is not stored meets no such criterion, nor does one that names further
// entities itself: an incident about a metric is shown by grants without NOT_EQUALS alone.

// excludes reports whether the criterion leaves entities out by more than their type.
func (c *criterion) excludes() bool {
	return c.condition == notEquals && c.field > typeOf && len(c.values) > 0
}

// holdsForNamed reports whether an excluding criterion holds for all entities that a resource names.
func (q *question) holdsForNamed(c *criterion, r *resource) (bool, error) {
	if r.entityType == columnEntity {
		return q.holdsForWhole(c, r)
	}
	named, err := q.named(r.urn)
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

// holdsForWhole reports whether the criterion holds for the dataset of a column that is written. Reads of
// columns are decided by the dataset before.
func (q *question) holdsForWhole(c *criterion, r *resource) (bool, error) {
	whole := parentOf(r.urn)
	if whole == "" {
		return true, nil
	}
	found, err := q.facts.get(q.ctx, &resource{urn: whole, entityType: whole.Type(), domains: r.domains, anew: r.wholeAnew}, c.field)
	return err == nil && c.holds(found), err
}

// holdsForOne reports whether the criterion holds for an entity that another one names.
func (q *question) holdsForOne(c *criterion, u urn.URN) (bool, error) {
	if u.Key() == "" {
		return false, nil
	}
	further, err := q.named(u)
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

// named lists the entities that another one names as what it is about or stands for, stored or not.
func (q *question) named(on urn.URN) ([]urn.URN, error) {
	if on.Type() != documentEntity {
		return q.subjectsOf(on)
	}
	source, err := q.sourceOf(on)
	if source == "" || err != nil {
		return nil, err
	}
	return []urn.URN{source}, nil
}

// excludedBy are the fields of what an entity names that it may take to tell whether the actor holds one of
// some privileges over the entity.
func (q *question) excludedBy(needed []auth.Privilege, on urn.URN) need {
	return q.needsOf(needed, on, (*Policy).excluding)
}

// excluding are the fields of the excluding criteria of a policy.
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

// namingAspects are the aspects by which entities name what they are about or stand for.
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

// naming is how filters of the index treat entities that name others where a policy excludes.
type naming int

const (
	// askNamed asks about the named entities. Only search.Query.Visible may hold such a filter.
	askNamed naming = iota
	// leaveOutNaming leaves out entities that name others.
	leaveOutNaming
	// ignoreNamed takes entities by themselves: a filter for counts, which shows nothing.
	ignoreNamed
)

// excludingNamed makes alternatives of a policy for some types, given without the criterion on types, hold
// for those entities alone whose named entities the policy does not exclude. Criteria on named entities stand
// second, as the last one of an alternative is what a scope narrows.
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

// mayName reports whether entities of a type may name what they are about or stand for.
func mayName(entityType string) bool {
	return entityType == documentEntity || model.SubjectsOf(entityType).Aspect != ""
}

// mayNameStored reports whether an entity is refused where it is about what a policy excludes, so that an absent one
// of that name is refused as well: it would tell which there are.
func mayNameStored(u urn.URN) bool {
	return mayName(u.Type()) && (u.Type() != documentEntity || document.MayStandForAsset(u))
}

// namesNothing are criteria for entities that are about nothing and stand for nothing.
func namesNothing() []search.Criterion {
	return []search.Criterion{{Field: document.Subjects, Condition: search.IsNull}, {Field: document.StandsFor, Condition: search.IsNull}}
}

// notExcluded is a filter for entities of any type that the policy does not exclude and that name no others.
func (p *Policy) notExcluded() search.Filter {
	f := search.Filter{namesNothing()}
	for i := range p.resources.criteria {
		if c := &p.resources.criteria[i]; c.excludes() {
			f = both(f, c.indexed(slices.Concat(slices.Collect(maps.Values(hierarchical))...)))
		}
	}
	return f
}

// startingWith is a filter whose alternatives begin with further criteria.
func startingWith(f search.Filter, first ...search.Criterion) search.Filter {
	out := make(search.Filter, len(f))
	for i := range f {
		out[i] = slices.Concat(first, f[i])
	}
	return out
}

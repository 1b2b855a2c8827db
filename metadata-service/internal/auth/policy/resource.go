package policy

import (
	"context"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// resource is what a check is about: an entity, the entities of a type, or
// nothing when both are empty.
type resource struct {
	urn        urn.URN
	entityType string
	// within is the container of whatever entities of the type lie in it; urn is empty then.
	within urn.URN
	// domains are proposed for the entity in the same batch. They count where none are stored,
	// and in place of stored ones with after.
	domains []urn.URN
	after   bool
	// anew is set for an entity that the batch deletes before: it has no values but the domains. wholeAnew is set for a
	// column whose dataset the batch deletes before.
	anew, wholeAnew bool
	// names are further entities that it will name as what it is about.
	names []urn.URN
	// isPart is set for a column that is changed. It is in the domains of whole, its dataset,
	// whatever is stored about the column itself; in none where whole is empty. Domains are
	// those that the batch proposes for whole.
	isPart bool
	whole  urn.URN
	// storedOnly is set where the check creates nothing. What is not stored then meets no criterion with
	// NOT_EQUALS on a stored field: it would be told from entities that the criterion excludes.
	storedOnly bool
	// isRead is set where the check reads. A column meets no such criterion of a policy by itself then: it is
	// read with its dataset, which the criterion may exclude.
	isRead bool
}

func resourceOf(c *auth.Check, on urn.URN) resource {
	entityType := on.Type()
	if on.Key() == "" {
		return resource{entityType: entityType, within: c.Within}
	}
	r := resource{urn: on, entityType: entityType, domains: c.Domains, after: c.DomainsAfter, anew: c.Anew, wholeAnew: c.WholeAnew, names: c.Names, storedOnly: !mayCreate(c), isRead: c.Operation == auth.OpRead || c.Operation == auth.OpExists}
	switch {
	case entityType == columnEntity && c.Operation != auth.OpRead:
		if r.isPart, r.whole = true, model.ParentOfColumn(on); r.after {
			r.domains, r.after = nil, false // the dataset stays where it is
		}
	case document.MayStandForAsset(on) && !r.after:
		r.domains = nil // a batch could put what stands for an asset into another domain than the asset
	}
	return r
}

// mayCreate reports whether a check may be one of an entity that is not stored yet.
func mayCreate(c *auth.Check) bool {
	return c.Operation == auth.OpCreate || c.Operation == auth.OpUpdate || len(c.Domains) > 0 || c.DomainsAfter || slices.Contains(c.AnyOf, auth.CreateEntity)
}

func (r *resource) absent() bool { return r.entityType == "" }

// tells reports whether the values of a field are known: of entities that are not named, only their type
// and the container that they lie in.
func (r *resource) tells(on field) bool {
	return r.urn != "" || on == typeOf || on == containerOf && r.within != ""
}

// stored reports whether what the resource is of is stored: the entity, or the dataset of a column.
func (q *question) stored(r *resource) (bool, error) {
	of := r.urn
	if of.Type() == columnEntity {
		of = model.ParentOfColumn(of)
	}
	if of == "" {
		return false, nil
	}
	known := q.facts.of(of)
	if known.stored == unread {
		there, err := q.exists(of)
		if err != nil {
			return false, err
		}
		known.stored = isAbsent
		if there {
			known.stored = isStored
		}
	}
	return known.stored == isStored, nil
}

// presence is what is known of whether an entity is stored.
type presence uint8

const (
	unread presence = iota
	isAbsent
	isStored
)

// owner is an entry of the owners of an entity.
type owner struct{ urn, typeURN urn.URN }

// aspectsOf are the aspects that hold the values of a field.
var aspectsOf = [fieldCount][]string{
	domainOf: {"domains"}, containerOf: {"container"}, ownerOf: {"ownership"}, tagOf: {"globalTags"}, glossaryOf: {"glossaryTerms"},
	instanceOf: {"dataPlatformInstance"}, membershipOf: {groupMembership, nativeGroupMembership},
}

// hierarchical are the fields whose values bring along all that is above them,
// with the entity types that are values of themselves.
var hierarchical = map[field][]string{
	domainOf: {"domain"}, containerOf: {"container"}, glossaryOf: {"glossaryTerm", "glossaryNode"}, instanceOf: {"dataPlatformInstance"},
}

// facts are the values of fields of entities, read once for a request. It is safe
// for concurrent use.
type facts struct {
	engine *Engine
	mu     sync.Mutex
	// first are those of the first entity, the only one that most requests ask about.
	first    *entityFacts
	firstURN urn.URN
	known    map[urn.URN]*entityFacts
}

// entityFacts are the values of one entity, without what is above them, and whether it is stored.
type entityFacts struct {
	loaded need
	wanted need // that are about to be read
	values [fieldCount][]string
	owners []owner
	stored presence
	// hierarchy holds the values together with all above them.
	hierarchy [fieldCount][]string
}

// maxFacts bounds the entities whose facts a request keeps.
const maxFacts = 20_000

func (f *facts) of(u urn.URN) *entityFacts {
	if f.first == nil {
		f.first, f.firstURN = &entityFacts{}, u
	}
	if f.firstURN == u {
		return f.first
	}
	known := f.known[u]
	if known == nil {
		if len(f.known) >= maxFacts {
			clear(f.known)
		}
		if f.known == nil {
			f.known = map[urn.URN]*entityFacts{}
		}
		known = &entityFacts{}
		f.known[u] = known
	}
	return known
}

// need is a set of fields.
type need uint16

func (n need) has(f field) bool { return n&(1<<f) != 0 }

func needOf(f field) need { return 1 << f }

// reading is what is to be read of entities in one call.
type reading struct {
	keys   []model.Key
	places []place
}

// place is where a value goes.
type place struct {
	of    *entityFacts
	field field
}

// want adds fields of an entity, but for those that are known or wanted already.
func (r *reading) want(f *facts, u urn.URN, n need) {
	known := f.of(u)
	n &^= known.loaded | known.wanted
	known.wanted |= n
	for on := domainOf; n != 0 && on < fieldCount; on++ {
		if !n.has(on) {
			continue
		}
		for _, aspect := range aspectsOf[on] {
			if r.keys == nil {
				const usual = 4
				r.keys, r.places = make([]model.Key, 0, usual), make([]place, 0, usual)
			}
			r.keys, r.places = append(r.keys, model.Key{URN: u, Aspect: aspect}), append(r.places, place{known, on})
		}
	}
}

// load reads what is wanted.
func (f *facts) load(ctx context.Context, r *reading) error {
	records, err := f.engine.cfg.Rows.Get(ctx, r.keys...)
	for i, at := range r.places {
		at.of.wanted &^= needOf(at.field)
		if err == nil {
			err = at.of.add(at.field, records[i])
		}
	}
	return err
}

// textsAt are the places of the values of a field in its aspects, but for owners, who
// come with the types of their ownership.
var textsAt = [fieldCount][][]string{
	domainOf: {{"domains"}, {"domainAssociations", "domain"}}, containerOf: {{"container"}},
	tagOf: {{"tags", "tag"}}, glossaryOf: {{"terms", "urn"}}, instanceOf: {{"instance"}}, membershipOf: {{"groups"}, {"nativeGroups"}},
}

// add takes the values of a field out of one of its aspects, nil for one that is absent.
func (e *entityFacts) add(on field, rec *model.Record) error {
	e.loaded |= needOf(on)
	if rec == nil || on == membershipOf && rec.URN.Type() != account.EntityType {
		return nil
	}
	var found []string
	var err error
	for _, path := range textsAt[on] {
		if found, err = jsontree.AppendTextsAt(found, rec.Value, path...); err != nil {
			return err
		}
	}
	if on == ownerOf {
		if found, err = e.addOwners(rec.Value); err != nil {
			return err
		}
	}
	values := set.Of(e.values[on])
	for _, v := range found {
		if v != "" {
			values.Add(v)
		}
	}
	e.values[on] = values.List()
	return nil
}

// addOwners takes the owners with the types of their ownership, and gives their URNs.
func (e *entityFacts) addOwners(ownership []byte) (urns []string, err error) {
	value, err := jsontree.DecodeObject(ownership)
	for _, o := range jsontree.Children(value, "owners") {
		e.owners = append(e.owners, owner{urn.URN(jsontree.Text(o, "owner")), urn.URN(jsontree.Text(o, "typeUrn"))})
		urns = append(urns, jsontree.Text(o, "owner"))
	}
	return urns, err
}

// get gives the values of a field of a resource.
func (f *facts) get(ctx context.Context, r *resource, on field) ([]string, error) {
	switch {
	case on == typeOf:
		return []string{r.entityType}, nil
	case on == containerOf && r.within != "":
		return f.withAncestors(ctx, r, on, []string{string(r.within)})
	case r.urn == "":
		return nil, nil
	case on == urnOf:
		return []string{string(r.urn)}, nil
	}
	if on == domainOf && r.isPart {
		return f.get(ctx, &resource{urn: r.whole, entityType: r.whole.Type(), domains: r.domains, anew: r.wholeAnew}, on)
	}
	if r.anew {
		return f.getAnew(ctx, r, on)
	}
	known := f.of(r.urn)
	if !known.loaded.has(on) {
		var missing reading
		missing.want(f, r.urn, needOf(on))
		if err := f.load(ctx, &missing); err != nil {
			return nil, err
		}
	}
	if _, ok := hierarchical[on]; !ok {
		return known.values[on], nil
	}
	if on == domainOf && (r.after || len(r.domains) > 0 && len(known.values[on]) == 0) {
		return f.withAncestors(ctx, r, on, texts(r.domains))
	}
	if known.hierarchy[on] == nil {
		all, err := f.withAncestors(ctx, r, on, known.values[on])
		if err != nil {
			return nil, err
		}
		known.hierarchy[on] = all
	}
	return known.hierarchy[on], nil
}

// getAnew gives the values of a field of a resource that the batch creates again.
func (f *facts) getAnew(ctx context.Context, r *resource, on field) ([]string, error) {
	var values []string
	if on == domainOf {
		values = texts(r.domains)
	}
	if _, ok := hierarchical[on]; !ok {
		return values, nil
	}
	return f.withAncestors(ctx, r, on, values)
}

// withAncestors adds to the values of a field what is above them, and the entity
// itself where it is such a value. It is not nil. A cycle ends it.
func (f *facts) withAncestors(ctx context.Context, r *resource, on field, values []string) ([]string, error) {
	all := set.Of(make([]string, 0, len(values)+4))
	if r.urn != "" && slices.Contains(hierarchical[on], r.entityType) {
		values = append([]string{string(r.urn)}, values...)
	}
	for _, v := range values {
		for u := urn.URN(v); u != "" && all.Add(string(u)); {
			var err error
			if u, err = f.engine.parent(ctx, u); err != nil {
				return nil, err
			}
		}
	}
	return all.List(), nil
}

func texts(urns []urn.URN) []string {
	out := make([]string, len(urns))
	for i, u := range urns {
		out[i] = string(u)
	}
	return out
}

// parent gives what is right above an entity in its hierarchy, empty at the top.
func (e *Engine) parent(ctx context.Context, u urn.URN) (urn.URN, error) {
	place, ok := model.ParentOf(u.Type())
	if !ok {
		return "", nil
	}
	if parent, known := e.parents.Get(u); known {
		return parent, nil
	}
	mark := e.parents.Mark()
	values, err := objects(ctx, e.cfg.Rows, model.Key{URN: u, Aspect: place.Aspect})
	if err != nil {
		return "", err
	}
	parent := place.In(values[0])
	e.parents.Put(mark, u, parent)
	return parent, nil
}

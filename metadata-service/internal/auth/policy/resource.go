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

// resource is the resource of a check: an entity, the entities of a type, or nothing if both are
// empty.
type resource struct {
	urn        urn.URN
	entityType string
	// within is the container of the entities of the type, if the check is limited to one. urn is
	// then empty.
	within urn.URN
	// domains are the domains that the same batch proposes for the entity. They count if none are
	// stored; with after they replace the stored ones.
	domains []urn.URN
	after   bool
	// deletedFirst is true for an entity that the batch deletes first: it has no values but the
	// domains. wholeDeletedFirst is true for a column whose dataset the batch deletes first.
	deletedFirst, wholeDeletedFirst bool
	// names are further entities that the entity will name as its subjects.
	names []urn.URN
	// isPart is true for a column that is changed. It is in the domains of whole, its dataset,
	// regardless of the facts stored about the column itself, and in none if whole is empty.
	// Domains are those that the batch proposes for whole.
	isPart bool
	whole  urn.URN
	// storedOnly is true if the check creates nothing. An entity that is not stored then meets no
	// criterion with NOT_EQUALS on a stored field. Otherwise it could be distinguished from
	// entities that the criterion excludes.
	storedOnly bool
	// isRead is true for a check that reads. A column then meets no such criterion of a policy by
	// itself: it is read with its dataset, which the criterion may exclude.
	isRead bool
}

func resourceOf(c *auth.Check, on urn.URN) resource {
	entityType := on.Type()
	if on.Key() == "" {
		return resource{entityType: entityType, within: c.Within}
	}
	r := resource{urn: on, entityType: entityType, domains: c.Domains, after: c.DomainsAfter, deletedFirst: c.Anew, wholeDeletedFirst: c.WholeAnew, names: c.Names, storedOnly: !mayCreate(c), isRead: c.Operation == auth.OpRead || c.Operation == auth.OpExists}
	switch {
	case entityType == columnEntity && c.Operation != auth.OpRead:
		if r.isPart, r.whole = true, model.ParentOfColumn(on); r.after {
			r.domains, r.after = nil, false // the dataset keeps its domain
		}
	case document.MayStandForAsset(on) && !r.after:
		r.domains = nil // a batch could otherwise put the document into another domain than its asset
	}
	return r
}

// mayCreate reports whether the entity of a check may be one that is not stored yet.
func mayCreate(c *auth.Check) bool {
	return c.Operation == auth.OpCreate || c.Operation == auth.OpUpdate || len(c.Domains) > 0 || c.DomainsAfter || slices.Contains(c.AnyOf, auth.CreateEntity)
}

func (r *resource) absent() bool { return r.entityType == "" }

// knowsField reports whether the values of a field are known. For a resource without a URN, these
// are its type and its container.
func (r *resource) knowsField(on field) bool {
	return r.urn != "" || on == typeOf || on == containerOf && r.within != ""
}

// stored reports whether the entity, or the dataset of a column, is stored.
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

// presence states whether an entity is stored, if that is known.
type presence uint8

const (
	unread presence = iota
	isAbsent
	isStored
)

// owner is an entry in the list of owners of an entity.
type owner struct{ urn, typeURN urn.URN }

// aspectsOf lists the aspects that contain the values of a field.
var aspectsOf = [fieldCount][]string{
	domainOf: {"domains"}, containerOf: {"container"}, ownerOf: {"ownership"}, tagOf: {"globalTags"}, glossaryOf: {"glossaryTerms"},
	instanceOf: {"dataPlatformInstance"}, membershipOf: {account.IngestedGroups, account.NativeGroups},
}

// hierarchical lists the fields whose values include all their ancestors, with the entity types
// that are values of the field themselves.
var hierarchical = map[field][]string{
	domainOf: {"domain"}, containerOf: {"container"}, glossaryOf: {"glossaryTerm", "glossaryNode"}, instanceOf: {"dataPlatformInstance"},
}

// facts holds the values of fields of entities, read once per request. It is safe for concurrent
// use.
type facts struct {
	engine *Engine
	mu     sync.Mutex
	// first holds the facts of the first entity, which for most requests is the only one.
	first    *entityFacts
	firstURN urn.URN
	known    map[urn.URN]*entityFacts
}

// entityFacts holds the values of one entity, without their ancestors, and whether it is stored.
type entityFacts struct {
	loaded need
	wanted need // fields about to be read
	values [fieldCount][]string
	owners []owner
	stored presence
	// hierarchy holds the values together with their ancestors.
	hierarchy [fieldCount][]string
}

// maxFacts limits the entities whose facts a request caches.
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

// reading collects the records to read in one call.
type reading struct {
	keys   []model.Key
	places []place
}

// place is the destination of a value.
type place struct {
	of    *entityFacts
	field field
}

// want adds the fields of an entity that are neither known nor requested yet.
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

// load reads the requested records.
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

// textsAt lists the paths to the values of a field in its aspects. Owners are missing, since they
// are read together with their types of ownership.
var textsAt = [fieldCount][][]string{
	domainOf: {{"domains"}, {"domainAssociations", "domain"}}, containerOf: {{"container"}},
	tagOf: {{"tags", "tag"}}, glossaryOf: {{"terms", "urn"}}, instanceOf: {{"instance"}}, membershipOf: {{"groups"}, {"nativeGroups"}},
}

// add takes the values of a field from one of its aspects, nil for an absent one.
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

// addOwners takes the owners with their types of ownership, and returns their URNs.
func (e *entityFacts) addOwners(ownership []byte) (urns []string, err error) {
	value, err := jsontree.DecodeObject(ownership)
	for _, o := range jsontree.Children(value, "owners") {
		e.owners = append(e.owners, owner{urn.URN(jsontree.Text(o, "owner")), urn.URN(jsontree.Text(o, "typeUrn"))})
		urns = append(urns, jsontree.Text(o, "owner"))
	}
	return urns, err
}

// get returns the values of a field of a resource.
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
		return f.get(ctx, &resource{urn: r.whole, entityType: r.whole.Type(), domains: r.domains, deletedFirst: r.wholeDeletedFirst}, on)
	}
	if r.deletedFirst {
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

// getAnew returns the values of a field of a resource that the batch creates again.
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

// withAncestors adds the ancestors of the values of a field, and the entity itself if it is such a
// value. The result is not nil. A cycle ends the search.
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

// parent returns the direct parent of an entity in its hierarchy, empty at the top.
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

package policy

import (
	"context"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// resource is what a check is about: an entity, the entities of a type, or
// nothing when both are empty.
type resource struct {
	urn        urn.URN
	entityType string
	// domains are proposed for the entity in the same batch. They count where none are stored,
	// and in place of stored ones with after.
	domains []urn.URN
	after   bool
}

func resourceOf(c *auth.Check, on urn.URN) resource {
	entityType := on.Type()
	if on.Key() == "" {
		return resource{entityType: entityType}
	}
	return resource{urn: on, entityType: entityType, domains: c.Domains, after: c.DomainsAfter}
}

func (r *resource) absent() bool { return r.entityType == "" }

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
	known  map[urn.URN]*entityFacts
}

// entityFacts are the values of one entity, without what is above them.
type entityFacts struct {
	loaded [fieldCount]bool
	values [fieldCount][]string
	owners []owner
	// hierarchy holds the values together with all above them.
	hierarchy [fieldCount][]string
}

// maxFacts bounds the entities whose facts a request keeps.
const maxFacts = 20_000

func (f *facts) of(u urn.URN) *entityFacts {
	known := f.known[u]
	if known == nil {
		if len(f.known) >= maxFacts {
			clear(f.known)
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

// load reads fields of entities, all in one call.
func (f *facts) load(ctx context.Context, needs map[urn.URN]need) error {
	var keys []model.Key
	type place struct {
		of    *entityFacts
		field field
	}
	var places []place
	for u, n := range needs {
		known := f.of(u)
		for on := domainOf; on < fieldCount; on++ {
			if !n.has(on) || known.loaded[on] {
				continue
			}
			for _, aspect := range aspectsOf[on] {
				keys, places = append(keys, model.Key{URN: u, Aspect: aspect}), append(places, place{known, on})
			}
		}
	}
	values, err := objects(ctx, f.engine.cfg.Rows, keys...)
	if err != nil {
		return err
	}
	for i, at := range places {
		at.of.add(at.field, keys[i].URN, values[i])
	}
	return nil
}

// add takes the values of a field out of one of its aspects.
func (e *entityFacts) add(on field, u urn.URN, value model.Object) {
	e.loaded[on] = true
	var found []string
	switch on {
	case domainOf:
		found = jsontree.Texts(value, "domains")
		for _, a := range jsontree.Children(value, "domainAssociations") {
			found = append(found, jsontree.Text(a, "domain"))
		}
	case containerOf:
		found = []string{jsontree.Text(value, "container")}
	case ownerOf:
		for _, o := range jsontree.Children(value, "owners") {
			e.owners = append(e.owners, owner{urn.URN(jsontree.Text(o, "owner")), urn.URN(jsontree.Text(o, "typeUrn"))})
			found = append(found, jsontree.Text(o, "owner"))
		}
	case tagOf:
		for _, t := range jsontree.Children(value, "tags") {
			found = append(found, jsontree.Text(t, "tag"))
		}
	case glossaryOf:
		for _, t := range jsontree.Children(value, "terms") {
			found = append(found, jsontree.Text(t, "urn"))
		}
	case instanceOf:
		found = []string{jsontree.Text(value, "instance")}
	case membershipOf:
		if u.Type() == account.EntityType {
			found = groupsIn(value, value)
		}
	}
	for _, v := range found {
		if v != "" && !slices.Contains(e.values[on], v) {
			e.values[on] = append(e.values[on], v)
		}
	}
}

// get gives the values of a field of a resource.
func (f *facts) get(ctx context.Context, r *resource, on field) ([]string, error) {
	switch {
	case on == typeOf:
		return []string{r.entityType}, nil
	case r.urn == "":
		return nil, nil
	case on == urnOf:
		return []string{string(r.urn)}, nil
	}
	known := f.of(r.urn)
	if !known.loaded[on] {
		if err := f.load(ctx, map[urn.URN]need{r.urn: needOf(on)}); err != nil {
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

// withAncestors adds to the values of a field what is above them, and the entity
// itself where it is such a value. It is not nil. A cycle ends it.
func (f *facts) withAncestors(ctx context.Context, r *resource, on field, values []string) ([]string, error) {
	all := make([]string, 0, len(values)+4)
	if slices.Contains(hierarchical[on], r.entityType) {
		values = append([]string{string(r.urn)}, values...)
	}
	for _, v := range values {
		for u := urn.URN(v); u != "" && !slices.Contains(all, string(u)); {
			all = append(all, string(u))
			var err error
			if u, err = f.engine.parent(ctx, u); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
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

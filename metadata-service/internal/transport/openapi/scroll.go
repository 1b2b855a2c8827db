package openapi

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	urnField  = "urn"
	typeField = "_entityType"
)

// scrollBody is what POST /openapi/v3/entity/scroll takes.
type scrollBody struct {
	Entities []string  `json:"entities"`
	Aspects  *[]string `json:"aspects"`
	// Filter.And holds alternatives, in spite of its name: each is a list of criteria that
	// must all hold.
	Filter       *scrollFilter `json:"filter"`
	SortCriteria []struct {
		Field string `json:"field"`
		Order string `json:"order"`
	} `json:"sortCriteria"`
}

type scrollFilter struct {
	And []struct {
		Criteria []criterion `json:"criteria"`
		And      []criterion `json:"and"`
	} `json:"and"`
}

type criterion struct {
	Field     string   `json:"field"`
	Value     string   `json:"value"`
	Values    []string `json:"values"`
	Condition string   `json:"condition"`
	Negated   bool     `json:"negated"`
}

func (e entities) scroll(c *call) error {
	var body scrollBody
	if err := c.decode(bodyLimit, &body); err != nil {
		return err
	}
	l, err := e.scrollListing(c, &body)
	if err != nil {
		return err
	}
	return e.answerPage(c, l)
}

func (e entities) scrollListing(c *call, body *scrollBody) (*listing, error) {
	l := &listing{}
	for _, name := range body.Entities {
		spec, err := e.spec(name)
		if err != nil {
			return nil, err
		}
		l.types = append(l.types, spec.Name)
	}
	if len(l.types) == 0 {
		l.types = e.listable()
	}
	if err := l.readQuery(c); err != nil {
		return nil, err
	}
	for _, sort := range body.SortCriteria {
		if err := checkSort(sort.Field, sort.Order); err != nil {
			return nil, err
		}
	}
	if body.Aspects != nil {
		if len(*body.Aspects) > maxListed {
			return nil, tooManyAspects()
		}
		l.aspects = append(l.aspects, *body.Aspects...)
	}
	l.urnOnly = body.Aspects == nil && len(l.aspects) == 0
	var err error
	if l.cursors, err = c.flag("scrollIdPerEntity", false); err != nil {
		return nil, err
	}
	return l, e.applyFilter(l, body.Filter)
}

// listable lists the entity types whose existence is no secret.
func (a *API) listable() []string {
	var names []string
	for _, spec := range a.Registry.Entities() {
		if !spec.Key.Secret {
			names = append(names, spec.Name)
		}
	}
	return names
}

// clause is one alternative of a filter: entities of one of the types, or of
// the URNs. Nil sets do not restrict.
type clause struct {
	types map[string]bool
	urns  map[string]bool
}

// applyFilter narrows a listing. Alternatives add up, which a list in URN order
// can do when they all restrict the same thing.
func (e entities) applyFilter(l *listing, filter *scrollFilter) error {
	if filter == nil || len(filter.And) == 0 {
		return nil
	}
	clauses := make([]clause, 0, len(filter.And))
	named := 0
	for _, alternative := range filter.And {
		cl, err := e.clauseOf(slices.Concat(alternative.Criteria, alternative.And))
		if err != nil {
			return err
		}
		if cl.urns != nil {
			named++
		}
		clauses = append(clauses, cl)
	}
	switch named {
	case 0:
		l.types = slices.DeleteFunc(l.types, func(t string) bool { return !anyAllows(clauses, t) })
		return nil
	case len(clauses):
		return e.listNamed(l, clauses)
	}
	return notSearchable("filter with alternatives on different fields")
}

func anyAllows(clauses []clause, entityType string) bool {
	return slices.ContainsFunc(clauses, func(cl clause) bool { return cl.types == nil || cl.types[entityType] })
}

func (e entities) clauseOf(criteria []criterion) (clause, error) {
	var cl clause
	for _, cr := range criteria {
		if !isEqual(cr.Condition) || cr.Negated {
			return cl, notSearchable("filter with condition " + shorten(cr.Condition) + " on " + shorten(cr.Field))
		}
		values := cr.Values
		if cr.Value != "" {
			values = append(values, cr.Value)
		}
		if len(values) > maxItems {
			return cl, tooMany("values in a filter")
		}
		switch cr.Field {
		case urnField:
			cl.urns = intersect(cl.urns, values)
		case typeField:
			names, err := e.typeNames(values)
			if err != nil {
				return cl, err
			}
			cl.types = intersect(cl.types, names)
		case "":
			return cl, fault.New(fault.Malformed, "a criterion of the filter has no field")
		default:
			return cl, notSearchable("filter on " + shorten(cr.Field))
		}
	}
	return cl, nil
}

func isEqual(condition string) bool {
	switch strings.ToUpper(condition) {
	case "", "EQUAL", "IN":
		return true
	}
	return false
}

func (e entities) typeNames(names []string) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		spec, err := e.spec(strings.ReplaceAll(name, "_", ""))
		if err != nil {
			return nil, err
		}
		out[i] = spec.Name
	}
	return out, nil
}

// intersect keeps of the values those in the set; a nil set holds all.
func intersect(set map[string]bool, values []string) map[string]bool {
	out := make(map[string]bool, len(values))
	for _, value := range values {
		if set == nil || set[value] {
			out[value] = true
		}
	}
	return out
}

// listNamed restricts a listing to the URNs of the clauses.
func (e entities) listNamed(l *listing, clauses []clause) error {
	l.urns = []urn.URN{}
	for _, cl := range clauses {
		for text := range cl.urns {
			u, spec, err := e.Registry.Resolve(text)
			if err != nil {
				return err
			}
			if slices.Contains(l.types, spec.Name) && (cl.types == nil || cl.types[spec.Name]) {
				l.urns = append(l.urns, u)
			}
		}
	}
	slices.Sort(l.urns)
	l.urns = slices.Compact(l.urns)
	return nil
}

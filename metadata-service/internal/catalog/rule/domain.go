package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// domainRules are about domains, which form a tree in which siblings differ by
// name, and about the domains of assets.
func domainRules() []Rule {
	return []Rule{
		{
			Name: "names of domains", Aspects: []string{"domainProperties"},
			Terms: nameTerm(domainName),
			Validate: func(tx Tx, c *Change) error {
				return uniqueName(tx, c, domainName, func(name string) error {
					return fault.New(fault.Conflict, "%q already exists in this domain. Please pick a unique name.", name)
				})
			},
		},
		{Name: "tree of domains", Aspects: []string{"domainProperties"}, Validate: checkAcyclic},
		{Name: "domains of assets", Aspects: []string{"domains"}, Adjust: syncDomains, Domains: domainsIn, Demands: demandDomains},
	}
}

func domainName(value model.Object) Term {
	return sibling("domain name", urn.URN(jsontree.Text(value, "parentDomain")), jsontree.Text(value, "name"))
}

// demandDomains takes the right over an entity as it will be from whoever moves it
// out of domains: the right over it as it is was asked for already.
func demandDomains(_ Tx, c *Change) ([]Demand, error) {
	before, after := domainsIn(c.Before), domainsIn(c.After)
	if len(before) == 0 || sameURNs(before, after) {
		return nil, nil
	}
	return []Demand{{
		Rights:  []Right{{Operation: "UPDATE", On: []urn.URN{c.URN}, Domains: after, DomainsAfter: true}},
		Refusal: "Unauthorized to edit domains on entity " + string(c.URN) + " (with the domains it would be in)",
	}}, nil
}

func sameURNs(a, b []urn.URN) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// differing are the URNs that only one of two lists has.
func differing(a, b []urn.URN) []urn.URN {
	var out []urn.URN
	for _, pair := range [][2][]urn.URN{{a, b}, {b, a}} {
		for _, u := range pair[0] {
			if u != "" && !slices.Contains(pair[1], u) && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

func domainsIn(value model.Object) []urn.URN {
	var domains []urn.URN
	for _, text := range jsontree.Texts(value, "domains") {
		domains = append(domains, urn.URN(text))
	}
	for _, a := range jsontree.Children(value, "domainAssociations") {
		if u := urn.URN(jsontree.Text(a, "domain")); !slices.Contains(domains, u) {
			domains = append(domains, u)
		}
	}
	return domains
}

// syncDomains keeps the two members of the aspect equal: the one that changed
// wins. Associations made by people come before propagated ones.
func syncDomains(_ Tx, c *Change) error {
	associations := jsontree.Children(c.After, "domainAssociations")
	domains := jsontree.Texts(c.After, "domains")
	named := make([]string, len(associations))
	for i, a := range associations {
		named[i] = jsontree.Text(a, "domain")
	}
	before := jsontree.Texts(c.Before, "domains")
	switch {
	case sameSet(domains, named):
		return nil
	case c.After["domainAssociations"] == nil, sameSet(named, before):
		// domains changed, or is all there is: associations follow, keeping what is known of each.
		known := append(associations, jsontree.Children(c.Before, "domainAssociations")...)
		c.After = jsontree.With(c.After, model.Object{"domainAssociations": associationsOf(domains, known)})
	case len(domains) == 0 || sameSet(domains, before):
		slices.SortStableFunc(associations, func(a, b model.Object) int { return propagated(a) - propagated(b) })
		names := make([]string, len(associations))
		list := make([]any, len(associations))
		for i, a := range associations {
			names[i], list[i] = jsontree.Text(a, "domain"), a
		}
		c.After = jsontree.With(c.After, model.Object{"domains": jsontree.List(names), "domainAssociations": list})
	default:
		return fault.New(fault.Invalid, "domains: /domains and /domainAssociations were both changed and name different domains")
	}
	return nil
}

func associationsOf(domains []string, known []model.Object) []any {
	first := make(map[string]model.Object, len(known))
	for _, a := range slices.Backward(known) {
		first[jsontree.Text(a, "domain")] = a
	}
	list := make([]any, len(domains))
	for i, d := range domains {
		if a, ok := first[d]; ok {
			list[i] = a
			continue
		}
		list[i] = model.Object{"domain": d}
	}
	return list
}

// propagated is 1 for associations that a rule made, 0 for those of people.
func propagated(a model.Object) int {
	detail := jsontree.Child(jsontree.Child(a, "attribution"), "sourceDetail")
	if jsontree.Text(detail, "propagated") == "true" {
		return 1
	}
	return 0
}

func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

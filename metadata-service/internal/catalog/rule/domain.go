package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// domainRules apply to domains, which form a tree with unique names among siblings, and to the
// domains of assets.
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
		{Name: "tree of domains", Aspects: []string{"domainProperties"}, Validate: checkAcyclic, ValidateRestored: true, Demands: toMoveDomains.demandPlace, DemandsWithEntity: true, DemandedOf: ByRollback},
		{Name: "domains of assets", Aspects: []string{"domains"}, Adjust: syncDomains, Domains: domainsIn, Demands: demandDomains, DemandsOfRollbacks: true},
	}
}

func domainName(value model.Object) Term {
	return siblingTerm("domain name", urn.URN(jsontree.Text(value, "parentDomain")), jsontree.Text(value, "name"))
}

// demandDomains requires the right over an entity with its domains after the change, if a write
// removes it from domains. The right over the entity with its present domains is checked before. A
// removal of the aspect requires the right to delete the entity. A rollback that leaves no value is
// exempt here, because it requires the right to delete the entity in any case.
func demandDomains(_ Tx, c *Change) ([]Demand, error) {
	before, after := domainsIn(c.Before), domainsIn(c.After)
	if len(before) == 0 || sameURNs(before, after) || c.Reverted {
		return nil, nil
	}
	operation := auth.OpUpdate
	if c.After == nil {
		operation = auth.OpDelete
	}
	return []Demand{{
		OneOf:   []auth.Check{{Operation: operation, Entities: []urn.URN{c.URN}, Domains: after, DomainsAfter: true}},
		Refusal: Refusal{"Unauthorized to edit domains on entity ", c.URN, " (with the domains it would be in)"},
	}}, nil
}

func sameURNs(a, b []urn.URN) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// symmetricDifference returns the URNs that are in only one of two lists.
func symmetricDifference(a, b []urn.URN) []urn.URN {
	var out set.Set[urn.URN]
	for _, pair := range [][2][]urn.URN{{a, b}, {b, a}} {
		other := set.Of(pair[1])
		for _, u := range pair[0] {
			if u != "" && !other.Has(u) {
				out.Add(u)
			}
		}
	}
	return out.List()
}

func domainsIn(value model.Object) []urn.URN {
	var domains set.Set[urn.URN]
	for _, text := range jsontree.Texts(value, "domains") {
		domains.Add(urn.URN(text))
	}
	for _, a := range jsontree.Children(value, "domainAssociations") {
		domains.Add(urn.URN(jsontree.Text(a, "domain")))
	}
	return domains.List()
}

// syncDomains keeps the two members of the aspect equal. Associations take precedence unless they
// are absent or only domains has changed; associations made by people come before propagated ones.
func syncDomains(_ Tx, c *Change) error {
	domains, associations := jsontree.Texts(c.After, "domains"), jsontree.Children(c.After, "domainAssociations")
	formerly := jsontree.Children(c.Before, "domainAssociations")
	moved := !slices.Equal(domains, jsontree.Texts(c.Before, "domains"))
	attributed := !slices.EqualFunc(associations, formerly, func(a, b model.Object) bool { return jsontree.Equal(a, b) })
	switch {
	case c.After["domainAssociations"] == nil, moved && !attributed:
		associations = associationsOf(domains, formerly)
	case moved && attributed && len(domains) > 0 && !sameSet(domains, associatedDomains(associations)):
		return fault.New(fault.Invalid, "Cannot update both /domains and /domainAssociations to different domains; send one of them, or the same domains in both")
	}
	slices.SortStableFunc(associations, func(a, b model.Object) int { return propagationOrder(a) - propagationOrder(b) })
	list := make([]any, len(associations))
	for i, a := range associations {
		list[i] = a
	}
	c.After = jsontree.With(c.After, model.Object{"domains": jsontree.List(associatedDomains(associations)), "domainAssociations": list})
	return nil
}

// associatedDomains returns the domains that associations name, without duplicates.
func associatedDomains(associations []model.Object) []string {
	names := make([]string, 0, len(associations))
	seen := make(map[string]bool, len(associations))
	for _, a := range associations {
		if name := jsontree.Text(a, "domain"); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// associationsOf returns the former associations whose domain is still named, in their order, and
// new ones for further domains.
func associationsOf(domains []string, formerly []model.Object) []model.Object {
	named := make(map[string]bool, len(domains))
	for _, d := range domains {
		named[d] = true
	}
	var list []model.Object
	known := make(map[string]bool, len(domains))
	for _, a := range formerly {
		if d := jsontree.Text(a, "domain"); named[d] {
			known[d] = true
			list = append(list, a)
		}
	}
	for _, d := range domains {
		if !known[d] {
			known[d] = true
			list = append(list, model.Object{"domain": d})
		}
	}
	return list
}

// propagationOrder returns 1 for associations made by a rule, 0 for those made by people.
func propagationOrder(a model.Object) int {
	detail := jsontree.Child(jsontree.Child(a, "attribution"), "sourceDetail")
	if strings.EqualFold(jsontree.Text(detail, "propagated"), "true") {
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

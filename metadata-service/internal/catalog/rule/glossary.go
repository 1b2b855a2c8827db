package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// glossaryRules apply to the tree of the glossary, in which terms of one node have unique names.
// Nodes may share a name, as they do in the reference.
func glossaryRules() []Rule {
	return []Rule{
		{
			Name: "names of glossary terms", Aspects: []string{"glossaryTermInfo"},
			Terms: nameTerm(glossaryName),
			Validate: func(tx Tx, c *Change) error {
				return uniqueName(tx, c, glossaryName, func(name string) error {
					return fault.New(fault.Malformed, "name: there is a glossary term %q at this place already; choose another name", name)
				})
			},
		},
		{Name: "tree of the glossary", Aspects: []string{"glossaryTermInfo", "glossaryNodeInfo"}, Validate: checkAcyclic, ValidateRestored: true, Demands: toMoveInGlossary.demandPlace, DemandsWithEntity: true, DemandedOf: ByRollback},
	}
}

func glossaryName(value model.Object) Term {
	return siblingTerm("glossary term name", urn.URN(jsontree.Text(value, "parentNode")), jsontree.Text(value, "name"))
}

// businessAttributeRules require unique names of business attributes.
func businessAttributeRules() []Rule {
	return []Rule{{
		Name: "names of business attributes", Aspects: []string{"businessAttributeInfo"},
		Terms: nameTerm(attributeName),
		Validate: func(tx Tx, c *Change) error {
			return uniqueName(tx, c, attributeName, func(name string) error {
				return fault.New(fault.Conflict, "%q is the name of another business attribute. Please pick a unique name.", name)
			})
		},
	}}
}

func attributeName(value model.Object) Term {
	return term("business attribute name", jsontree.Text(value, "name"))
}

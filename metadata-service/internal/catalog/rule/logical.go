package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// logicalRules hold links from columns to columns of a logical model to the
// schemas of both, and let nothing implement itself.
func logicalRules() []Rule {
	return []Rule{
		{Name: "rights over logical parents", Aspects: []string{logicalParent}, Demands: demandParent},
		{Name: "logical parents are others of the kind", Aspects: []string{logicalParent}, Validate: checkParent},
		{Name: "logical parents of columns", Aspects: []string{logicalParent}, Types: []string{"schemaField"}, Validate: checkColumnLink, Reads: linkedSchemas},
	}
}

const (
	logicalParent = "logicalParent"
	parentPath    = "/parent/destinationUrn"
)

// parentIn is the parent that a link leads to, empty when there is none.
func parentIn(link model.Object) urn.URN {
	return urn.URN(jsontree.Text(jsontree.Child(link, "parent"), "destinationUrn"))
}

func checkParent(_ Tx, c *Change) error {
	switch parent := parentIn(c.After); {
	case parent == "":
		return nil
	case parent == c.URN:
		return broken(logicalParent, parentPath, "%s cannot implement itself", c.URN)
	case parent.Type() != c.URN.Type():
		return broken(logicalParent, parentPath, "the parent of a %s must be a %s, found %q", c.URN.Type(), c.URN.Type(), parent)
	}
	return nil
}

// demandParent takes the right over the parent from whoever links to it; over a
// column that of its dataset does, too.
func demandParent(_ Tx, c *Change) ([]Demand, error) {
	parent := parentIn(c.After)
	if parent == "" || parent == parentIn(c.Before) {
		return nil, nil
	}
	rights := []Right{{Operation: "UPDATE", On: []urn.URN{parent}}}
	if parts := parent.Parts(); parent.Type() == "schemaField" && len(parts) == 2 {
		rights = append(rights, Right{Operation: "UPDATE", On: []urn.URN{urn.URN(parts[0])}})
	}
	return []Demand{{Rights: rights, Refusal: Refusal{"Unauthorized to modify logicalParent on entity: ", c.URN}}}, nil
}

func checkColumnLink(tx Tx, c *Change) error {
	parent := parentIn(c.After)
	if parent == "" {
		return nil
	}
	for _, column := range []urn.URN{c.URN, parent} {
		parts := column.Parts()
		if column.Type() != "schemaField" || len(parts) != 2 {
			return broken(logicalParent, parentPath, "%q is no column", column)
		}
		known, err := tx.Texts(urn.URN(parts[0]), "schemaMetadata", "fields", "fieldPath")
		if err != nil {
			return err
		}
		if !known[parts[1]] {
			return broken(logicalParent, parentPath, "%s has no column %q in its schema", parts[0], parts[1])
		}
	}
	return nil
}

// linkedSchemas are those of the datasets whose columns a link concerns.
func linkedSchemas(u urn.URN, link model.Object) []model.Key {
	var out []model.Key
	for _, column := range []urn.URN{u, parentIn(link)} {
		if parts := column.Parts(); column.Type() == "schemaField" && len(parts) == 2 {
			out = append(out, model.Key{URN: urn.URN(parts[0]), Aspect: "schemaMetadata"})
		}
	}
	return out
}

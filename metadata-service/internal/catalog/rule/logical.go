package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// logicalRules hold links from columns to columns of a logical model to the
// schemas of both.
func logicalRules() []Rule {
	return []Rule{{Name: "rights over logical parents", Aspects: []string{"logicalParent"}, Demands: demandParent}, {Name: "logical parents of columns", Aspects: []string{"logicalParent"}, Types: []string{"schemaField"}, Validate: checkColumnLink}}
}

// demandParent takes the right over the parent from whoever links to it; over a
// column that of its dataset does, too.
func demandParent(_ Tx, c *Change) ([]Demand, error) {
	parent := urn.URN(jsontree.Text(jsontree.Child(c.After, "parent"), "destinationUrn"))
	if parent == "" || parent == urn.URN(jsontree.Text(jsontree.Child(c.Before, "parent"), "destinationUrn")) {
		return nil, nil
	}
	rights := []Right{{Operation: "UPDATE", On: []urn.URN{parent}}}
	if parts := parent.Parts(); parent.Type() == "schemaField" && len(parts) == 2 {
		rights = append(rights, Right{Operation: "UPDATE", On: []urn.URN{urn.URN(parts[0])}})
	}
	return []Demand{{Rights: rights, Refusal: "Unauthorized to modify logicalParent on entity: " + string(c.URN)}}, nil
}

func checkColumnLink(tx Tx, c *Change) error {
	const path = "/parent/destinationUrn"
	parent := urn.URN(jsontree.Text(jsontree.Child(c.After, "parent"), "destinationUrn"))
	if parent == "" {
		return nil
	}
	for _, column := range []urn.URN{c.URN, parent} {
		parts := column.Parts()
		if column.Type() != "schemaField" || len(parts) != 2 {
			return broken("logicalParent", path, "the parent of a column must be a column, found %q", column)
		}
		schema, err := tx.Value(urn.URN(parts[0]), "schemaMetadata")
		if err != nil {
			return err
		}
		known := slices.ContainsFunc(jsontree.Children(schema, "fields"), func(f model.Object) bool { return jsontree.Text(f, "fieldPath") == parts[1] })
		if !known {
			return broken("logicalParent", path, "%s has no column %q in its schema", parts[0], parts[1])
		}
	}
	return nil
}

package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// logicalRules require that links between columns of physical and logical models match the schemas
// of both, and that no entity implements itself.
func logicalRules() []Rule {
	return []Rule{
		{Name: "rights over logical parents", Aspects: []string{logicalParent}, Demands: demandParent},
		{Name: "logical parents are others of the kind", Aspects: []string{logicalParent}, Validate: checkParent},
		{Name: "logical parents of columns", Aspects: []string{logicalParent}, Types: []string{model.ColumnType}, Validate: checkColumnLink, Reads: linkedSchemas},
	}
}

const (
	logicalParent = "logicalParent"
	parentPath    = "/parent/destinationUrn"
)

// parentIn returns the target of a link, empty if there is none.
func parentIn(link model.Object) urn.URN {
	return urn.URN(jsontree.Text(jsontree.Child(link, "parent"), "destinationUrn"))
}

func checkParent(_ Tx, c *Change) error {
	switch parent := parentIn(c.After); {
	case parent == "":
		return nil
	case parent == c.URN:
		return violation(logicalParent, parentPath, "%s cannot implement itself", c.URN)
	case parent.Type() != c.URN.Type():
		return violation(logicalParent, parentPath, "the parent of a %s must be a %s, found %q", c.URN.Type(), c.URN.Type(), parent)
	}
	return nil
}

// demandParent requires the right over the parent of a new link. For a column, the right over its
// dataset suffices.
func demandParent(_ Tx, c *Change) ([]Demand, error) {
	parent := parentIn(c.After)
	if parent == "" || parent == parentIn(c.Before) {
		return nil, nil
	}
	rights := []auth.Check{{Operation: auth.OpUpdate, Entities: []urn.URN{parent}}}
	if whole := model.ParentOfColumn(parent); whole != "" {
		rights = append(rights, auth.Check{Operation: auth.OpUpdate, Entities: []urn.URN{whole}})
	}
	return []Demand{{OneOf: rights, Refusal: Refusal{"Unauthorized to modify logicalParent on entity: ", c.URN}}}, nil
}

func checkColumnLink(tx Tx, c *Change) error {
	parent := parentIn(c.After)
	if parent == "" {
		return nil
	}
	for _, column := range []urn.URN{c.URN, parent} {
		dataset, path, ok := model.SplitColumn(column)
		if !ok {
			return violation(logicalParent, parentPath, "%q is no column", column)
		}
		known, err := tx.Texts(dataset, "schemaMetadata", "fields", "fieldPath")
		if err != nil {
			return err
		}
		if !known[path] && !encodedIn(known, column) {
			return violation(logicalParent, parentPath, "%s has no column %q in its schema", dataset, path)
		}
	}
	return nil
}

// encodedIn reports whether a schema has a path that itself contains percent-encoded characters, so
// that the decoded URN of its column differs from the path.
func encodedIn(known map[string]bool, column urn.URN) bool {
	parts := column.Parts()
	return known[parts[len(parts)-1]]
}

// linkedSchemas returns the schema keys of the datasets whose columns a link connects.
func linkedSchemas(u urn.URN, link model.Object) []model.Key {
	var out []model.Key
	for _, column := range []urn.URN{u, parentIn(link)} {
		if dataset := model.ParentOfColumn(column); dataset != "" {
			out = append(out, model.Key{URN: dataset, Aspect: "schemaMetadata"})
		}
	}
	return out
}

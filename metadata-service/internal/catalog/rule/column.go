package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// columnRules delete the columns of a dataset, chart, dashboard or semantic model with it. A soft
// deletion needs no change, because columns count as soft-deleted while their parent is.
func columnRules() []Rule {
	return []Rule{
		{
			Name: "columns by what they belong to", Aspects: []string{"schemaFieldKey"},
			Terms: func(column urn.URN, _ model.Object) []Term {
				if parent := model.ParentOfColumn(column); parent != "" {
					return []Term{columnOf(parent)}
				}
				return nil
			},
		},
		{
			Name: "columns of what is gone", Aspects: []string{"datasetKey", "chartKey", "dashboardKey", "semanticModelKey"},
			Cleanup:     func(tx Effects, _, affected urn.URN) error { return tx.RemoveEntity(affected) },
			CleanupTerm: columnOf,
		},
	}
}

// columnOf is the term of all columns of an entity.
func columnOf(parent urn.URN) Term { return term("column of", string(parent)) }

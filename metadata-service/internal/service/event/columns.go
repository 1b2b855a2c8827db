package event

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/columns"
	"github.com/cartulary/cartulary/pkg/urn"
)

// columnChanges returns the changes of columns and of the primary key.
func columnChanges(u urn.URN, before, after jsontree.Object) []change {
	found := columns.Compare(before, after).Changes
	out := make([]change, len(found))
	for i, c := range found {
		column := string(model.ColumnURN(u, c.Path))
		out[i] = change{u, "TECHNICAL_SCHEMA", string(c.Operation), column, jsontree.Object{
			"fieldPath": c.Path, "fieldUrn": column, "nullable": c.Nullable, "modificationCategory": string(c.Kind),
		}}
	}
	return out
}

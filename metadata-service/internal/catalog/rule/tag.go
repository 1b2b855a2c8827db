package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tagRules ask for the right to attach the tags that a write adds or removes, since
// policies may name the tags that may be attached. They hold for services as well,
// which decide before they know which tags a replacement removes.
func tagRules() []Rule {
	return []Rule{
		{Name: "rights over tags", Aspects: []string{"globalTags"}, Demands: demandTags(tagsIn, "EDIT_ENTITY_TAGS"), DemandedOf: ByService},
		{Name: "rights over tags of columns", Aspects: []string{"editableSchemaMetadata"}, Demands: demandTags(columnTagsIn("editableSchemaFieldInfo"), "EDIT_DATASET_COL_TAGS"), DemandedOf: ByService},
		{Name: "rights over tags of a schema", Aspects: []string{"schemaMetadata"}, Demands: demandTags(columnTagsIn("fields"), "EDIT_DATASET_COL_TAGS"), DemandedOf: ByService},
	}
}

func demandTags(in func(model.Object) []urn.URN, privilege string) func(Tx, *Change) ([]Demand, error) {
	return func(_ Tx, c *Change) ([]Demand, error) {
		changed := differing(in(c.Before), in(c.After))
		if len(changed) == 0 {
			return nil, nil
		}
		oneOf := []string{"EDIT_ENTITY", privilege}
		if c.After == nil {
			oneOf = append(oneOf, "DELETE_ENTITY")
		}
		return []Demand{{
			Rights:   []Right{{Privileges: oneOf, On: []urn.URN{c.URN}, Tags: changed}},
			WaivedBy: []string{"MANAGE_TESTS"}, // actions of metadata tests tag any asset
			Refusal:  Refusal{"Unauthorized to modify one or more tag Urns: ", changed},
		}}, nil
	}
}

func tagsIn(value model.Object) []urn.URN {
	var tags []urn.URN
	for _, t := range jsontree.Children(value, "tags") {
		tags = append(tags, urn.URN(jsontree.Text(t, "tag")))
	}
	return tags
}

// columnTagsIn gives the tags of all columns that a member lists.
func columnTagsIn(columns string) func(model.Object) []urn.URN {
	return func(value model.Object) []urn.URN {
		var tags []urn.URN
		for _, column := range jsontree.Children(value, columns) {
			tags = append(tags, tagsIn(jsontree.Child(column, "globalTags"))...)
		}
		return tags
	}
}

package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tagRules require the right to attach the tags that a write adds or removes, because policies may
// restrict the tags that may be attached. They also apply to services, which decide before they
// have determined the tags that a replacement removes.
func tagRules() []Rule {
	return []Rule{
		{Name: "rights over tags", Aspects: []string{"globalTags"}, Demands: demandTags(func(value model.Object) tagsByColumn { return tagsByColumn{"": tagsIn(value)} }, "EDIT_ENTITY_TAGS"), DemandedOf: ByService},
		{Name: "rights over tags of columns", Aspects: []string{"editableSchemaMetadata"}, Demands: demandTags(columnTagsIn("editableSchemaFieldInfo"), "EDIT_DATASET_COL_TAGS"), DemandedOf: ByService},
		{Name: "rights over tags of a schema", Aspects: []string{"schemaMetadata"}, Demands: demandTags(columnTagsIn("fields"), "EDIT_DATASET_COL_TAGS"), DemandedOf: ByService},
	}
}

// tagsByColumn are the tags of an entity by column; the key of the entity itself is empty.
type tagsByColumn map[string][]urn.URN

func demandTags(in func(model.Object) tagsByColumn, privilege string) func(Tx, *Change) ([]Demand, error) {
	return func(_ Tx, c *Change) ([]Demand, error) {
		before, after := in(c.Before), in(c.After)
		var all set.Set[urn.URN]
		for _, either := range []tagsByColumn{before, after} {
			for column := range either {
				for _, tag := range symmetricDifference(before[column], after[column]) {
					all.Add(tag)
				}
			}
		}
		changed := all.List()
		if slices.Sort(changed); len(changed) == 0 {
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

// columnTagsIn returns the tags of all columns in a list member.
func columnTagsIn(columns string) func(model.Object) tagsByColumn {
	return func(value model.Object) tagsByColumn {
		tags := tagsByColumn{}
		for _, column := range jsontree.Children(value, columns) {
			if of := tagsIn(jsontree.Child(column, "globalTags")); len(of) > 0 {
				path := jsontree.Text(column, "fieldPath")
				tags[path] = append(tags[path], of...)
			}
		}
		return tags
	}
}

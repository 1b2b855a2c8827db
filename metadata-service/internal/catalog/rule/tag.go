package rule

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tagRules take the right to attach just these tags from whoever adds or removes
// some, since policies may name the tags that may be attached.
func tagRules() []Rule {
	return []Rule{
		{Name: "rights over tags", Aspects: []string{"globalTags"}, Demands: demandTags(tagsIn, "EDIT_ENTITY_TAGS")},
		{Name: "rights over tags of columns", Aspects: []string{"editableSchemaMetadata"}, Demands: demandTags(columnTagsIn("editableSchemaFieldInfo"), "EDIT_DATASET_COL_TAGS")},
		{Name: "rights over tags of a schema", Aspects: []string{"schemaMetadata"}, Demands: demandTags(columnTagsIn("fields"), "EDIT_DATASET_COL_TAGS")},
	}
}

func demandTags(in func(model.Object) []urn.URN, privilege string) func(Tx, *Change) ([]Demand, error) {
	return func(_ Tx, c *Change) ([]Demand, error) {
		changed := differing(in(c.Before), in(c.After))
		if len(changed) == 0 {
			return nil, nil
		}
		names := make([]string, len(changed))
		for i, tag := range changed {
			names[i] = string(tag)
		}
		return []Demand{{
			Rights:  []Right{{Privileges: []string{"EDIT_ENTITY", privilege}, On: []urn.URN{c.URN}, Tags: changed}},
			Refusal: "Unauthorized to modify one or more tag Urns: " + strings.Join(names, ", "),
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

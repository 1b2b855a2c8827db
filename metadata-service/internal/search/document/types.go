package document

import "slices"

// Entity types of a search without types, in the order in which results of several types are
// listed.
var (
	searchTypes = []string{
		"dataset", "dashboard", "chart", "mlModel", "mlModelGroup", "mlFeatureTable", "mlFeature", "mlPrimaryKey", "dataFlow", "dataJob",
		"glossaryTerm", "glossaryNode", "tag", "role", "corpuser", "corpGroup", "container", "domain", "dataProduct", "notebook",
		"businessAttribute", "schemaField", "application", "document", "metric", "semanticModel",
	}
	peopleTypes       = []string{"role", "corpuser", "corpGroup"}
	autocompleteTypes = []string{
		"dataset", "dashboard", "chart", "container", "mlModel", "mlModelGroup", "mlFeatureTable", "dataFlow", "dataJob", "glossaryTerm",
		"tag", "corpuser", "corpGroup", "notebook", "dataProduct", "domain", "businessAttribute", "application", "structuredProperty",
		"metric", "semanticModel",
	}
	browseTypes = []string{
		"dataset", "dashboard", "chart", "container", "mlModel", "mlModelGroup", "mlFeatureTable", "dataFlow", "dataJob", "notebook", "document",
		"metric", "semanticModel",
	}
)

// SearchTypes returns the entity types of a search without types.
func SearchTypes() []string { return slices.Clone(searchTypes) }

// DataTypes returns the types of SearchTypes for data and for the vocabulary that describes it,
// without users, groups and roles.
func DataTypes() []string {
	return slices.DeleteFunc(SearchTypes(), func(name string) bool { return slices.Contains(peopleTypes, name) })
}

// AutocompleteTypes returns the entity types of a completion without types.
func AutocompleteTypes() []string { return slices.Clone(autocompleteTypes) }

// BrowseTypes returns the entity types of the browse tree.
func BrowseTypes() []string { return slices.Clone(browseTypes) }

package document

import "slices"

// Entity types a search covers when none are named, in the order results of
// several types are listed.
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

// SearchTypes lists the entity types of a search that names none.
func SearchTypes() []string { return slices.Clone(searchTypes) }

// DataTypes lists the types of SearchTypes that stand for data and for the words that
// describe it, and not for people, groups and roles.
func DataTypes() []string {
	return slices.DeleteFunc(SearchTypes(), func(name string) bool { return slices.Contains(peopleTypes, name) })
}

// AutocompleteTypes lists the entity types of a completion that names none.
func AutocompleteTypes() []string { return slices.Clone(autocompleteTypes) }

// BrowseTypes lists the entity types of the browse tree.
func BrowseTypes() []string { return slices.Clone(browseTypes) }

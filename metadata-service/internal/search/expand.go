package search

import "strings"

// expansions lists the fields that are asked as several: what users call the
// tags of a dataset are also those of its columns, and edited texts stand
// beside ingested ones.
var expansions = map[string][]string{
	"tags":               {"tags", "fieldTags", "editedFieldTags"},
	"glossaryTerms":      {"glossaryTerms", "fieldGlossaryTerms", "editedFieldGlossaryTerms"},
	"fieldTags":          {"fieldTags", "editedFieldTags"},
	"fieldGlossaryTerms": {"fieldGlossaryTerms", "editedFieldGlossaryTerms"},
	"fieldDescriptions":  {"fieldDescriptions", "editedFieldDescriptions"},
	"description":        {"description", "editedDescription"},
	"businessAttribute":  {"businessAttributeRef", "businessAttributeRef.urn"},
	"origin":             {"origin", "env"},
	"env":                {"origin", "env"},
}

// Expand gives the fields that a filter on the field looks at, any of which may
// hold the value. A trailing ".keyword" is left out. The result is shared and
// must not be changed.
func Expand(field string) []string {
	field = PlainName(field)
	if several, ok := expansions[field]; ok {
		return several
	}
	return []string{field}
}

// PropertyPrefix begins the names of fields of structured properties.
const PropertyPrefix = "structuredProperties."

// PlainName is the name a field has in documents: without ".keyword" at its end,
// and for structured properties with "_" in place of the dots of their names.
func PlainName(field string) string {
	field = strings.TrimSuffix(field, ".keyword")
	name, ok := strings.CutPrefix(field, PropertyPrefix)
	if !ok || strings.HasPrefix(name, "_versioned.") || !strings.Contains(name, ".") {
		return field
	}
	return PropertyPrefix + strings.ReplaceAll(name, ".", "_")
}

// TypeName turns an entity type in either spelling, DATA_JOB or dataJob, into
// a form in which both are equal.
func TypeName(entityType string) string {
	return strings.ToLower(strings.ReplaceAll(entityType, "_", ""))
}

// ExpandInText gives the fields that a field in a query text stands for, for each of which Expand gives
// those that are looked at: of the two forms of browse paths few write the older one, which people and
// documentation name.
func ExpandInText(field string) []string {
	if PlainName(field) == "browsePaths" {
		return []string{"browsePaths", "browsePathV2"}
	}
	return []string{field}
}

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

// PlainName is the name of a field without ".keyword" at its end.
func PlainName(field string) string { return strings.TrimSuffix(field, ".keyword") }

// TypeName turns an entity type in either spelling, DATA_JOB or dataJob, into
// a form in which both are equal.
func TypeName(entityType string) string {
	return strings.ToLower(strings.ReplaceAll(entityType, "_", ""))
}

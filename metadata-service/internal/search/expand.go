package search

import "strings"

// expansions lists the fields that stand for several: the tags of a dataset also include those of
// its columns, and edited texts count as well as ingested ones.
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

// Expand returns the fields that a filter on the field examines, any of which may have the value.
// It ignores a trailing ".keyword". The slice is shared and must not be modified.
func Expand(field string) []string {
	field = PlainName(field)
	if several, ok := expansions[field]; ok {
		return several
	}
	return []string{field}
}

// PropertyPrefix is the prefix of the names of fields of structured properties.
const PropertyPrefix = "structuredProperties."

// PlainName returns the name of a field in search documents: without ".keyword" at its end, and for
// structured properties with "_" in place of the dots of their names.
func PlainName(field string) string {
	field = strings.TrimSuffix(field, ".keyword")
	name, ok := strings.CutPrefix(field, PropertyPrefix)
	if !ok || strings.HasPrefix(name, "_versioned.") || !strings.Contains(name, ".") {
		return field
	}
	return PropertyPrefix + strings.ReplaceAll(name, ".", "_")
}

// TypeName converts an entity type in either spelling, DATA_JOB or dataJob, into a common form for
// comparison.
func TypeName(entityType string) string {
	return strings.ToLower(strings.ReplaceAll(entityType, "_", ""))
}

// ExpandInText returns the fields that a field in a query text stands for; Expand applies to each
// of them. Most entities only have the newer form of browse paths, while users and documentation
// name the older one.
func ExpandInText(field string) []string {
	if PlainName(field) == "browsePaths" {
		return []string{"browsePaths", "browsePathV2"}
	}
	return []string{field}
}

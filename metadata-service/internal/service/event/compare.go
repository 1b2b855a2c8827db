package event

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// comparer returns the differences between two versions of an aspect; nil stands for no version.
type comparer func(u urn.URN, before, after jsontree.Object) []change

// comparers lists the aspects with entity change events.
var comparers = map[string]comparer{
	"globalTags":                tags,
	"glossaryTerms":             terms,
	"ownership":                 owners,
	"domains":                   domain,
	"deprecation":               deprecation,
	"status":                    status,
	"structuredProperties":      properties,
	"documentation":             documentations,
	"datasetProperties":         described("description"),
	"editableDatasetProperties": described("description"),
	"businessAttributeInfo":     described("description"),
	"schemaMetadata":            schema,
	"editableSchemaMetadata":    editedColumns,
}

// item is one element of a list that is compared by key.
type item struct {
	key, modifier string
	value         string // items with equal keys and different values are modified
	parameters    jsontree.Object
}

// diffItems returns the removed elements, in the order of before, and then the added or modified
// elements, in the order of after. For equal keys the first element counts.
func diffItems(u urn.URN, category string, before, after []item) []change {
	old, kept := map[string]*item{}, map[string]bool{}
	for i := range before {
		if old[before[i].key] == nil {
			old[before[i].key] = &before[i]
		}
	}
	for i := range after {
		kept[after[i].key] = true
	}
	var out []change
	tell := func(operation string, i *item) {
		out = append(out, change{u, category, operation, i.modifier, i.parameters})
	}
	gone := map[string]bool{}
	for i := range before {
		if k := before[i].key; !kept[k] && !gone[k] {
			gone[k] = true
			tell(removed, &before[i])
		}
	}
	for i := range after {
		switch was := old[after[i].key]; {
		case !kept[after[i].key]: // handled already
			continue
		case was == nil:
			tell(added, &after[i])
		case was.value != after[i].value:
			tell(modified, &after[i])
		}
		kept[after[i].key] = false
	}
	return out
}

// details returns the source details of an attribution as JSON text, the form of the event
// parameter.
func details(o jsontree.Object) string {
	if found := jsontree.Child(jsontree.Child(o, "attribution"), "sourceDetail"); len(found) > 0 {
		return string(jsontree.Encode(found))
	}
	return "{}"
}

// labels returns items for tags or terms: of the entity, or of a column if path is set.
func labels(list []jsontree.Object, member, parameter string, parent urn.URN, path string) []item {
	out := make([]item, 0, len(list))
	for _, o := range list {
		label := jsontree.Text(o, member)
		parameters := jsontree.Object{parameter: label, "context": cmp.Or(jsontree.Text(o, "context"), "{}")}
		if path != "" {
			parameters["fieldPath"], parameters["parentUrn"] = path, string(parent)
		} else {
			parameters["sourceDetails"] = details(o)
		}
		out = append(out, item{key: label, modifier: label, parameters: parameters})
	}
	return out
}

func tagItems(v jsontree.Object, parent urn.URN, path string) []item {
	return labels(jsontree.Children(v, "tags"), "tag", "tagUrn", parent, path)
}

func termItems(v jsontree.Object, parent urn.URN, path string) []item {
	return labels(jsontree.Children(v, "terms"), "urn", "termUrn", parent, path)
}

func tags(u urn.URN, before, after jsontree.Object) []change {
	return diffItems(u, "TAG", tagItems(before, u, ""), tagItems(after, u, ""))
}

func terms(u urn.URN, before, after jsontree.Object) []change {
	return diffItems(u, "GLOSSARY_TERM", termItems(before, u, ""), termItems(after, u, ""))
}

func owners(u urn.URN, before, after jsontree.Object) []change {
	items := func(v jsontree.Object) []item {
		var out []item
		for _, o := range jsontree.Children(v, "owners") {
			owner, kind, kindURN := jsontree.Text(o, "owner"), jsontree.Text(o, "type"), jsontree.Text(o, "typeUrn")
			parameters := jsontree.Object{"ownerUrn": owner, "ownerType": kind, "sourceDetails": details(o)}
			if kindURN != "" {
				parameters["ownerTypeUrn"] = kindURN
			}
			out = append(out, item{key: kind + " " + kindURN + " " + owner, modifier: owner, parameters: parameters})
		}
		return out
	}
	return diffItems(u, "OWNERSHIP", items(before), items(after))
}

// domain compares only the first domain, which clients regard as the domain of the asset.
func domain(u urn.URN, before, after jsontree.Object) []change {
	items := func(v jsontree.Object) []item {
		all := jsontree.Texts(v, "domains")
		if len(all) == 0 {
			return nil
		}
		parameters := jsontree.Object{"domainUrn": all[0], "context": "{}", "sourceDetails": "{}"}
		for _, o := range jsontree.Children(v, "domainAssociations") {
			if jsontree.Text(o, "domain") == all[0] {
				parameters["context"], parameters["sourceDetails"] = cmp.Or(jsontree.Text(o, "context"), "{}"), details(o)
			}
		}
		return []item{{key: all[0], modifier: all[0], parameters: parameters}}
	}
	return diffItems(u, "DOMAIN", items(before), items(after))
}

func deprecation(u urn.URN, before, after jsontree.Object) []change {
	was, is := jsontree.Bool(before, "deprecated"), jsontree.Bool(after, "deprecated")
	if was == is {
		return nil
	}
	parameters := jsontree.Object{"status": "ACTIVE"}
	if is {
		parameters = jsontree.Object{"status": "DEPRECATED", "note": jsontree.Text(after, "note")}
		if when, ok := after["decommissionTime"].(json.Number); ok {
			parameters["timestamp"] = when.String()
		}
	}
	return []change{{u, "DEPRECATION", modified, "", parameters}}
}

func status(u urn.URN, before, after jsontree.Object) []change {
	switch {
	case jsontree.Bool(after, "removed"):
		return []change{{u, "LIFECYCLE", "SOFT_DELETE", "", nil}}
	case jsontree.Bool(before, "removed"):
		return []change{{u, "LIFECYCLE", "REINSTATE", "", nil}}
	}
	return nil
}

func properties(u urn.URN, before, after jsontree.Object) []change {
	items := func(v jsontree.Object) []item {
		var out []item
		for _, o := range jsontree.Children(v, "properties") {
			property, values := jsontree.Text(o, "propertyUrn"), plainValues(o)
			out = append(out, item{
				key: property, modifier: property, value: values,
				parameters: jsontree.Object{"propertyUrn": property, "propertyValues": values, "sourceDetails": details(o)},
			})
		}
		slices.SortStableFunc(out, func(a, b item) int { return cmp.Compare(a.key, b.key) })
		return out
	}
	return diffItems(u, "STRUCTURED_PROPERTY", items(before), items(after))
}

// plainValues returns the values of a property as JSON text, without the names of their types.
func plainValues(o jsontree.Object) string {
	values := []any{}
	for _, v := range jsontree.Array(o, "values") {
		for _, inner := range jsontree.AsObject(v) {
			v = inner
		}
		values = append(values, v)
	}
	return string(jsontree.Encode(values))
}

const documentationCategory = "DOCUMENTATION"

// diffTexts compares two versions of a descriptive text.
func diffTexts(u urn.URN, modifier, parameter, before, after string, more jsontree.Object) []change {
	if before == after {
		return nil
	}
	parameters := jsontree.Object{parameter: after}
	for name, value := range more {
		parameters[name] = value
	}
	operation := modified
	switch {
	case before == "":
		operation = added
	case after == "":
		operation, parameters[parameter] = removed, before
	case parameter == "description":
		parameters["previousDescription"] = before
	}
	return []change{{u, documentationCategory, operation, modifier, parameters}}
}

func described(member string) comparer {
	return func(u urn.URN, before, after jsontree.Object) []change {
		return diffTexts(u, "", "description", jsontree.Text(before, member), jsontree.Text(after, member), nil)
	}
}

// documentations compares the texts of several sources by source.
func documentations(u urn.URN, before, after jsontree.Object) []change {
	read := func(v jsontree.Object) (sources []string, texts map[string]string) {
		texts = map[string]string{}
		for _, o := range jsontree.Children(v, "documentations") {
			source := jsontree.Text(jsontree.Child(o, "attribution"), "source")
			if _, ok := texts[source]; !ok {
				sources = append(sources, source)
				texts[source] = jsontree.Text(o, "documentation")
			}
		}
		return sources, texts
	}
	was, old := read(before)
	is, now := read(after)
	var out []change
	for _, source := range was {
		if _, kept := now[source]; !kept {
			out = append(out, diffTexts(u, source, "documentation", old[source], "", nil)...)
		}
	}
	for _, source := range is {
		out = append(out, diffTexts(u, source, "documentation", old[source], now[source], nil)...)
	}
	return out
}

// schema compares columns and their ingested descriptions, tags and terms.
func schema(u urn.URN, before, after jsontree.Object) []change {
	return append(columnChanges(u, before, after), columnNotes(u, jsontree.Children(before, "fields"), jsontree.Children(after, "fields"), false)...)
}

// editedColumns compares the descriptions, tags and terms of columns that users edited.
func editedColumns(u urn.URN, before, after jsontree.Object) []change {
	const list = "editableSchemaFieldInfo"
	return columnNotes(u, jsontree.Children(before, list), jsontree.Children(after, list), true)
}

// columnNotes compares descriptions, tags and terms of columns. It includes those of added and
// removed columns.
func columnNotes(u urn.URN, before, after []jsontree.Object, edited bool) []change {
	old := map[string]jsontree.Object{}
	var paths []string
	for _, f := range before {
		path := jsontree.Text(f, "fieldPath")
		if old[path] == nil {
			old[path] = f
			paths = append(paths, path)
		}
	}
	now := map[string]jsontree.Object{}
	for _, f := range after {
		path := jsontree.Text(f, "fieldPath")
		if now[path] == nil {
			now[path] = f
			if old[path] == nil {
				paths = append(paths, path)
			}
		}
	}
	var out []change
	for _, path := range paths {
		was, is := old[path], now[path]
		column := model.ColumnURN(u, path)
		modifier := ""
		if edited {
			modifier = path
		}
		out = append(out, diffTexts(column, modifier, "description", jsontree.Text(was, "description"), jsontree.Text(is, "description"),
			jsontree.Object{"fieldPath": path, "parentUrn": string(u)})...)
		out = append(out, diffItems(column, "TAG", tagItems(jsontree.Child(was, "globalTags"), u, path), tagItems(jsontree.Child(is, "globalTags"), u, path))...)
		out = append(out, diffItems(column, "GLOSSARY_TERM", termItems(jsontree.Child(was, "glossaryTerms"), u, path), termItems(jsontree.Child(is, "glossaryTerms"), u, path))...)
	}
	return out
}

package timeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// source is an aspect and the functions that derive facts and events from it.
type source struct {
	aspect     string
	categories []Category
	facts      func(u urn.URN, value jsontree.Object) []fact
	// compare returns changes of the first category that facts do not express; nil for most
	// aspects.
	compare func(u urn.URN, before, after jsontree.Object) []Event
}

// knownSources returns the aspects with facts other than a description.
func knownSources() []source {
	return []source{
		{"schemaMetadata", []Category{Schema, Documentation, Tags, Terms}, schemaFacts, columnEvents},
		{"editableSchemaMetadata", []Category{Documentation, Tags, Terms}, editedFacts, nil},
		{"globalTags", []Category{Tags}, func(u urn.URN, v jsontree.Object) []fact { return labels(Tags, v, u, "") }, nil},
		{"glossaryTerms", []Category{Terms}, func(u urn.URN, v jsontree.Object) []fact { return labels(Terms, v, u, "") }, nil},
		{"ownership", []Category{Ownership}, ownerFacts, nil},
		{"domains", []Category{Domain}, urnListFacts(Domain, "domains", "domain", "domainUrn"), nil},
		{"applications", []Category{Application}, urnListFacts(Application, "applications", "application", "applicationUrn"), nil},
		{"structuredProperties", []Category{Properties}, propertyFacts, nil},
		{"deprecation", []Category{Deprecation}, deprecationFacts, nil},
		{"institutionalMemory", []Category{Documentation}, linkFacts, nil},
		{"documentation", []Category{Documentation}, documentationFacts, nil},
		{"documentInfo", []Category{Documentation, Parent, Related}, documentFacts, nil},
		{"container", []Category{Parent}, parent("container"), nil},
		{"domainProperties", []Category{Documentation, Parent}, withDescription("description", parent("parentDomain")), nil},
		{"glossaryTermInfo", []Category{Documentation, Parent}, withDescription("definition", parent("parentNode")), nil},
		{"glossaryNodeInfo", []Category{Documentation, Parent}, withDescription("definition", parent("parentNode")), nil},
		{"applicationProperties", []Category{Documentation, Parent}, withDescription("description", parent("parentApplication")), nil},
		{"dataProductProperties", []Category{Documentation, Parent, Membership}, withDescription("description", productFacts), nil},
		{"glossaryRelatedTerms", []Category{Terms}, relatedTerms, nil},
		{"versionProperties", []Category{Versioning}, versionFacts, nil},
	}
}

// sourcesOf returns the aspects of an entity type with facts of the categories: the known aspects
// and every aspect with a description. Confidential aspects are omitted.
func sourcesOf(entity *model.EntitySpec, categories []Category) []source {
	all := knownSources()
	var out []source
	for _, spec := range entity.Aspects {
		i := slices.IndexFunc(all, func(s source) bool { return s.aspect == spec.Name })
		s := source{spec.Name, []Category{Documentation}, withDescription("description", nil), nil}
		switch {
		case spec.Confidential():
			continue
		case i >= 0:
			s = all[i]
		case !slices.ContainsFunc(spec.Record.Fields, func(f model.Field) bool { return f.Name == "description" && f.Type.Shape == model.String }):
			continue
		}
		if slices.ContainsFunc(s.categories, func(c Category) bool { return slices.Contains(categories, c) }) {
			out = append(out, s)
		}
	}
	return out
}

// withDescription adds the description in a member to the other facts of an aspect.
func withDescription(member string, more func(urn.URN, jsontree.Object) []fact) func(urn.URN, jsontree.Object) []fact {
	return func(u urn.URN, v jsontree.Object) []fact {
		out := description(u, u, jsontree.Text(v, member), "the "+member)
		if more != nil {
			out = append(out, more(u, v)...)
		}
		return out
	}
}

// description returns the fact for a description, or none for an empty text.
func description(subject, of urn.URN, words, noun string) []fact {
	if words == "" {
		return nil
	}
	return []fact{{
		category: Documentation, key: string(of), subject: subject, modifier: string(of), value: words, noun: noun, parameters: parameters("description", words),
	}}
}

// labels returns facts for the tags or terms of an entity or, if column is set, of a column.
func labels(c Category, v jsontree.Object, subject urn.URN, column string) []fact {
	list, member, name, parameter := "tags", "tag", "tag", "tagUrn"
	if c == Terms {
		list, member, name, parameter = "terms", "urn", "glossary term", "termUrn"
	}
	var out []fact
	for _, o := range jsontree.Children(v, list) {
		label := jsontree.Text(o, member)
		noun := name + " " + label
		if column != "" {
			noun += " of column " + column
		}
		out = append(out, fact{
			category: c, key: string(subject) + " " + label, subject: subject, modifier: label, noun: noun,
			parameters: parameters(parameter, label, "fieldPath", column, "context", jsontree.Text(o, "context")),
		})
	}
	return out
}

func ownerFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, o := range jsontree.Children(v, "owners") {
		owner, kind, kindURN := jsontree.Text(o, "owner"), jsontree.Text(o, "type"), string(model.OwnershipType(o))
		out = append(out, fact{
			category: Ownership, key: owner + " " + kindURN, subject: u, modifier: owner, noun: "owner " + owner + " of type " + kindURN,
			parameters: parameters("ownerUrn", owner, "ownerType", kind, "ownerTypeUrn", kindURN),
		})
	}
	return out
}

// urnListFacts returns a function that reads an aspect with a list of URNs.
func urnListFacts(c Category, member, name, parameter string) func(urn.URN, jsontree.Object) []fact {
	return func(u urn.URN, v jsontree.Object) []fact {
		list, _ := v[member].([]any)
		var out []fact
		for _, e := range list {
			other, _ := e.(string)
			out = append(out, fact{
				category: c, key: other, subject: u, modifier: other, noun: name + " " + other, parameters: parameters(parameter, other),
			})
		}
		return out
	}
}

func propertyFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, o := range jsontree.Children(v, "properties") {
		property, values := jsontree.Text(o, "propertyUrn"), encodeValues(o["values"])
		out = append(out, fact{
			category: Properties, key: property, subject: u, modifier: property, value: values, displayValue: truncate(values, 200),
			noun: "structured property " + property, parameters: parameters("propertyUrn", property, "propertyValues", values),
		})
	}
	return out
}

// encodeValues encodes a list of values as JSON without the names of their types.
func encodeValues(v any) string {
	list, _ := v.([]any)
	out := make([]any, 0, len(list))
	for _, e := range list {
		if o, ok := e.(jsontree.Object); ok && len(o) == 1 {
			for _, inner := range o {
				e = inner
			}
		}
		out = append(out, e)
	}
	return string(jsontree.Encode(out))
}

func deprecationFacts(u urn.URN, v jsontree.Object) []fact {
	if deprecated, _ := v["deprecated"].(bool); !deprecated {
		return nil
	}
	when, _ := v["decommissionTime"].(json.Number)
	note, replacement := jsontree.Text(v, "note"), jsontree.Text(v, "replacement")
	return []fact{{
		category: Deprecation, key: "deprecated", subject: u, modifier: string(u), value: strings.Join([]string{note, when.String(), replacement}, "\x00"),
		noun: "the deprecation", parameters: parameters("note", note, "decommissionTime", when.String(), "replacement", replacement),
	}}
}

// linkFacts returns links by address. A repeated link gives several facts.
func linkFacts(u urn.URN, v jsontree.Object) []fact {
	links := jsontree.Children(v, "elements")
	slices.SortStableFunc(links, func(a, b jsontree.Object) int {
		return strings.Compare(jsontree.Text(a, "url"), jsontree.Text(b, "url"))
	})
	var out []fact
	again := 0 // number of earlier links with the same address
	for i, o := range links {
		url, words := jsontree.Text(o, "url"), jsontree.Text(o, "description")
		if again++; i == 0 || jsontree.Text(links[i-1], "url") != url {
			again = 0
		}
		out = append(out, fact{
			category: Documentation, key: fmt.Sprint("link ", url, " ", again), subject: u, modifier: url, value: words, noun: "link " + truncate(url, 200),
			parameters: parameters("url", url, "description", words),
		})
	}
	return out
}

func documentationFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for i, o := range jsontree.Children(v, "documentations") {
		attribution, _ := o["attribution"].(jsontree.Object)
		origin, noun := jsontree.Text(attribution, "source"), "the documentation"
		if origin != "" {
			noun += " from " + origin
		}
		found := description(u, u, jsontree.Text(o, "documentation"), noun)
		for j := range found {
			found[j].key = fmt.Sprintf("documentation %s", origin)
			if origin == "" {
				found[j].key += fmt.Sprint(i)
			}
		}
		out = append(out, found...)
	}
	return out
}

func documentFacts(u urn.URN, v jsontree.Object) []fact {
	contents, _ := v["contents"].(jsontree.Object)
	out := description(u, u, jsontree.Text(contents, "text"), "the text")
	above, _ := v["parentDocument"].(jsontree.Object)
	out = append(out, parent("document")(u, above)...)
	for _, o := range jsontree.Children(v, "relatedAssets") {
		out = append(out, related(u, "relatedAssets", jsontree.Text(o, "asset")))
	}
	for _, o := range jsontree.Children(v, "relatedDocuments") {
		out = append(out, related(u, "relatedDocuments", jsontree.Text(o, "document")))
	}
	return out
}

// parent returns a function that reads the parent of an entity from a member.
func parent(member string) func(urn.URN, jsontree.Object) []fact {
	return func(u urn.URN, v jsontree.Object) []fact {
		above := jsontree.Text(v, member)
		if above == "" {
			return nil
		}
		return []fact{{
			category: Parent, key: "parent", subject: u, modifier: above, value: above, displayValue: above, noun: "the parent",
			parameters: parameters("parentUrn", above),
		}}
	}
}

func productFacts(u urn.URN, v jsontree.Object) []fact {
	out := parent("parentDataProduct")(u, v)
	for _, o := range jsontree.Children(v, "assets") {
		asset := jsontree.Text(o, "destinationUrn")
		out = append(out, fact{
			category: Membership, key: asset, subject: u, modifier: asset, noun: "asset " + asset, parameters: parameters("assetUrn", asset),
		})
	}
	return out
}

// relatedTerms returns the related terms of a glossary term, for each of four relationship types.
func relatedTerms(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, way := range []struct{ member, name string }{
		{"isRelatedTerms", "Is A"}, {"hasRelatedTerms", "Has A"}, {"values", "Has Value"}, {"relatedTerms", "Is Related To"},
	} {
		list, _ := v[way.member].([]any)
		for _, e := range list {
			other, _ := e.(string)
			out = append(out, fact{
				category: Terms, key: way.member + " " + other, subject: u, modifier: other, noun: "relationship " + way.name + " with " + other,
				parameters: parameters("termUrn", other, "relationshipType", way.name),
			})
		}
	}
	return out
}

func related(u urn.URN, kind, other string) fact {
	return fact{
		category: Related, key: kind + " " + other, subject: u, modifier: other, noun: kind + " " + other,
		parameters: parameters("relatedUrn", other, "relationship", kind),
	}
}

func versionFacts(u urn.URN, v jsontree.Object) []fact {
	version, _ := v["version"].(jsontree.Object)
	set, label := jsontree.Text(v, "versionSet"), jsontree.Text(version, "versionTag")
	latest, _ := v["isLatest"].(bool)
	comment, isLatest := jsontree.Text(v, "comment"), fmt.Sprint(latest)
	return []fact{{
		category: Versioning, key: set, subject: u, modifier: set, value: strings.Join([]string{label, comment, isLatest, jsontree.Text(v, "sortId")}, "\x00"),
		noun: "version " + label + " in " + set, parameters: parameters("versionSet", set, "version", label, "isLatest", isLatest, "comment", comment),
	}}
}

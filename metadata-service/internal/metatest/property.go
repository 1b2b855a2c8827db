package metatest

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// property is a checked property of an asset, or of an element of a list.
type property interface {
	name() string
	kind() valueKind
	// values returns texts in exact form, including true and false, and numbers.
	values(f *Facts, element any) (texts []string, numbers []float64)
	// field returns the field of the search index with the same values. It is empty if there is
	// none.
	field() string
}

// typeField is the field of the entity type in the search index.
const typeField = "_entityType"

// property resolves a name. If there is no such property, it adds a problem and returns nil.
func (p *parser) property(path, name string) property {
	if p.element != nil {
		return p.elementProperty(path, name)
	}
	head, rest, _ := strings.Cut(name, ".")
	switch head {
	case "relationships":
		return p.relation(path, name, rest)
	case "timeseries":
		return p.series(path, name, rest)
	case structuredPropertiesAspect:
		if strings.HasPrefix(rest, "urn:") {
			return p.structuredProperty(path, name, rest)
		}
	}
	switch name {
	case "urn":
		p.reads.document = true
		return fieldProperty{"urn", text, "urn"}
	case "entityType":
		p.reads.document = true
		return fieldProperty{"entityType", text, typeField}
	}
	if spec, ok := p.registry.Aspect(head); ok && (rest != "" || !p.isField(head)) {
		return p.path(path, name, spec, rest)
	}
	if f := p.searchField(name); f != nil {
		p.reads.document = true
		p.recordSources(f.indexed)
		return *f
	}
	p.problem(path, "%q is no search field of %s, and no path that begins with an aspect", name, strings.Join(p.typeNames(), ", "))
	return nil
}

func (p *parser) typeNames() []string {
	names := make([]string, len(p.types))
	for i, spec := range p.types {
		names[i] = spec.Name
	}
	return names
}

func (p *parser) isField(name string) bool { return p.searchField(name) != nil }

// fieldProperty is a field of the search document.
type fieldProperty struct {
	given   string
	of      valueKind
	indexed string
}

func (f fieldProperty) name() string    { return f.given }
func (f fieldProperty) kind() valueKind { return f.of }
func (f fieldProperty) field() string   { return f.indexed }

func (f fieldProperty) values(facts *Facts, _ any) ([]string, []float64) {
	return facts.Document.Values(f.indexed, facts.kindOf)
}

// searchField finds a field of a type by its name or an alias. Fields of structured properties
// exist in all types.
func (p *parser) searchField(name string) *fieldProperty {
	name = search.PlainName(name)
	if strings.HasPrefix(name, search.PropertyPrefix) {
		return &fieldProperty{name, anyKind, name}
	}
	object, _, isKey := strings.Cut(name, ".")
	if p.schemas == nil {
		p.schemas = document.Schemas(p.registry)
	}
	for _, schema := range p.schemas {
		if !slices.Contains(p.typeNames(), schema.EntityType) {
			continue
		}
		for _, f := range schema.Fields {
			switch {
			case f.Name == name || slices.Contains(f.Aliases, name):
				return &fieldProperty{name, kindOfField(f.Kind), f.Name}
			case isKey && f.Name == object && f.Kind == search.ObjectKind:
				return &fieldProperty{name, text, name}
			}
		}
	}
	return nil
}

// recordSources records the aspects from which a search field is derived.
func (p *parser) recordSources(field string) {
	name, _, _ := strings.Cut(field, ".")
	found := false
	for _, t := range p.types {
		for _, a := range t.Aspects {
			for _, s := range a.Search {
				if s.Field == name || s.HasValues == name || s.NumValues == name {
					p.reads.fields, found = insert(p.reads.fields, a.Name), true
				}
			}
		}
	}
	if name+"." == search.PropertyPrefix {
		p.reads.fields, found = insert(p.reads.fields, structuredPropertiesAspect), true
	}
	p.reads.derived = p.reads.derived || !found
}

func kindOfField(k search.Kind) valueKind {
	switch k {
	case search.Count, search.Double, search.DateTime:
		return number
	case search.Boolean:
		return boolean
	}
	return text
}

package metatest

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

const structuredPropertiesAspect = "structuredProperties"

// structuredProperty holds the values of one structured property, by its URN.
type structuredProperty struct {
	given string
	of    urn.URN
}

func (s structuredProperty) name() string    { return s.given }
func (s structuredProperty) kind() valueKind { return anyKind }
func (s structuredProperty) field() string   { return "" }

func (s structuredProperty) values(f *Facts, _ any) (texts []string, numbers []float64) {
	p, defined := f.Properties[s.of]
	if !defined {
		return s.written(f)
	}
	for _, assigned := range s.assignments(f) {
		values := p.Values(assigned)
		if len(values) == 0 {
			continue
		}
		texts, numbers = nil, nil // of several assignments the last one is indexed
		for _, v := range values {
			if p.IsNumber() {
				numbers = append(numbers, v.Number)
			} else {
				texts = append(texts, search.ExactForm(v.Text))
			}
		}
	}
	return texts, numbers
}

// written returns the values as they were assigned, regardless of the type of the property.
func (s structuredProperty) written(f *Facts) (texts []string, numbers []float64) {
	for _, assigned := range s.assignments(f) {
		if t, n := leaves(follow(nil, f, assigned["values"], []step{{kind: toAll}})); len(t)+len(n) > 0 {
			texts, numbers = t, n
		}
	}
	return texts, numbers
}

func (s structuredProperty) assignments(f *Facts) (list []jsontree.Object) {
	value, _ := f.aspect(structuredPropertiesAspect)
	for _, assigned := range jsontree.Children(jsontree.AsObject(value), "properties") {
		if jsontree.Text(assigned, "propertyUrn") == string(s.of) {
			list = append(list, assigned)
		}
	}
	return list
}

func (p *parser) structuredProperty(at, name, text string) property {
	u, spec, err := p.registry.Resolve(text)
	if err != nil || spec.Name != "structuredProperty" {
		p.problem(at, "%q is no URN of a structured property", text)
		return nil
	}
	p.reads.add(structuredPropertiesAspect)
	p.reads.property(u)
	if !slices.ContainsFunc(p.reads.references, Definitions.Equal) {
		p.reads.references = append(p.reads.references, Definitions)
	}
	return structuredProperty{name, u}
}

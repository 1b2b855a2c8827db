package discover

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// fieldIndex looks up the search fields of entity types.
type fieldIndex struct {
	schemas []search.Schema
	all     []string                          // types
	kinds   map[string]map[string]search.Kind // by type and name, aliases included
	names   map[string]string                 // names to show facets by
}

func newFieldIndex(registry *model.Registry) *fieldIndex {
	f := &fieldIndex{schemas: document.Schemas(registry), kinds: map[string]map[string]search.Kind{}, names: map[string]string{typeField: "Type", entityField: "Type"}}
	for _, schema := range f.schemas {
		kinds := map[string]search.Kind{}
		for i := range schema.Fields {
			field := &schema.Fields[i]
			kinds[field.Name] = field.Kind
			for _, alias := range field.Aliases {
				kinds[alias] = field.Kind
			}
			if field.DisplayName != "" && f.names[field.Name] == "" {
				f.names[field.Name] = field.DisplayName
			}
		}
		f.kinds[schema.EntityType] = kinds
		f.all = append(f.all, schema.EntityType)
	}
	return f
}

// types lists all that are searched. It is shared.
func (f *fieldIndex) types() []string { return f.all }

func (f *fieldIndex) has(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool { return f.kinds[t][field] != "" })
}

// holdsURNs reports whether any of the types has the field with URNs of other entities as
// values.
func (f *fieldIndex) holdsURNs(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		kind := f.kinds[t][field]
		return kind == search.URNKind || kind == search.URNPartial
	})
}

// holdsPaths reports whether any of the types has the field with paths of the browse tree, whose
// steps may be URNs.
func (f *fieldIndex) holdsPaths(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		kind := f.kinds[t][field]
		return kind == search.BrowsePath || kind == search.BrowsePathV2
	})
}

// sortable tells whether any of the types has a field of a kind with an order
// people expect.
func (f *fieldIndex) sortable(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		switch f.kinds[t][field] {
		case "", search.URNKind, search.URNPartial, search.BrowsePath, search.BrowsePathV2, search.ObjectKind:
			return false
		}
		return true
	})
}

// FacetName is the name to show a facet by; its field's name when the registry
// gives none. The name of a nested facet joins those of its fields.
func (s *Service) FacetName(field string) string {
	parts := strings.Split(field, "␞")
	for i, part := range parts {
		if name := s.fields.names[search.PlainName(part)]; name != "" {
			parts[i] = name
		}
	}
	return strings.Join(parts, "␞")
}

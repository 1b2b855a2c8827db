package discover

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// fieldIndex looks up the search fields of entity types. It is safe for concurrent use.
type fieldIndex struct {
	schemas []search.Schema
	all     []string                          // all entity types
	kinds   map[string]map[string]search.Kind // by type and name, aliases included
	names   map[string]string                 // display names of facets
	// urns are the fields with URNs, by type. They are computed at the first request of an actor
	// from which entities are hidden, because they take a megabyte.
	urns func() map[string][]document.URNField

	mu              sync.Mutex
	restrictedCache map[string][]string // results of restrictedFields
}

func newFieldIndex(registry *model.Registry) *fieldIndex {
	f := &fieldIndex{schemas: document.Schemas(registry), kinds: map[string]map[string]search.Kind{}, names: map[string]string{typeField: "Type", entityField: "Type"}, restrictedCache: map[string][]string{}}
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
	f.urns = sync.OnceValue(func() map[string][]document.URNField {
		urns := make(map[string][]document.URNField, len(f.all))
		for _, name := range f.all {
			if entity, ok := registry.Entity(name); ok {
				urns[name] = document.URNFields(registry, entity)
			}
		}
		return urns
	})
	return f
}

// types lists all searched types. Callers must not change the list.
func (f *fieldIndex) types() []string { return f.all }

func (f *fieldIndex) has(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool { return f.kinds[t][field] != "" })
}

// maxCachedLists bounds the cached lists of fields.
const maxCachedLists = 256

// restrictedFields lists the fields of some types whose values may be URNs of entities of
// restricted types, sorted. It caches the list; callers must not change it.
func (f *fieldIndex) restrictedFields(types []string, restricted map[string]bool) []string {
	key := strings.Join(types, " ") + "|" + strings.Join(slices.Sorted(maps.Keys(restricted)), " ")
	f.mu.Lock()
	defer f.mu.Unlock()
	if names, known := f.restrictedCache[key]; known {
		return names
	}
	named := map[string]bool{}
	for _, t := range types {
		for i := range f.urns()[t] {
			if field := &f.urns()[t][i]; !named[field.Name] && field.Tells(restricted) {
				named[field.Name] = true
			}
		}
	}
	if len(f.restrictedCache) >= maxCachedLists {
		clear(f.restrictedCache)
	}
	names := slices.Clip(slices.Sorted(maps.Keys(named)))
	f.restrictedCache[key] = names
	return names
}

// mayHoldRestricted reports whether a criterion on a field uses values that may be URNs of entities
// of restricted types.
func (f *fieldIndex) mayHoldRestricted(types []string, field string, restricted map[string]bool) bool {
	for part := range strings.SplitSeq(field, nestSeparator) {
		for _, name := range search.Expand(part) {
			for _, t := range types {
				if slices.ContainsFunc(f.urns()[t], func(of document.URNField) bool {
					named := of.Name == name || strings.HasPrefix(name, of.Name+".") || slices.Contains(of.Aliases, name)
					return named && of.Tells(restricted)
				}) {
					return true
				}
			}
		}
	}
	return false
}

// namesEntities reports whether a field, or each part of a nested one, holds the type of an entity,
// URNs, or the soft-deletion mark.
func (f *fieldIndex) namesEntities(types []string, field string) bool {
	for part := range strings.SplitSeq(field, nestSeparator) {
		for _, name := range search.Expand(part) {
			if name == typeField || name == entityField || name == "urn" || name == "removed" {
				continue
			}
			for _, t := range types {
				if kind := f.kinds[t][name]; kind != "" && kind != search.URNKind && kind != search.URNPartial {
					return false
				}
			}
			if !f.has(types, name) {
				return false
			}
		}
	}
	return true
}

// known reports whether a name before a colon names a field of any type. It is consistent with the
// index.
func (f *fieldIndex) known(name string) bool {
	name = search.PlainName(name)
	if name == "urn" || name == typeField || strings.HasPrefix(name, search.PropertyPrefix) {
		return true
	}
	object, _, _ := strings.Cut(name, ".")
	for _, kinds := range f.kinds {
		if kinds[name] != "" || object != name && kinds[object] == search.ObjectKind {
			return true
		}
	}
	return false
}

// sortable reports whether any of the types has a field of a kind with a meaningful order.
func (f *fieldIndex) sortable(types []string, field string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		switch f.kinds[t][field] {
		case "", search.URNKind, search.URNPartial, search.BrowsePath, search.BrowsePathV2, search.ObjectKind:
			return false
		}
		return true
	})
}

// FacetName returns the display name of a facet, or the name of its field if the registry has none.
// The name of a nested facet joins those of its fields.
func (s *Service) FacetName(field string) string {
	parts := strings.Split(field, "␞")
	for i, part := range parts {
		if name := s.fields.names[search.PlainName(part)]; name != "" {
			parts[i] = name
		}
	}
	return strings.Join(parts, "␞")
}

package discover

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// refuseRemovedProperties refuses filters on soft-deleted structured properties: their values are
// hidden, and a filter would still reveal them.
func (s *Service) refuseRemovedProperties(ctx context.Context, filters []search.Filter) error {
	asked := map[string]bool{}
	for _, c := range criteria(filters...) {
		if name, ok := strings.CutPrefix(c.Field, search.PropertyPrefix); ok && name != "" {
			asked[name] = true
		}
	}
	for name := range asked {
		property, removed, err := s.removedProperty(ctx, name)
		if err != nil {
			return err
		}
		if removed {
			return fault.New(fault.Malformed, "Cannot filter on deleted Structured Property %s; leave %s out of the filter or restore the property", property, search.PropertyPrefix+name)
		}
	}
	return nil
}

// removedProperty returns the property of a field if all properties with its name are soft-deleted.
func (s *Service) removedProperty(ctx context.Context, field string) (urn.URN, bool, error) {
	for _, name := range propertyNames(field) {
		found, err := s.Catalog.Lookup(ctx, rule.PropertyFieldTerm(name))
		if err != nil {
			return "", false, err
		}
		if len(found) == 0 {
			continue
		}
		removed, err := s.Catalog.SoftDeleted(ctx, found)
		if err != nil {
			return "", false, err
		}
		for _, gone := range removed {
			if !gone {
				return "", false, nil
			}
		}
		return found[0], true, nil
	}
	return "", false, nil
}

// isURNProperty reports whether a field belongs to a structured property with URNs as values. For a
// versioned definition it uses the name of the field.
func (s *Service) isURNProperty(ctx context.Context, field string) (bool, error) {
	field, ok := strings.CutPrefix(field, search.PropertyPrefix)
	if !ok {
		return false, nil
	}
	if strings.HasPrefix(field, "_versioned.") {
		return strings.HasSuffix(strings.TrimSuffix(field, ".keyword"), ".urn"), nil
	}
	for _, name := range propertyNames(field) {
		found, err := s.Catalog.Lookup(ctx, rule.PropertyFieldTerm(name))
		if err != nil {
			return false, err
		}
		keys := make([]store.Key, len(found))
		for i, u := range found {
			keys[i] = store.Key{URN: u, Aspect: "propertyDefinition"}
		}
		records, err := s.Catalog.Latest(ctx, keys...)
		if err != nil {
			return false, err
		}
		for _, rec := range records {
			if rec == nil {
				continue
			}
			definition, err := jsontree.DecodeObject(rec.Value)
			if err != nil {
				return false, err
			}
			if document.PropertyOf(definition).Kind == search.URNKind {
				return true, nil
			}
		}
	}
	return false, nil
}

// propertyNames returns the possible names of the property of a field: the whole name, and the name
// without a subfield such as keyword at its end.
func propertyNames(field string) []string {
	if versioned, ok := strings.CutPrefix(field, "_versioned."); ok {
		name, _, _ := strings.Cut(versioned, ".")
		return []string{name}
	}
	names := []string{field}
	if i := strings.LastIndexByte(field, '.'); i > 0 {
		names = append(names, field[:i])
	}
	return names
}

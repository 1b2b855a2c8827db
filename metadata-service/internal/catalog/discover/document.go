package discover

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// copiedFrom is the suffix of the field with the entities that the fields with the same prefix are
// copied from.
const copiedFrom = ".urn"

// DiscloseDocuments removes from search documents, in place, the values that view authorization
// hides from the actor in ctx: URNs of hidden entities, values of hidden structured properties, and
// values copied from hidden entities. The caller must have checked that the actor may read the
// entities of the documents. Nil documents are skipped.
func (s *Service) DiscloseDocuments(ctx context.Context, docs []*search.Document) error {
	restricted, err := s.Catalog.RestrictedTypes(ctx)
	if err != nil || len(restricted) == 0 {
		return err
	}
	properties, err := s.propertiesOf(ctx, docs)
	if err != nil {
		return err
	}
	urns := slices.Concat(slices.Collect(maps.Values(properties))...)
	for _, d := range docs {
		if d != nil {
			urns = append(urns, urnsOf(d)...)
		}
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return err
	}
	isHidden := func(u urn.URN) bool { return hidden[u] }
	for _, d := range docs {
		if d != nil {
			discloseDocument(d, properties, isHidden)
		}
	}
	return nil
}

// discloseDocument removes values from one search document; properties is the result of
// propertiesOf.
func discloseDocument(d *search.Document, properties map[string][]urn.URN, hidden func(urn.URN) bool) {
	var assigned []urn.URN
	for _, v := range d.Fields[document.AssignedProperties] {
		assigned = append(assigned, urn.URN(v.Text))
	}
	var copied []string // prefixes of the fields copied from hidden entities
	for field, values := range d.Fields {
		kept := slices.DeleteFunc(slices.Clone(values), func(v search.Value) bool { return slices.ContainsFunc(urnsWithin(v.Text), hidden) })
		if len(kept) < len(values) && strings.HasSuffix(field, copiedFrom) && !strings.HasPrefix(field, search.PropertyPrefix) {
			copied = append(copied, strings.TrimSuffix(field, copiedFrom)+".")
		}
		of := properties[field]
		if strings.HasPrefix(field, search.PropertyPrefix) && len(of) == 0 {
			of = assigned // the field belongs to one of these, although none has its name
		}
		if d.Fields[field] = kept; len(kept) == 0 || slices.ContainsFunc(of, hidden) {
			delete(d.Fields, field)
		}
	}
	maps.DeleteFunc(d.Fields, func(field string, _ []search.Value) bool {
		return slices.ContainsFunc(copied, func(beginning string) bool { return strings.HasPrefix(field, beginning) })
	})
}

// propertiesOf returns, by field, the structured properties whose values a field may hold.
func (s *Service) propertiesOf(ctx context.Context, docs []*search.Document) (map[string][]urn.URN, error) {
	properties := map[string][]urn.URN{}
	for _, d := range docs {
		if d == nil {
			continue
		}
		for field := range d.Fields {
			name, ok := strings.CutPrefix(field, search.PropertyPrefix)
			if _, known := properties[field]; !ok || known {
				continue
			}
			for _, name := range propertyNames(name) {
				found, err := s.Catalog.Lookup(ctx, rule.PropertyFieldTerm(name))
				if err != nil {
					return nil, err
				}
				properties[field] = append(properties[field], found...)
			}
		}
	}
	return properties, nil
}

func urnsOf(d *search.Document) (urns []urn.URN) {
	for _, values := range d.Fields {
		for _, v := range values {
			urns = append(urns, urnsWithin(v.Text)...)
		}
	}
	return urns
}

// urnsWithin lists the URNs in a value of a search document: those of urnsIn, those on both sides
// of an equals sign, and those in JSON.
func urnsWithin(value string) []urn.URN {
	if !strings.Contains(value, "urn:li:") {
		return nil
	}
	urns := urnsIn(value)
	for part := range strings.SplitSeq(value, "=") {
		urns = appendURNs(urns, strings.ReplaceAll(part, "%2E", "."))
	}
	redact.URNs(value, func(u urn.URN) { urns = append(urns, u) })
	return urns
}

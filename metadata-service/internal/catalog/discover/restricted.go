package discover

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RestrictedType is the entity type of what stands for an entity that the actor may
// not view.
const RestrictedType = catalog.RestrictedType

// scrollPurpose is the purpose of concealed scroll ids.
const scrollPurpose = "scroll"

// conceal is the URN that stands for an entity.
func (s *Service) conceal(u urn.URN) urn.URN { return catalog.Restrict(s.Names, u) }

// CheckRestricted is nil for the URN of a restricted entity that this service gave.
// What it stands for is told to nobody.
func (s *Service) CheckRestricted(u urn.URN) error {
	if _, ok := catalog.Unrestrict(s.Names, u); ok {
		return nil
	}
	return fault.New(fault.Malformed, "urn: %.60s... is not a restricted entity that this service gave", u)
}

// restrictable is the filter of what is shown of some types where what the actor may
// not view is shown as restricted; ok is false where nothing is.
func (s *Service) restrictable(v auth.Visibility) (shown search.Filter, key string, ok bool) {
	if s.Names == nil || v.Filter == nil || len(v.Restricted) == 0 {
		return nil, "", false
	}
	shown = append(slices.Clip(v.Filter), []search.Criterion{{Field: typeField, Values: v.Restricted}})
	return shown, v.Key + "|" + strings.Join(v.Restricted, " "), v.Key != ""
}

// asksForTexts reports whether a query compares texts of entities, or orders entities by them. What
// it finds of hidden entities would tell their texts letter by letter, so restricted entities are
// shown to queries alone that ask for types and for the URNs of others.
func (s *Service) asksForTexts(q *SearchQuery, types []string) bool {
	if text := strings.TrimSpace(q.Text); text != "" && text != "*" {
		return true
	}
	if slices.ContainsFunc(q.Sort, func(by search.Sort) bool { return by.Field != "urn" && by.Field != "_score" }) {
		return true
	}
	return slices.ContainsFunc(criteria(q.filters()...), func(c search.Criterion) bool {
		return comparesText(c.Condition) || !s.fields.namesEntities(types, c.Field)
	})
}

// searchRestricted finds what the actor may view, and shows the rest as restricted.
// The total counts both, as pages hold both. Facets, suggestions and matched fields are
// of what may be viewed alone: their values would tell what the rest is.
func (s *Service) searchRestricted(ctx context.Context, q SearchQuery, query search.Query, v auth.Visibility) (SearchPage, error) {
	shown := query
	shown.Visible, shown.VisibleKey, _ = s.restrictable(v)
	shown.Facets, shown.Suggest = nil, false
	page, err := s.find(ctx, shown, q.Scroll)
	if err != nil {
		return SearchPage{}, err
	}
	if err := s.restrict(ctx, v, page.Hits, func(int, *search.Hit) {}); err != nil {
		return SearchPage{}, err
	}
	counted, err := s.countVisible(ctx, query)
	page.Facets, page.Suggestions = counted.Facets, counted.Suggestions
	return page, err
}

// countVisible counts facets among what the actor may view.
func (s *Service) countVisible(ctx context.Context, query search.Query) (SearchPage, error) {
	if len(query.Facets) == 0 && !query.Suggest {
		return SearchPage{}, nil
	}
	query.Size, query.From, query.After = 0, 0, nil
	return s.find(ctx, query, "")
}

// restrict puts restricted entities in the place of hits that the actor may not view,
// and tells of each of these.
func (s *Service) restrict(ctx context.Context, v auth.Visibility, hits []search.Hit, each func(int, *search.Hit)) error {
	urns := make([]urn.URN, len(hits))
	for i := range hits {
		urns[i] = hits[i].URN
	}
	visible, err := s.matching(ctx, urns, search.Query{Visible: v.Filter, VisibleKey: v.Key})
	if err != nil {
		return err
	}
	for i := range hits {
		if !visible[i] {
			hits[i] = search.Hit{URN: s.conceal(hits[i].URN), Type: RestrictedType}
			each(i, &hits[i])
		}
	}
	return nil
}

// sealScroll encrypts a scroll id where restricted entities are shown. A scroll id holds
// the URN of a hit, which may be hidden, and the values that hits are sorted by.
func (s *Service) sealScroll(id string) string {
	if id == "" || s.Names == nil {
		return id
	}
	return s.Names.Conceal(scrollPurpose, id)
}

// openScroll decrypts what sealScroll encrypted.
func (s *Service) openScroll(id string) (string, error) {
	if id == "" || s.Names == nil {
		return id, nil
	}
	if len(id) > maxScrollBytes {
		return "", fault.New(fault.Malformed, "scrollId is longer than %d bytes", maxScrollBytes)
	}
	text, err := s.Names.Reveal(scrollPurpose, id)
	if err != nil {
		return "", fault.New(fault.Malformed, "scrollId is not one this service gave for this query")
	}
	return text, nil
}

// restrictedTypes are the entity types that lineage shows as restricted where the actor
// may not view an entity.
func (s *Service) restrictedTypes(ctx context.Context) (map[string]bool, error) {
	if s.Names == nil {
		return nil, nil
	}
	v, err := s.Catalog.Visible(ctx, auth.Reading{Kind: auth.ReadLineage, Types: s.LineageTypes()})
	if errors.Is(err, fault.Forbidden) {
		return nil, nil
	}
	types := map[string]bool{}
	for _, name := range v.Restricted {
		types[name] = true
	}
	return types, err
}

package discover

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

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

// Lists within which URNs of restricted entities are their own. Those of lineage are within lineage.PlaceOf
// the edges that name them.
const (
	withinSearch = "search"
	withinBrowse = "browse"
)

// conceal is the URN that stands for an entity within a place.
func (s *Service) conceal(within string, u urn.URN) urn.URN {
	return catalog.Restrict(s.Names, within, u)
}

// CheckRestricted is nil for the URN of a restricted entity that this service gave.
// What it stands for is told to nobody.
func (s *Service) CheckRestricted(u urn.URN) error {
	if catalog.IsRestricted(s.Names, u) {
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

// maxRestricted is how many restricted entities a query shows. Where there are more, it finds what the
// actor may view alone.
const maxRestricted = search.MaxPage

// hiddenHits are hits that are shown as restricted entities. The list is of the URNs that these have.
type hiddenHits struct {
	total int
	list  func() ([]urn.URN, error)
}

// hiddenBy are the hits of a query that the actor may not view and that are shown as restricted.
func (s *Service) hiddenBy(ctx context.Context, query search.Query, v auth.Visibility) (hiddenHits, error) {
	query.Visible, query.VisibleKey, _ = s.restrictable(v)
	query.Without, query.WithoutKey = v.Filter, v.Key
	query.Facets, query.Suggest, query.Highlight, query.Sort, query.From, query.Size = nil, false, false, nil, 0, 0
	counted, err := s.Index.Search(ctx, query)
	if err != nil || counted.Total > maxRestricted {
		return hiddenHits{}, err
	}
	return hiddenHits{counted.Total, func() ([]urn.URN, error) {
		query.Size = maxRestricted
		found, err := s.Index.Search(ctx, query)
		urns := make([]urn.URN, len(found.Hits))
		for i, h := range found.Hits {
			urns[i] = s.conceal(withinSearch, h.URN)
		}
		return urns, err
	}}, nil
}

// findRestricted finds what the actor may view, and behind it what is shown as restricted: the hits from
// the index hidden on. The total counts both, as pages hold both. Facets, suggestions
// and matched fields are of what may be viewed alone: their values would tell what the rest is.
//
// The order of restricted entities is that of their concealed URNs. Any order by what is stored, with
// visible entities between them, would tell it by comparison, also the order by URN.
func (s *Service) findRestricted(ctx context.Context, query search.Query, scrollID string, restricted hiddenHits) (page SearchPage, hidden int, err error) {
	visible, after, among := query, urn.URN(""), false
	if scrollID != "" {
		if after, among, err = s.placeAmongRestricted(scrollID, query); err != nil {
			return page, 0, err
		}
	}
	if among {
		visible.Size, scrollID = 0, ""
	}
	if page, err = s.find(ctx, visible, scrollID); err != nil {
		return page, 0, err
	}
	hidden = len(page.Hits)
	if restricted.total == 0 {
		return page, hidden, nil
	}
	skipped := max(0, query.From-page.Total)
	page.Total += restricted.total
	room := query.Size - len(page.Hits)
	if room == 0 && !among && page.More {
		return page, hidden, nil
	}
	if err := s.reserveConcealing(ctx, restricted.total); err != nil {
		return page, hidden, err
	}
	rest, err := restricted.list()
	if err != nil {
		return page, hidden, err
	}
	slices.Sort(rest)
	if among {
		at, found := slices.BinarySearch(rest, after)
		if skipped = at; found {
			skipped++
		}
	}
	rest = rest[min(skipped, len(rest)):]
	taken := min(room, len(rest))
	for _, u := range rest[:taken] {
		page.Hits = append(page.Hits, search.Hit{URN: u, Type: RestrictedType})
		after = u
	}
	page.More, page.Next = taken < len(rest), ""
	if page.More && query.Size > 0 {
		page.Next = s.sealScroll(scroll{URN: after, Query: queryHash(query), Restricted: true}.encode())
	}
	return page, hidden, nil
}

// reserveConcealing reserves the processor time of listing and concealing some entities: each page of restricted
// ones takes that of all.
func (s *Service) reserveConcealing(ctx context.Context, entities int) error {
	const perEntity = 3 * time.Microsecond
	if s.Work == nil {
		return nil
	}
	return s.Work(ctx, perEntity*time.Duration(entities))
}

// placeAmongRestricted decodes a scroll id that stands among restricted entities: it goes on behind a
// concealed URN.
func (s *Service) placeAmongRestricted(id string, query search.Query) (after urn.URN, among bool, err error) {
	text, err := s.openScroll(id)
	if err != nil {
		return "", false, err
	}
	place, err := decodeScroll(text, query)
	return place.URN, place.Restricted, err
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

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

// RestrictedType is the entity type that stands for entities that the actor may not view.
const RestrictedType = catalog.RestrictedType

// scrollPurpose is the purpose of concealed scroll ids.
const scrollPurpose = "scroll"

// Places within which restricted URNs are deterministic. Those of lineage are within
// lineage.PlaceOf the edges that name them.
const (
	withinSearch = "search"
	withinBrowse = "browse"
)

// conceal returns the URN that stands for an entity within a place.
func (s *Service) conceal(within string, u urn.URN) urn.URN {
	return catalog.Restrict(s.Names, within, u)
}

// CheckRestricted returns nil for the URN of a restricted entity that this service created, and
// fault.Malformed otherwise. The entity that it stands for is not revealed.
func (s *Service) CheckRestricted(u urn.URN) error {
	if catalog.IsRestricted(s.Names, u) {
		return nil
	}
	return fault.New(fault.Malformed, "urn: %.60s... is not a restricted entity that this service gave", u)
}

// restrictedFilter returns the filter of the entities that are shown openly or as restricted, and
// its cache key. ok is false if hidden entities are not shown as restricted, or the visibility has
// no key.
func (s *Service) restrictedFilter(v auth.Visibility) (shown search.Filter, key string, ok bool) {
	if s.Names == nil || v.Filter == nil || len(v.Restricted) == 0 {
		return nil, "", false
	}
	shown = append(slices.Clip(v.Filter), []search.Criterion{{Field: typeField, Values: v.Restricted}})
	return shown, v.Key + "|" + strings.Join(v.Restricted, " "), v.Key != ""
}

// asksForTexts reports whether a query compares texts of entities, or orders entities by them. Its
// hits among hidden entities would reveal their texts letter by letter, so restricted entities are
// shown only for queries by types and by the URNs of other entities.
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

// maxRestricted bounds the restricted entities of a query. If there are more, the query finds only
// visible entities.
const maxRestricted = search.MaxPage

// hiddenHits are hits that are shown as restricted entities. list returns their restricted URNs.
type hiddenHits struct {
	total int
	list  func() ([]urn.URN, error)
}

// hiddenBy returns the hits of a query that the actor may not view and that are shown as
// restricted.
func (s *Service) hiddenBy(ctx context.Context, query search.Query, v auth.Visibility) (hiddenHits, error) {
	query.Visible, query.VisibleKey, _ = s.restrictedFilter(v)
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

// findRestricted finds visible entities, followed by those shown as restricted: the hits from the
// index hidden on. The total counts both, because pages contain both. Facets, suggestions and
// matched fields include only visible entities: their values would reveal the others.
//
// Restricted entities are in the order of their concealed URNs. An order by stored data, between
// visible entities, would reveal that data by comparison; this also applies to the order by URN.
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

// reserveConcealing reserves the processor time for listing and concealing some entities: each page
// of restricted entities processes all of them.
func (s *Service) reserveConcealing(ctx context.Context, entities int) error {
	const perEntity = 3 * time.Microsecond
	if s.Work == nil {
		return nil
	}
	return s.Work(ctx, perEntity*time.Duration(entities))
}

// placeAmongRestricted decodes a scroll id. If it is a position among restricted entities, among is
// true and after is a concealed URN.
func (s *Service) placeAmongRestricted(id string, query search.Query) (after urn.URN, among bool, err error) {
	text, err := s.openScroll(id)
	if err != nil {
		return "", false, err
	}
	place, err := decodeScroll(text, query)
	return place.URN, place.Restricted, err
}

// sealScroll encrypts a scroll id if restricted entities are shown. A scroll id contains the URN of
// a hit, which may be hidden, and the values that hits are sorted by.
func (s *Service) sealScroll(id string) string {
	if id == "" || s.Names == nil {
		return id
	}
	return s.Names.Conceal(scrollPurpose, id)
}

// openScroll decrypts a result of sealScroll.
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

// restrictedTypes returns the entity types of which lineage shows hidden entities as restricted.
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

package discover

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxPage bounds the entities that one listing returns.
const maxPage = 10_000

// ListQuery selects entities in the order of their URNs.
type ListQuery struct {
	Types              []string // entity types; case and duplicates are ignored
	After              urn.URN  // exclusive; must be the last URN of the previous page
	Offset             int      // entities to skip after After
	Limit              int
	IncludeSoftDeleted bool
}

// Page is one page of a listing. Total counts all visible entities of the types, soft-deleted ones
// only with IncludeSoftDeleted.
type Page struct {
	URNs  []urn.URN
	More  bool // more entities follow
	Total int
	// Totals are the parts of Total by entity type.
	Totals map[string]int
}

// List pages through entities in the byte order of their URNs, type by type in the order of the
// type names. Pages are found by key, so their cost does not grow with their position, except that
// Offset passes over its entities one by one. A page has at most 10,000 entities.
func (s *Service) List(ctx context.Context, q ListQuery) (Page, error) {
	limit := min(max(q.Limit, 0), maxPage)
	page := Page{Totals: map[string]int{}}
	skip := q.Offset
	types, err := s.listedTypes(q.Types)
	if err != nil || len(types) == 0 {
		return Page{}, err
	}
	v, err := s.Catalog.Visible(ctx, auth.Reading{Kind: auth.ReadList, Types: types})
	if err != nil {
		return Page{}, err
	}
	for _, entityType := range v.Types {
		sees, err := s.partialVisibility(ctx, v, entityType)
		if err != nil {
			return Page{}, err
		}
		total, err := s.total(ctx, entityType, q.IncludeSoftDeleted, sees != nil)
		if err != nil {
			return Page{}, err
		}
		page.Total += total
		page.Totals[entityType] = total
		// URNs sort by type first, so a cursor determines which types are complete.
		if page.More || urn.TypePrefix(entityType) < string(q.After) && !strings.HasPrefix(string(q.After), urn.TypePrefix(entityType)) {
			continue
		}
		if err := s.listType(ctx, entityType, q, &skip, limit, &page, sees); err != nil {
			return Page{}, err
		}
	}
	return page, nil
}

// listedTypes returns the names in registry spelling, sorted and without duplicates. It omits
// managed types, which generic reads exclude.
func (s *Service) listedTypes(asked []string) ([]string, error) {
	types := map[string]bool{}
	for _, name := range asked {
		entity, ok := s.Catalog.Registry.Entity(name)
		if !ok {
			return nil, fault.New(fault.Malformed, "entity type %q is not known", name)
		}
		if !entity.Key.Managed {
			types[entity.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(types)), nil
}

// listType adds entities of one type until the page is full and one more has been found.
func (s *Service) listType(ctx context.Context, entityType string, q ListQuery, skip *int, limit int, page *Page, sees visibilityTest) error {
	after := urn.URN("")
	if strings.HasPrefix(string(q.After), urn.TypePrefix(entityType)) {
		after = q.After
	}
	for {
		urns, err := s.Catalog.Scan(ctx, store.Scan{Type: entityType, After: after})
		if err != nil || len(urns) == 0 {
			return err
		}
		after = urns[len(urns)-1]
		if !q.IncludeSoftDeleted {
			if urns, err = s.withoutSoftDeleted(ctx, urns); err != nil {
				return err
			}
		}
		if urns, err = sees.keep(urns); err != nil {
			return err
		}
		for _, u := range urns {
			if *skip > 0 {
				*skip--
				continue
			}
			if len(page.URNs) == limit {
				page.More = true
				return nil
			}
			page.URNs = append(page.URNs, u)
		}
	}
}

// withoutSoftDeleted drops soft-deleted entities.
func (s *Service) withoutSoftDeleted(ctx context.Context, urns []urn.URN) ([]urn.URN, error) {
	removed, err := s.Catalog.SoftDeleted(ctx, urns)
	if err != nil {
		return nil, err
	}
	kept := urns[:0]
	for i, u := range urns {
		if !removed[i] {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// partialVisibility returns the visibility test for a type, nil if the actor sees all of it. Most
// types of a listing are fully visible even if its filter restricts one of them; these are counted
// and listed without a test.
func (s *Service) partialVisibility(ctx context.Context, v auth.Visibility, entityType string) (visibilityTest, error) {
	if v.Filter == nil {
		return nil, nil
	}
	alone, err := s.Catalog.Visible(ctx, auth.Reading{Kind: auth.ReadList, Types: []string{entityType}})
	if err != nil || alone.Filter == nil {
		return nil, err
	}
	return s.newVisibilityTest(ctx, alone), nil
}

// total counts the visible entities of a type. If the actor sees only a part, the index counts, so
// that the total reveals nothing about hidden entities.
func (s *Service) total(ctx context.Context, entityType string, includeSoftDeleted, inPart bool) (int, error) {
	if inPart {
		q := SearchQuery{
			Types: []string{entityType}, IncludeSoftDeleted: includeSoftDeleted, IncludeOldVersions: true, IncludeHiddenStages: true,
			Facets: []string{}, kind: auth.ReadList,
		}
		query, err := s.toQuery(ctx, q)
		if err != nil {
			return 0, err
		}
		found, err := s.Index.Search(ctx, query)
		return found.Total, err
	}
	all, err := s.Catalog.Count(ctx, entityType)
	if err != nil || includeSoftDeleted {
		return all, err
	}
	removed, err := s.removals.count(ctx, entityType, s.scanRemoved)
	return max(all-removed, 0), err
}

// scanRemoved lists the soft-deleted entities of a type.
func (s *Service) scanRemoved(ctx context.Context, entityType string) (map[urn.URN]bool, error) {
	found := map[urn.URN]bool{}
	after := urn.URN("")
	for {
		page, err := s.Catalog.Scan(ctx, store.Scan{Type: entityType, After: after})
		if err != nil || len(page) == 0 {
			return found, err
		}
		after = page[len(page)-1]
		removed, err := s.Catalog.SoftDeleted(ctx, page)
		if err != nil {
			return nil, err
		}
		for i, u := range page {
			if removed[i] {
				found[u] = true
			}
		}
	}
}

// MayCount returns nil if the actor may read counts of the catalog. Counts include only entities
// that the actor may see.
func (s *Service) MayCount(ctx context.Context) error {
	return s.Catalog.Permit(ctx, auth.ForPlatform(auth.ToReadCounts...).ToRead())
}

// CountAll counts the visible entities of a type without soft-deleted ones. It requires
// auth.GetCounts.
func (s *Service) CountAll(ctx context.Context, entityType string) (int, error) {
	if err := s.MayCount(ctx); err != nil {
		return 0, err
	}
	page, err := s.List(ctx, ListQuery{Types: []string{entityType}, Limit: 1})
	if errors.Is(err, fault.Forbidden) {
		return 0, nil // no entity is visible
	}
	return page.Total, err
}

// CountAspect counts the entities with an aspect that the actor may read and a URN that matches a
// LIKE pattern, in which % stands for any text and _ for one character; an empty pattern matches
// all. It requires auth.GetCounts.
func (s *Service) CountAspect(ctx context.Context, aspect, urnLike string) (int, error) {
	spec, ok := s.Catalog.Registry.Aspect(aspect)
	if !ok || spec.Confidential() {
		return 0, fault.New(fault.Malformed, "aspect %q is not known", aspect)
	}
	if err := s.MayCount(ctx); err != nil {
		return 0, err
	}
	if urnLike == "" {
		urnLike = "%"
	}
	prefix := store.LikePrefix(urnLike)
	sees := visibilityTest(func(urns []urn.URN) ([]bool, error) { return s.Catalog.MayReadEach(ctx, urns, spec.Name) })
	total := 0
	after := urn.URN("")
	for {
		urns, err := s.Catalog.Scan(ctx, store.Scan{Prefix: prefix, After: after})
		if err != nil || len(urns) == 0 {
			return total, err
		}
		after = urns[len(urns)-1]
		matching := slices.DeleteFunc(slices.Clone(urns), func(u urn.URN) bool { return !store.Like(urnLike, string(u)) })
		// Patterns could reveal hidden names letter by letter.
		if matching, err = sees.keep(matching); err != nil {
			return 0, err
		}
		keys := make([]store.Key, len(matching))
		for i, u := range matching {
			keys[i] = store.Key{URN: u, Aspect: aspect}
		}
		records, err := s.Catalog.Latest(ctx, keys...)
		if err != nil {
			return 0, err
		}
		for _, rec := range records {
			if rec != nil {
				total++
			}
		}
	}
}

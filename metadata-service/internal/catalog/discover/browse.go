package discover

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// BrowseQuery asks for the groups below a path of the browse tree. The search
// says what is counted in them, From and Size are of groups; its order, facets
// and scroll mean nothing. Without types, those that are browsed are counted.
type BrowseQuery struct {
	SearchQuery
	Path []string // names of the groups above; empty for the root
}

// BrowseGroup is one group below a path. Name is its id: a text, or the URN of a
// container or platform instance.
type BrowseGroup struct {
	Name  string
	Count int // entities in it and below
	// HasSubGroups tells whether there are groups below it.
	HasSubGroups bool
}

// BrowsePage is a page of groups, those with most entities first. Groups counts
// all of them, Total the entities at the path and below.
type BrowsePage struct {
	Items  []BrowseGroup
	Groups int
	Total  int
}

// Fields of the two browse trees.
const (
	browsePathV2Field = "browsePathV2"
	browsePathField   = "browsePaths"
)

// Browse lists the groups below a path with their counts.
func (s *Service) Browse(ctx context.Context, q BrowseQuery) (page BrowsePage, err error) {
	ctx, span := tracing.Start(ctx, "discover browse")
	defer func() { span.End(err) }()
	if len(q.Types) == 0 {
		q.Types = document.BrowseTypes()
	}
	b := browser{s: s, field: browsePathV2Field, separator: model.PathSeparator}
	path, err := b.join(ctx, q.Path)
	if err != nil {
		return BrowsePage{}, err
	}
	return b.browse(ctx, q.SearchQuery, path)
}

// PathPage is a level of the older browse tree, whose paths are texts like
// "/prod/hive": groups below a path, and the entities that are at it.
type PathPage struct {
	BrowsePage
	Entities []search.Hit
	// AtPath counts the entities at the path itself, Below those in groups below it.
	AtPath, Below int
}

// BrowsePaths lists a level of the older browse tree of one entity type. Groups
// come first in the numbering of From and Size.
func (s *Service) BrowsePaths(ctx context.Context, entityType, path string, filter search.Filter, from, size int) (PathPage, error) {
	path = "/" + strings.Trim(path, "/")
	if path == "/" {
		path = ""
	}
	b := browser{s: s, field: browsePathField, separator: "/"}
	q := SearchQuery{Types: []string{entityType}, Filter: filter, From: from, Size: size}
	if path == "" {
		q.And = []search.Filter{{{{Field: browsePathField, Condition: search.Exists}}}} // others are in no group
	}
	groups, err := b.browse(ctx, q, path)
	page := PathPage{BrowsePage: groups, Below: groups.Total}
	if err != nil || path == "" {
		return page, err
	}
	// At the path are the entities with a path that ends there.
	depth := strings.Count(path, "/")
	q.And = append(q.And, search.Filter{{
		{Field: browsePathField, Values: []string{path}}, {Field: browsePathField + ".length", Values: []string{strconv.Itoa(depth)}},
	}})
	q.Facets = []string{}
	q.From, q.Size = max(from-groups.Groups, 0), max(size-len(groups.Items), 0)
	found, err := s.Search(ctx, q)
	page.Entities, page.AtPath, page.Below = found.Hits, found.Total, max(groups.Total-found.Total, 0)
	return page, err
}

// PathsOf lists the paths of an entity in the older browse tree.
func (s *Service) PathsOf(ctx context.Context, u urn.URN) ([]string, error) {
	a, err := s.Catalog.Aspect(ctx, u, browsePathField, 0, catalog.Omitted)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(a.Value)
	return jsontree.Texts(value, "paths"), err
}

// browser walks one of the browse trees.
type browser struct {
	s         *Service
	field     string
	separator string
}

// join is the text of a path in the index: every piece behind a separator. A restricted
// entity leads to what is below the entity for which it stands; the URN of a hidden entity leads
// nowhere, as that of an absent one does.
func (b *browser) join(ctx context.Context, pieces []string) (string, error) {
	var named []urn.URN
	for _, piece := range pieces {
		named = appendURNs(named, piece)
	}
	hidden, err := b.s.hiddenAmong(ctx, named)
	if err != nil {
		return "", err
	}
	var path strings.Builder
	for _, piece := range pieces {
		if stands, ok := catalog.Unrestrict(b.s.Names, withinBrowse, urn.URN(piece)); ok {
			piece = string(stands)
		} else if slices.ContainsFunc(urnsIn(piece), func(u urn.URN) bool { return hidden[u] }) {
			piece = urn.TypePrefix(RestrictedType)
		}
		path.WriteString(b.separator)
		path.WriteString(piece)
	}
	return path.String(), nil
}

func (b *browser) browse(ctx context.Context, q SearchQuery, path string) (BrowsePage, error) {
	from, size := q.From, q.Size
	if from < 0 || size < 0 || size > search.MaxPage {
		return BrowsePage{}, fault.New(fault.Malformed, "start %d and count %d are not a page; count may be up to %d", from, size, search.MaxPage)
	}
	if path != "" {
		q.Implied = search.Filter{{{Field: b.field, Values: []string{path}}}}
	}
	q.From, q.Size, q.Sort, q.Facets, q.PropertyFacets, q.Highlight, q.Suggest = 0, 0, nil, []string{}, false, false, false
	query, err := b.s.toQuery(ctx, q)
	if err != nil {
		return BrowsePage{}, err
	}
	query.Facets = []search.FacetRequest{{Field: b.field, Size: search.MaxPage, Under: &path}}
	result, err := b.s.Index.Search(ctx, query)
	if err != nil {
		return BrowsePage{}, err
	}
	page := BrowsePage{Total: result.Total}
	if len(result.Facets) == 0 {
		return page, nil
	}
	buckets, err := b.shown(ctx, result.Facets[0].Buckets)
	if err != nil {
		return BrowsePage{}, err
	}
	page.Groups = len(buckets)
	groups := window(buckets, from, size)
	if err := b.subGroups(ctx, query, groups, &page); err != nil {
		return BrowsePage{}, err
	}
	return page, b.conceal(ctx, page.Items)
}

// shown leaves out groups whose entity is hidden from the actor, or puts them behind the others, in
// the order of the concealed URNs, where restricted entities are shown: the order of hidden URNs would
// tell them by comparison.
func (b *browser) shown(ctx context.Context, groups []search.Bucket) ([]search.Bucket, error) {
	urns := make([]urn.URN, len(groups))
	for i, g := range groups {
		urns[i] = urn.URN(lastSegment(g.Value, b.separator))
	}
	hidden, err := b.s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return groups, err
	}
	kept := make([]search.Bucket, 0, len(groups))
	var restricted []search.Bucket
	concealed := map[string]urn.URN{}
	for i := range groups {
		switch {
		case !hidden[urns[i]]:
			kept = append(kept, groups[i])
		case b.s.Names != nil:
			restricted = append(restricted, groups[i])
			concealed[groups[i].Value] = b.s.conceal(withinBrowse, urns[i])
		}
	}
	slices.SortFunc(restricted, func(x, y search.Bucket) int {
		return strings.Compare(string(concealed[x.Value]), string(concealed[y.Value]))
	})
	return append(kept, restricted...), nil
}

// conceal puts restricted entities in the place of hidden ones, such as containers, in the
// names of groups.
func (b *browser) conceal(ctx context.Context, groups []BrowseGroup) error {
	urns := make([]urn.URN, len(groups))
	for i := range groups {
		urns[i] = urn.URN(groups[i].Name)
	}
	hidden, err := b.s.hiddenAmong(ctx, urns)
	for i, u := range urns {
		if hidden[u] {
			groups[i].Name = string(b.s.conceal(withinBrowse, u))
		}
	}
	return err
}

// subGroups asks for the groups below several ones at once.
func (b *browser) subGroups(ctx context.Context, q search.Query, groups []search.Bucket, page *BrowsePage) error {
	q.Facets = nil
	for i := range groups {
		q.Facets = append(q.Facets, search.FacetRequest{Field: b.field, Size: 1, Under: &groups[i].Value})
	}
	result, err := b.s.Index.Search(ctx, q)
	if err != nil {
		return err
	}
	for i, g := range groups {
		page.Items = append(page.Items, BrowseGroup{
			Name: lastSegment(g.Value, b.separator), Count: g.Count,
			HasSubGroups: i < len(result.Facets) && len(result.Facets[i].Buckets) > 0,
		})
	}
	return nil
}

func lastSegment(path, separator string) string {
	if i := strings.LastIndex(path, separator); i >= 0 {
		return path[i+len(separator):]
	}
	return path
}

// window is the part of a list that a page shows.
func window[T any](list []T, offset, limit int) []T {
	offset = min(max(offset, 0), len(list))
	return list[offset:min(offset+max(limit, 0), len(list))]
}

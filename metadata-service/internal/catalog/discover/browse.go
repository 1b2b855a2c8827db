package discover

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// BrowseQuery selects the groups below a path of the browse tree. The search determines the
// entities counted in them. From and Size apply to groups; order, facets and scroll are ignored.
// Without types, the browsable types are counted.
type BrowseQuery struct {
	SearchQuery
	Path []string // names of the groups above; empty for the root
}

// BrowseGroup is one group below a path. Name is its id: a text, or the URN of a container or
// platform instance. All groups hidden from the actor are combined into one, the last, with the URN
// of a restricted entity.
type BrowseGroup struct {
	Name  string
	Count int // entities in the group and below
	// HasSubGroups reports whether the group has groups below it.
	HasSubGroups bool
}

// BrowsePage is a page of groups, those with most entities first, then by name. Groups counts all
// of them, Total the entities at the path and below.
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

// Browse lists the groups below a path with their counts. An unknown or hidden path has no groups.
func (s *Service) Browse(ctx context.Context, q BrowseQuery) (page BrowsePage, err error) {
	ctx, span := tracing.Start(ctx, "discover browse")
	defer func() { span.End(err) }()
	if len(q.Types) == 0 {
		q.Types = document.BrowseTypes()
	}
	b := browser{s: s, field: browsePathV2Field, separator: model.PathSeparator}
	query, err := b.query(ctx, q.SearchQuery)
	if err != nil {
		return BrowsePage{}, err
	}
	at, err := b.open(ctx, query, q.Path)
	if err != nil || len(at.paths) == 0 {
		return BrowsePage{}, err
	}
	return b.page(ctx, query, at, q.From, q.Size)
}

// PathPage is a level of the older browse tree, whose paths are texts like "/prod/hive": the groups
// below a path, and the entities at it.
type PathPage struct {
	BrowsePage
	Entities []search.Hit
	// AtPath counts the entities at the path itself, Below those in groups below it.
	AtPath, Below int
}

// BrowsePaths lists a level of the older browse tree of one entity type. From and Size number the
// groups first, then the entities.
func (s *Service) BrowsePaths(ctx context.Context, entityType, path string, filter search.Filter, from, size int) (PathPage, error) {
	path = "/" + strings.Trim(path, "/")
	if path == "/" {
		path = ""
	}
	b := browser{s: s, field: browsePathField, separator: "/"}
	q := SearchQuery{Types: []string{entityType}, Filter: filter, From: from, Size: size}
	if path == "" {
		q.And = []search.Filter{{{{Field: browsePathField, Condition: search.Exists}}}} // entities without a path are in no group
	}
	query, err := b.query(ctx, q)
	if err != nil {
		return PathPage{}, err
	}
	groups, err := b.page(ctx, query, browseLevel{shown: path, paths: []string{path}, above: path}, from, size)
	page := PathPage{BrowsePage: groups, Below: groups.Total}
	if err != nil || path == "" {
		return page, err
	}
	// The entities at the path are those with a path that ends there.
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

// PathsOf lists the paths of an entity in the older browse tree, none if it has no such aspect.
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

// browser reads one of the browse trees.
type browser struct {
	s         *Service
	field     string
	separator string
}

// browseLevel is a place in a browse tree. Hidden groups with the same parent are combined into
// one, so a place may have several paths in the index.
type browseLevel struct {
	shown string   // path as the actor names it
	paths []string // paths in the index; none for an unknown place
	// All paths are steps levels below above, the deepest path that contains no hidden group.
	above string
	steps int
}

// below returns the level of a group; its name may consist of several steps.
func (b *browser) below(at browseLevel, name string) browseLevel {
	out := browseLevel{shown: at.shown + b.separator + name, paths: make([]string, len(at.paths)), above: at.above, steps: at.steps}
	for i, path := range at.paths {
		out.paths[i] = path + b.separator + name
	}
	if at.steps == 0 {
		out.above = out.paths[0]
	} else {
		out.steps += 1 + strings.Count(name, b.separator)
	}
	return out
}

// restrictedGroup is the name of the group that combines all hidden ones of a level.
func (b *browser) restrictedGroup(at browseLevel) string {
	return string(b.s.conceal(withinBrowse+at.shown, hiddenGroups))
}

// hiddenGroups is the URN that stands for the entities of all hidden groups.
const hiddenGroups urn.URN = "urn:li:container:hidden"

// open returns the level at a path. The name of a restricted group selects everything below all
// hidden groups there. The URN of a hidden entity selects nothing, like that of an absent one.
func (b *browser) open(ctx context.Context, query search.Query, pieces []string) (browseLevel, error) {
	var named []urn.URN
	for _, piece := range pieces {
		named = appendURNs(named, piece)
	}
	hidden, err := b.s.hiddenAmong(ctx, named)
	if err != nil {
		return browseLevel{}, err
	}
	at := browseLevel{paths: []string{""}}
	for _, piece := range pieces {
		if b.s.Names != nil && urn.URN(piece).Type() == RestrictedType && piece == b.restrictedGroup(at) {
			groups, _, err := b.groups(ctx, query, at)
			if err != nil || len(groups.hidden) == 0 {
				return browseLevel{}, err
			}
			at = browseLevel{shown: at.shown + b.separator + piece, paths: groups.hidden, above: at.above, steps: at.steps + 1}
			continue
		}
		if slices.ContainsFunc(urnsIn(piece), func(u urn.URN) bool { return hidden[u] }) {
			piece = urn.TypePrefix(RestrictedType)
		}
		at = b.below(at, piece)
	}
	return at, nil
}

// query returns the query for the entities counted in groups.
func (b *browser) query(ctx context.Context, q SearchQuery) (search.Query, error) {
	if q.From < 0 || q.Size < 0 || q.Size > search.MaxPage {
		return search.Query{}, fault.New(fault.Malformed, "start %d and count %d are not a page; count may be up to %d", q.From, q.Size, search.MaxPage)
	}
	q.From, q.Size, q.Sort, q.Facets, q.PropertyFacets, q.Highlight, q.Suggest = 0, 0, nil, []string{}, false, false, false
	return b.s.toQuery(ctx, q)
}

// within restricts a query to entities at some paths and below.
func (b *browser) within(q search.Query, paths []string) search.Query {
	if len(paths) != 1 || paths[0] != "" {
		q.And = append(slices.Clip(q.And), search.Filter{{{Field: b.field, Values: paths}}})
	}
	return q
}

// shownGroup is a group of a level that the actor may see, with all paths that have its name.
type shownGroup struct {
	name  string
	count int
	paths []string
}

// levelGroups are the groups of a level, those with most entities first, and the paths of hidden
// ones.
type levelGroups struct {
	shown  []shownGroup
	hidden []string
}

// groups lists the groups of a level, and counts all entities at it and below.
func (b *browser) groups(ctx context.Context, q search.Query, at browseLevel) (out levelGroups, total int, err error) {
	q = b.within(q, at.paths)
	q.Facets = []search.FacetRequest{{Field: b.field, Size: search.MaxPage, Under: &at.above, Deeper: at.steps}}
	result, err := b.s.Index.Search(ctx, q)
	if err != nil || len(result.Facets) == 0 {
		return out, result.Total, err
	}
	buckets := result.Facets[0].Buckets
	if err := b.s.reserveGroups(ctx, len(buckets)); err != nil {
		return out, 0, err
	}
	urns := make([]urn.URN, len(buckets))
	for i, g := range buckets {
		urns[i] = urn.URN(lastSegment(g.Value, b.separator))
	}
	hidden, err := b.s.hiddenAmong(ctx, urns)
	if err != nil {
		return out, 0, err
	}
	places := map[string]int{}
	for i, g := range buckets {
		if hidden[urns[i]] {
			out.hidden = append(out.hidden, g.Value)
			continue
		}
		name := string(urns[i])
		place, known := places[name]
		if !known {
			place = len(out.shown)
			places[name] = place
			out.shown = append(out.shown, shownGroup{name: name})
		}
		out.shown[place].count += g.Count
		out.shown[place].paths = append(out.shown[place].paths, g.Value)
	}
	slices.SortFunc(out.shown, func(x, y shownGroup) int {
		return cmp.Or(cmp.Compare(y.count, x.count), strings.Compare(x.name, y.name))
	})
	return out, result.Total, nil
}

// reserveGroups reserves the processor time for checking the groups of a level.
func (s *Service) reserveGroups(ctx context.Context, groups int) error {
	const perGroup, few = 3 * time.Microsecond, 200
	if s.Work == nil || groups <= few {
		return nil
	}
	return s.Work(ctx, perGroup*time.Duration(groups))
}

// page lists groups of a level. All hidden groups are combined into one after the others: if a
// hidden entity had a group of its own, an actor could verify a guessed URN, and the order of
// hidden URNs would reveal them by comparison.
func (b *browser) page(ctx context.Context, q search.Query, at browseLevel, from, size int) (BrowsePage, error) {
	groups, total, err := b.groups(ctx, q, at)
	if err != nil {
		return BrowsePage{}, err
	}
	page := BrowsePage{Total: total, Groups: len(groups.shown)}
	shown := window(groups.shown, from, size)
	if page.Items, err = b.withSubGroups(ctx, q, at, shown); err != nil {
		return BrowsePage{}, err
	}
	if len(groups.hidden) == 0 || b.s.Names == nil {
		return page, nil
	}
	page.Groups++
	if from < page.Groups && from+size >= page.Groups {
		restricted, err := b.restricted(ctx, q, at, groups.hidden)
		if err != nil {
			return BrowsePage{}, err
		}
		page.Items = append(page.Items, restricted)
	}
	return page, nil
}

// restricted returns the group that combines the hidden ones at some paths.
func (b *browser) restricted(ctx context.Context, q search.Query, at browseLevel, paths []string) (BrowseGroup, error) {
	q = b.within(q, paths)
	q.Facets = []search.FacetRequest{{Field: b.field, Size: 1, Under: &at.above, Deeper: at.steps + 1}}
	result, err := b.s.Index.Search(ctx, q)
	if err != nil {
		return BrowseGroup{}, err
	}
	return BrowseGroup{Name: b.restrictedGroup(at), Count: result.Total, HasSubGroups: len(result.Facets[0].Buckets) > 0}, nil
}

// withSubGroups determines for several groups at once whether they have groups below.
func (b *browser) withSubGroups(ctx context.Context, q search.Query, at browseLevel, groups []shownGroup) ([]BrowseGroup, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	items := make([]BrowseGroup, len(groups))
	of := map[string]int{} // group of a path
	var paths []string
	for i, g := range groups {
		items[i] = BrowseGroup{Name: g.name, Count: g.count}
		for _, path := range g.paths {
			of[path] = i
		}
		paths = append(paths, g.paths...)
	}
	if at.steps > 0 {
		q = b.within(q, paths)
		q.Facets = []search.FacetRequest{{Field: b.field, Size: search.MaxPage, Under: &at.above, Deeper: at.steps + 1}}
	} else {
		q = b.within(q, at.paths)
		q.Facets = make([]search.FacetRequest, len(paths))
		for i := range paths {
			q.Facets[i] = search.FacetRequest{Field: b.field, Size: 1, Under: &paths[i]}
		}
	}
	result, err := b.s.Index.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, f := range result.Facets {
		for _, bucket := range f.Buckets {
			parent := bucket.Value[:len(bucket.Value)-len(b.separator+lastSegment(bucket.Value, b.separator))]
			if i, known := of[parent]; known {
				items[i].HasSubGroups = true
			}
		}
	}
	return items, nil
}

func lastSegment(path, separator string) string {
	if i := strings.LastIndex(path, separator); i >= 0 {
		return path[i+len(separator):]
	}
	return path
}

// window returns the part of a list that a page shows.
func window[T any](list []T, offset, limit int) []T {
	offset = min(max(offset, 0), len(list))
	return list[offset:min(offset+max(limit, 0), len(list))]
}

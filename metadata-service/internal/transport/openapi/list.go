package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const ()

// listing describes a page of entities to read.
type listing struct {
	types       []string
	after       urn.URN
	limit       int
	softDeleted bool
	urnOnly     bool
	aspects     []string
	system      bool
	cursors     bool // one for each entity

	// The following members turn a listing into a search.
	text          string
	filter        search.Filter
	sort          []search.Sort
	slice, slices int
	facets        bool
}

// servedByStore reports whether the store can serve the listing: all entities of some types in
// the order of their URNs.
func (l *listing) servedByStore() bool {
	return l.text == "" && len(l.filter) == 0 && len(l.sort) == 0 && l.slices <= 1 && !l.facets
}

// identity identifies a plain listing for its cursors.
func (l *listing) identity() string {
	return queryText("list", strings.Join(l.types, ","), strconv.FormatBool(l.softDeleted))
}

func (e entities) list(c *endpoint.Call) error {
	spec, err := e.spec(c.PathParams["type"])
	if err != nil {
		return err
	}
	l := listing{types: []string{spec.Name}}
	if err := l.readQuery(c); err != nil {
		return err
	}
	return e.answerPage(c, &l)
}

// readQuery reads the query parameters of lists and scrolls. The types must be set before.
func (l *listing) readQuery(c *endpoint.Call) (err error) {
	if err := l.readSearch(c); err != nil {
		return err
	}
	if l.limit, err = c.Count("count", endpoint.DefaultCount, endpoint.MaxCount); err != nil {
		return err
	}
	if l.softDeleted, err = c.Flag("includeSoftDelete", false); err != nil {
		return err
	}
	if l.system, err = c.Flag("systemMetadata", false); err != nil {
		return err
	}
	if l.aspects, err = c.List("aspects", "aspectNames"); err != nil {
		return err
	}
	return l.readSlice(c)
}

// readSearch reads the text and the order of a search.
func (l *listing) readSearch(c *endpoint.Call) error {
	text := strings.TrimSpace(c.QueryParam("query"))
	if rest := strings.TrimSpace(strings.TrimPrefix(text, "/q ")); rest != "" && rest != "*" {
		l.text = text
	}
	fields, err := c.List("sort", "sortCriteria")
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		fields = []string{urnField}
	}
	for _, field := range fields {
		if err := l.sortBy(field, c.QueryParam("sortOrder"), false); err != nil {
			return err
		}
	}
	return nil
}

// sortBy adds a sort criterion. Ascending order by URN is the default and adds none.
func (l *listing) sortBy(field, order string, missingFirst bool) error {
	by := search.Sort{Field: field, MissingFirst: missingFirst}
	switch strings.ToUpper(order) {
	case "", "ASCENDING":
	case "DESCENDING":
		by.Descending = true
	default:
		return fault.New(fault.Malformed, "sort order must be ASCENDING or DESCENDING, is %q", endpoint.Truncate(order))
	}
	if field == "" || field == urnField && !by.Descending && len(l.sort) == 0 {
		return nil
	}
	l.sort = append(l.sort, by)
	return nil
}

// readSlice reads the slice of a parallel scroll.
func (l *listing) readSlice(c *endpoint.Call) error {
	sliceCount, err := c.Number("sliceMax", 1)
	if err != nil {
		return err
	}
	id, err := c.Number("sliceId", 0)
	if err != nil {
		return err
	}
	if sliceCount < 1 || id < 0 || id >= sliceCount || sliceCount > maxSlices {
		return fault.New(fault.Malformed, "sliceId must be at least 0 and less than sliceMax, which may be up to %d", maxSlices)
	}
	l.slice, l.slices = int(id), int(sliceCount)
	return nil
}

const maxSlices = 1000

// readCursor sets the position after the previous page. All other members must be set before.
func (l *listing) readCursor(c *endpoint.Call) error {
	cursor := c.QueryParam("scrollId")
	if cursor == "" {
		return nil
	}
	position, err := decodeCursor(l.identity(), cursor)
	if err != nil {
		return err
	}
	u, err := urn.Parse(position)
	if err != nil || !slices.Contains(l.types, u.Type()) {
		return cursorError()
	}
	l.after = u
	return nil
}

func (e entities) answerPage(c *endpoint.Call, l *listing) error {
	if !l.servedByStore() {
		return e.answerSearch(c, l)
	}
	if err := l.readCursor(c); err != nil {
		return err
	}
	page, err := e.page(c, l)
	if err != nil {
		return err
	}
	views, err := e.viewPage(c, l, page.URNs)
	if err != nil {
		return err
	}
	identity := l.identity()
	if l.cursors {
		for i := range views {
			views[i].scroll = encodeCursor(identity, views[i].urn)
		}
	}
	next := ""
	if page.More {
		next = encodeCursor(identity, string(page.URNs[len(page.URNs)-1]))
	}
	return e.shape.sendPage(c, views, next, page.Total, []search.Facet{typeFacet(page.Totals)})
}

// query converts the listing to a search query. A search lists the same entities as the store:
// including old versions and hidden stages.
func (l *listing) query(c *endpoint.Call) discover.SearchQuery {
	q := discover.SearchQuery{
		Types: l.types, Text: l.text, Filter: l.filter, Sort: l.sort, Size: l.limit, Scroll: c.QueryParam("scrollId"),
		Slice: l.slice, Slices: l.slices, IncludeSoftDeleted: l.softDeleted, IncludeOldVersions: true, IncludeHiddenStages: true,
	}
	if !l.facets {
		q.Facets = []string{entityFacet}
	}
	if len(q.Sort) == 0 {
		q.Sort = []search.Sort{{Field: urnField}}
	}
	return q
}

func (e entities) answerSearch(c *endpoint.Call, l *listing) error {
	q := l.query(c)
	page, err := e.Discover.Search(c.Ctx(), q)
	if err != nil {
		return err
	}
	urns := make([]urn.URN, len(page.Hits))
	for i := range page.Hits {
		urns[i] = page.Hits[i].URN
	}
	views, err := e.viewPage(c, l, urns)
	if err != nil {
		return err
	}
	if l.cursors {
		for i := range views {
			if views[i].scroll, err = e.Discover.ScrollAt(c.Ctx(), q, page.Hits[i]); err != nil {
				return err
			}
		}
	}
	if !l.facets {
		page.Facets = page.Facets[:min(len(page.Facets), 1)] // without the facets of filter fields
	}
	return e.shape.sendPage(c, views, page.Next, page.Total, page.Facets)
}

// sendPage responds with a page. In v3, scrollId is null on the last page, as clients of v3
// expect; in v2 it is absent, because clients of v2 check its presence.
func (s responseShape) sendPage(c *endpoint.Call, views []entityView, next string, total int, facets []search.Facet) error {
	out, after := []byte{'{'}, []byte{}
	switch {
	case next != "":
		out = append(jsontree.AppendString(append(out, `"scrollId":`...), next), ',')
	case s == shapeV3:
		out = append(out, `"scrollId":null,`...)
	}
	out = append(out, '"')
	out = append(out, s.listMember()...)
	out = append(out, `":`...)
	if s == shapeV3 {
		after = jsontree.Append(append(after, `,"facets":`...), facetTrees(facets))
		after = append(after, `,"totalCount":`...)
		after = strconv.AppendInt(after, int64(total), 10)
	}
	return s.send(c, http.StatusOK, []section{{before: string(out), entities: views}}, string(append(after, '}')))
}

// entityFacet counts the entities by type; every page contains it.
const entityFacet = "entity"

func typeFacet(totals map[string]int) search.Facet {
	facet := search.Facet{Field: entityFacet}
	for name, total := range totals {
		facet.Buckets = append(facet.Buckets, search.Bucket{Value: name, Count: total})
	}
	return facet
}

func facetTrees(facets []search.Facet) []any {
	trees := make([]any, len(facets))
	for i, f := range facets {
		counts := jsontree.Object{}
		for _, b := range f.Buckets {
			if b.Count > 0 || f.Field != entityFacet {
				counts[b.Value] = b.Count
			}
		}
		trees[i] = jsontree.Object{"field": f.Field, "aggregations": counts}
	}
	return trees
}

// page finds the URNs of a plain page.
func (e entities) page(c *endpoint.Call, l *listing) (discover.Page, error) {
	page, err := e.Discover.List(c.Ctx(), discover.ListQuery{
		Types: l.types, After: l.after, Limit: max(l.limit, 1), IncludeSoftDeleted: l.softDeleted,
	})
	if l.limit == 0 {
		page.URNs, page.More = nil, false
	}
	return page, err
}

func (e entities) viewPage(c *endpoint.Call, l *listing, urns []urn.URN) ([]entityView, error) {
	views := make([]entityView, len(urns))
	if l.urnOnly || len(urns) == 0 {
		for i, u := range urns {
			views[i] = entityView{urn: string(u)}
		}
		return views, nil
	}
	found, err := e.read(c, urns, catalog.EntityQuery{Aspects: e.aspects.All(l.aspects), Timeseries: true})
	if err != nil {
		return nil, err
	}
	for i := range found {
		views[i] = viewEntity(found[i], l.system)
	}
	return views, nil
}

package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultCount = 10
	maxCount     = 1000
)

// listing is a page of entities to read.
type listing struct {
	types       []string
	urns        []urn.URN // the only ones to list, sorted; nil for all
	after       urn.URN
	limit       int
	softDeleted bool
	urnOnly     bool
	aspects     []string
	system      bool
	empty       bool // nothing can match
	cursors     bool // one for each entity
}

// identity is the text cursors of this listing are bound to.
func (l *listing) identity() string {
	urns := make([]string, len(l.urns))
	for i, u := range l.urns {
		urns[i] = string(u)
	}
	return queryText("list", strings.Join(l.types, ","), strconv.FormatBool(l.softDeleted), strings.Join(urns, "\x00"))
}

func notSearchable(what string) error {
	return fault.New(fault.Malformed, "%s: searching is not part of this build yet; entities can be listed in the order of their URNs, "+
		"with filters on urn and _entityType", what)
}

func (e entities) list(c *call) error {
	spec, err := e.spec(c.path["type"])
	if err != nil {
		return err
	}
	l := listing{types: []string{spec.Name}}
	if err := l.readQuery(c); err != nil {
		return err
	}
	return e.answerPage(c, &l)
}

// readQuery reads the parameters that lists and scrolls share. Types must be set.
func (l *listing) readQuery(c *call) (err error) {
	if err := checkPlain(c); err != nil {
		return err
	}
	if l.limit, err = c.count("count", defaultCount, maxCount); err != nil {
		return err
	}
	if l.softDeleted, err = c.flag("includeSoftDelete", false); err != nil {
		return err
	}
	if l.system, err = c.flag("systemMetadata", false); err != nil {
		return err
	}
	if l.aspects, err = c.list("aspects", "aspectNames"); err != nil {
		return err
	}
	return l.readSlice(c)
}

// checkPlain refuses queries that need more than the store.
func checkPlain(c *call) error {
	query := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.QueryParam("query")), "/q "))
	if query != "" && query != "*" {
		return notSearchable("query parameter query must be *")
	}
	sorts, err := c.list("sort", "sortCriteria")
	if err != nil {
		return err
	}
	for _, field := range sorts {
		if err := checkSort(field, c.QueryParam("sortOrder")); err != nil {
			return err
		}
	}
	return checkSort(urnField, c.QueryParam("sortOrder"))
}

func checkSort(field, order string) error {
	if field != urnField && field != "" {
		return notSearchable("sort by " + shorten(field))
	}
	switch strings.ToUpper(order) {
	case "", "ASCENDING":
		return nil
	case "DESCENDING":
		return notSearchable("sort order DESCENDING")
	}
	return fault.New(fault.Malformed, "sort order must be ASCENDING or DESCENDING, is %q", shorten(order))
}

// readSlice serves parallel scrolls: the first slice has everything, so the
// slices together have each entity once.
func (l *listing) readSlice(c *call) error {
	most, err := c.number("sliceMax", 1)
	if err != nil {
		return err
	}
	id, err := c.number("sliceId", 0)
	if err != nil {
		return err
	}
	if most < 1 || id < 0 || id >= most {
		return fault.New(fault.Malformed, "sliceId must be at least 0 and less than sliceMax")
	}
	l.empty = l.empty || id > 0
	return nil
}

// readCursor takes up where the last page ended. Everything else must be set.
func (l *listing) readCursor(c *call) error {
	cursor := c.QueryParam("scrollId")
	if cursor == "" {
		return nil
	}
	position, err := openCursor(l.identity(), cursor)
	if err != nil {
		return err
	}
	u, err := urn.Parse(position)
	if err != nil || !slices.Contains(l.types, u.Type()) {
		return badCursor()
	}
	l.after = u
	return nil
}

func (e entities) answerPage(c *call, l *listing) error {
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
			views[i].scroll = sealCursor(identity, views[i].urn)
		}
	}
	next := ""
	if page.More {
		next = sealCursor(identity, string(page.URNs[len(page.URNs)-1]))
	}
	return c.json(http.StatusOK, e.shape.encodePage(views, next, page.Total))
}

// encodePage writes scrollId as null behind the last page in v3, as clients of
// that generation know it, and leaves it out in v2, where they look for the member.
func (s shape) encodePage(views []entityView, next string, total int) []byte {
	out := append(make([]byte, 0, sizeOf(views)+200), '{')
	switch {
	case next != "":
		out = append(jsontree.AppendString(append(out, `"scrollId":`...), next), ',')
	case s == flat:
		out = append(out, `"scrollId":null,`...)
	}
	out = append(out, '"')
	out = append(out, s.listMember()...)
	out = append(out, `":`...)
	out = s.appendEntities(out, views)
	if s == flat {
		out = append(out, `,"facets":[],"totalCount":`...)
		out = strconv.AppendInt(out, int64(total), 10)
	}
	return append(out, '}')
}

// page finds the URNs of a page.
func (e entities) page(c *call, l *listing) (catalog.Page, error) {
	switch {
	case l.empty || len(l.types) == 0:
		return catalog.Page{}, nil
	case l.urns != nil:
		return e.pageOf(c, l)
	}
	page, err := e.Catalog.List(c.ctx(), catalog.ListQuery{
		Types: l.types, After: l.after, Limit: max(l.limit, 1), IncludeSoftDeleted: l.softDeleted,
	})
	if l.limit == 0 {
		page.URNs, page.More = nil, false
	}
	return page, err
}

// pageOf pages through the URNs a filter names.
func (e entities) pageOf(c *call, l *listing) (catalog.Page, error) {
	there, err := e.Catalog.Exists(c.ctx(), l.urns, l.softDeleted)
	if err != nil {
		return catalog.Page{}, err
	}
	var page catalog.Page
	for i, u := range l.urns {
		if !there[i] {
			continue
		}
		page.Total++
		switch {
		case u <= l.after || l.limit == 0:
		case len(page.URNs) < l.limit:
			page.URNs = append(page.URNs, u)
		default:
			page.More = true
		}
	}
	return page, nil
}

func (e entities) viewPage(c *call, l *listing, urns []urn.URN) ([]entityView, error) {
	views := make([]entityView, len(urns))
	if l.urnOnly || len(urns) == 0 {
		for i, u := range urns {
			views[i] = entityView{urn: string(u)}
		}
		return views, nil
	}
	found, err := e.read(c, urns, catalog.EntityQuery{Aspects: e.aspectNames(l.aspects), Timeseries: true})
	if err != nil {
		return nil, err
	}
	for i := range found {
		views[i] = viewEntity(found[i], l.system)
	}
	return views, nil
}

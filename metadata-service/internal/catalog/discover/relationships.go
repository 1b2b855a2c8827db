package discover

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RelationshipQuery selects the relationships of one entity.
type RelationshipQuery struct {
	URN       urn.URN
	Direction graph.Direction
	Types     []string // names of relationships; none means all
	// NeighborTypes are entity types of the other ends, in any spelling; none means all.
	NeighborTypes []string
	Start, Count  int
	// IncludeSoftDeleted also lists relationships with soft-deleted entities.
	IncludeSoftDeleted bool
	// Deciding is set if the result serves a decision and is not shown to clients: it then includes
	// entities that the actor may not see.
	Deciding bool
}

// Relationships pages through the relationships of an entity by offset. The total counts only
// relationships that the actor may see. It includes relationships with entities that have not been
// written yet.
func (s *Service) Relationships(ctx context.Context, q RelationshipQuery) (page graph.Page, err error) {
	ctx, span := tracing.Start(ctx, "discover relationships")
	defer func() { span.End(err) }()
	if !q.Deciding {
		if err := s.mayReadLineage(ctx, q.URN); err != nil {
			return graph.Page{}, err
		}
	}
	if q.Direction != graph.Incoming && q.Direction != graph.Outgoing {
		return graph.Page{}, fault.New(fault.Malformed, "direction %q is neither %s nor %s", q.Direction, graph.Incoming, graph.Outgoing)
	}
	if q.Start < 0 || q.Count < 0 || q.Count > search.MaxPage {
		return graph.Page{}, fault.New(fault.Malformed, "start %d and count %d are not a page; count may be up to %d", q.Start, q.Count, search.MaxPage)
	}
	var sees visibilityTest
	if !q.Deciding {
		sees, err = s.visibilityTest(ctx, auth.ReadRelationships)
	}
	if err != nil {
		return graph.Page{}, err
	}
	shown, err := s.listedTest(ctx, sees, q.IncludeSoftDeleted)
	if err != nil {
		return graph.Page{}, err
	}
	page, err = graph.Relationships(ctx, s.Graph, graph.PageQuery{
		Node: q.URN, Direction: q.Direction, Types: q.Types, NeighborTypes: s.typeNames(q.NeighborTypes), Start: q.Start, Count: q.Count, Visible: shown, VisibleOwner: sees,
	})
	if err != nil {
		return graph.Page{}, err
	}
	if err := sees.hideVia(page.Edges); err != nil {
		return graph.Page{}, err
	}
	return page, s.discloseEdges(ctx, page.Edges)
}

// listedTest returns the test of which ends of relationships are listed, nil for all: those that
// pass the test sees and, without softDeleted, are not soft-deleted. It checks for soft-deleted
// entities only if there are any.
func (s *Service) listedTest(ctx context.Context, sees visibilityTest, softDeleted bool) (visibilityTest, error) {
	if softDeleted {
		return sees, nil
	}
	removed := search.Query{Types: s.fields.types(), Filter: search.Filter{{{Field: "removed", Values: []string{"true"}}}}}
	result, err := s.Index.Search(ctx, removed)
	if err != nil || result.Total == 0 {
		return sees, err
	}
	return func(urns []urn.URN) ([]bool, error) {
		gone, err := s.matching(ctx, urns, search.Query{Filter: removed.Filter})
		if err != nil {
			return nil, err
		}
		seen := gone
		if sees != nil {
			if seen, err = sees(urns); err != nil {
				return nil, err
			}
		}
		out := make([]bool, len(urns))
		for i := range urns {
			out[i] = !gone[i] && (sees == nil || seen[i])
		}
		return out, nil
	}, nil
}

// EdgeQuery selects relationships across the catalog.
type EdgeQuery struct {
	Types                 []string // names of relationships; none means all
	SourceTypes           []string // entity types; none means all
	DestinationTypes      []string
	Sources, Destinations search.Filter // on the ends; "urn" is looked up, other fields are searched
	Touching              []urn.URN     // at either end; none means all
	IncludeSoftDeleted    bool
	Scroll                string
	Count                 int
	Slice, Slices         int
	LineageOnly           bool
	Edge                  search.Filter // on the edge itself, see checkEdgeFilter
}

// EdgePage is a page of relationships. A page is full while more follow, so that its size does not
// reveal how many were left out; only after reading maxEdgesRead edges it may be short or even
// empty.
type EdgePage struct {
	Edges []model.Edge
	// Ends are the ends of the edges in lineage direction, only set with LineageOnly. An end that
	// the actor may not view is a restricted entity.
	Ends []LineageEnds
	Next string
}

// LineageEnds are the ends of an edge in the direction of the data flow.
type LineageEnds struct{ Upstream, Downstream urn.URN }

const maxEdgePage = 5000

// Edges scrolls through relationships. Pages are found by key, so their cost does not grow with
// their position. A page has at most 5,000 relationships.
func (s *Service) Edges(ctx context.Context, q EdgeQuery) (page EdgePage, err error) {
	ctx, span := tracing.Start(ctx, "discover edges")
	defer func() { span.End(err) }()
	if err := s.mayReadEdges(ctx, &q); err != nil {
		return EdgePage{}, err
	}
	if q.Count < 1 || q.Count > maxEdgePage {
		return EdgePage{}, fault.New(fault.Malformed, "count %d is not between 1 and %d", q.Count, maxEdgePage)
	}
	e := edgeScroll{s: s, q: q}
	if err := e.prepare(ctx); err != nil {
		return EdgePage{}, err
	}
	return e.page(ctx)
}

// mayReadLineage returns nil if the actor may read an entity, or has the right over its lineage.
func (s *Service) mayReadLineage(ctx context.Context, u urn.URN) error {
	refused, err := s.Catalog.Refusals(ctx, auth.On(auth.OpRead, u, ""), auth.Over(u, auth.ToReadLineage...).ToRead())
	if err != nil || refused[1] == nil {
		return err
	}
	return refused[0]
}

// mayReadEdges authorizes reading the entities whose relationships are listed; if the query names
// none, it authorizes reading all entities.
func (s *Service) mayReadEdges(ctx context.Context, q *EdgeQuery) error {
	of := q.Touching
	for _, end := range []search.Filter{q.Sources, q.Destinations} {
		if len(of) > 0 {
			break
		}
		var err error
		if of, _, err = takeURNs(end); err != nil {
			return err
		}
	}
	if len(of) == 0 {
		return s.Catalog.MayRead(ctx, "", "")
	}
	checks := make([]auth.Check, len(of))
	for i, u := range of {
		checks[i] = auth.On(auth.OpRead, u, "")
	}
	return s.Catalog.Permit(ctx, checks...)
}

// edgeScroll is one call of Edges: one or two listings, one after the other.
type edgeScroll struct {
	s        *Service
	q        EdgeQuery
	listings []graph.Query
	cursor   edgeCursor
	sees     visibilityTest // visible ends
	lists    visibilityTest // visible ends that are listed
	sources  search.Filter  // remaining filters on the ends
	targets  search.Filter
	// conceals are the entity types of which hidden ends are listed as restricted entities; edges
	// with such ends come after all others.
	conceals map[string]bool
}

// edgeCursor is the content of a scroll id of edges. After the last listing it is a position among
// edges with restricted ends, in the order of their shown form.
type edgeCursor struct {
	Listing int            `json:"l"`
	After   *model.EdgeKey `json:"a,omitempty"`
	Shown   string         `json:"s,omitempty"`
}

func (e *edgeScroll) prepare(ctx context.Context) error {
	err := search.SizeOf(e.q.Sources, e.q.Destinations, e.q.Edge).Check()
	if err != nil {
		return err
	}
	if err := checkEdgeFilter(e.q.Edge); err != nil {
		return err
	}
	types, some := e.q.edgeTypes()
	if !some {
		return nil // no relationship qualifies, so nothing is listed
	}
	if e.q.Scroll != "" {
		if e.cursor, err = e.s.decodeEdgeCursor(e.q.Scroll); err != nil {
			return err
		}
	}
	if e.sees, err = e.s.visibilityTest(ctx, auth.ReadRelationships); err != nil {
		return err
	}
	if e.lists, err = e.s.listedTest(ctx, e.sees, e.q.IncludeSoftDeleted); err != nil {
		return err
	}
	sources, sourceRest, err := takeURNs(e.q.Sources)
	if err != nil {
		return err
	}
	targets, targetRest, err := takeURNs(e.q.Destinations)
	if err != nil {
		return err
	}
	e.sources, e.targets = sourceRest, targetRest
	// With a filter on the ends or on the edge, restricted entities are not listed, because the
	// filter would reveal their values.
	if e.q.LineageOnly && e.sees != nil && e.sources == nil && e.targets == nil && len(e.q.Edge) == 0 {
		if e.conceals, err = e.s.restrictedTypes(ctx); err != nil {
			return err
		}
	}
	forward := graph.Query{
		Direction: graph.Outgoing, Types: types, Nodes: sources, Neighbors: targets,
		NodeTypes: e.s.typeNames(e.q.SourceTypes), NeighborTypes: e.s.typeNames(e.q.DestinationTypes),
	}
	backward := graph.Query{
		Direction: graph.Incoming, Types: types, Nodes: targets, Neighbors: sources,
		NodeTypes: forward.NeighborTypes, NeighborTypes: forward.NodeTypes,
	}
	switch {
	case len(e.q.Touching) > 0:
		forward.Nodes, backward.Nodes = e.q.Touching, e.q.Touching
		e.listings = []graph.Query{forward, backward}
	case len(sources) == 0 && len(targets) > 0:
		e.listings = []graph.Query{backward}
	default:
		e.listings = []graph.Query{forward}
	}
	if last := len(e.listings); e.cursor.Listing < 0 || e.cursor.Listing > last || e.cursor.Listing == last && len(e.conceals) == 0 {
		return errEdgeCursor()
	}
	return nil
}

// typeNames returns entity types in registry spelling; unknown ones match nothing.
func (s *Service) typeNames(names []string) []string {
	var out []string
	for _, name := range names {
		if entity, ok := s.entityType(name); ok {
			name = entity.Name
		}
		out = append(out, name)
	}
	return out
}

// takeURNs extracts the URNs from a filter on an end. A look-up by URN is possible only if every
// alternative names some.
func takeURNs(filter search.Filter) (urns []urn.URN, rest search.Filter, err error) {
	for _, alternative := range filter {
		named := false
		for _, c := range alternative {
			equal := c.Condition == "" || c.Condition == search.Equal || c.Condition == In
			if search.PlainName(c.Field) == "urn" && equal && !c.Negated {
				named = true
				for _, v := range c.Values {
					urns = append(urns, urn.URN(v))
				}
			}
		}
		if !named {
			return nil, filter, nil
		}
		if len(alternative) > 1 {
			rest = filter
		}
	}
	if len(filter) > 0 && len(urns) == 0 {
		return nil, nil, fault.New(fault.Malformed, "filter on urn: name at least one")
	}
	return urns, rest, nil
}

// Bounds of the edges that a page reads. It reads edges in parts of increasing size, because most
// may be left out.
const (
	minEdgesRead = 200
	maxEdgesRead = 100_000
)

func (e *edgeScroll) page(ctx context.Context) (page EdgePage, err error) {
	part := e.q.Count
	var restricted restrictedEdges
	all := e.q.Scroll == "" // whether this page reads all restricted ones
	for read := 0; e.cursor.Listing < len(e.listings); {
		if read >= maxEdgesRead {
			page.Next = e.s.encodeEdgeCursor(e.cursor)
			return page, nil
		}
		edges, keys, err := e.read(ctx, part)
		if err != nil {
			return EdgePage{}, err
		}
		read += len(edges)
		kept, err := e.keep(ctx, edges)
		if err != nil {
			return EdgePage{}, err
		}
		for _, k := range kept {
			if k.restricted {
				restricted.add(k)
				continue
			}
			page.add(k, e.q.LineageOnly)
			if len(page.Edges) == e.q.Count {
				page.Next = e.s.encodeEdgeCursor(edgeCursor{Listing: e.cursor.Listing, After: &keys[k.index]})
				return page, nil
			}
		}
		e.advance(keys, part)
		part = min(max(2*part, minEdgesRead), maxEdgePage)
	}
	if len(e.conceals) == 0 {
		return page, nil
	}
	if !all {
		if restricted, err = e.allRestricted(ctx); err != nil {
			return EdgePage{}, err
		}
	}
	for _, k := range restricted.after(e.cursor.Shown) {
		if len(page.Edges) == e.q.Count {
			page.Next = e.s.encodeEdgeCursor(edgeCursor{Listing: len(e.listings), Shown: e.cursor.Shown})
			break
		}
		page.add(k, true)
		e.cursor.Shown = k.shown()
	}
	return page, nil
}

// read reads the next edges of a listing.
func (e *edgeScroll) read(ctx context.Context, part int) (edges []model.Edge, keys []model.EdgeKey, err error) {
	if err := e.s.reserveEdges(ctx, part); err != nil {
		return nil, nil, err
	}
	list := e.listings[e.cursor.Listing]
	list.After, list.Limit = e.cursor.After, part
	edges, err = e.s.Graph.Edges(ctx, list)
	if err != nil {
		if fault.KindOf(err) == fault.Invalid {
			err = errEdgeCursor()
		}
		return nil, nil, err
	}
	keys = make([]model.EdgeKey, len(edges))
	for i := range edges {
		keys[i] = edges[i].Key()
	}
	return edges, keys, nil
}

// advance moves the cursor after the edges read; part is the number requested.
func (e *edgeScroll) advance(keys []model.EdgeKey, part int) {
	if len(keys) == part {
		e.cursor.After = &keys[len(keys)-1]
		return
	}
	e.cursor = edgeCursor{Listing: e.cursor.Listing + 1, Shown: e.cursor.Shown}
}

func (p *EdgePage) add(k listedEdge, lineage bool) {
	p.Edges = append(p.Edges, k.edge)
	if lineage {
		p.Ends = append(p.Ends, k.ends)
	}
}

// allRestricted reads all listings for the edges with restricted ends. Each page of such edges
// requires that. It returns none if too many edges would have to be read.
func (e *edgeScroll) allRestricted(ctx context.Context) (restricted restrictedEdges, err error) {
	again := *e
	again.cursor = edgeCursor{}
	for read := 0; again.cursor.Listing < len(again.listings); {
		if read >= maxEdgesRead {
			return restrictedEdges{}, nil
		}
		edges, keys, err := again.read(ctx, maxEdgePage)
		if err != nil {
			return restrictedEdges{}, err
		}
		read += len(edges)
		kept, err := again.keep(ctx, edges)
		if err != nil {
			return restrictedEdges{}, err
		}
		for _, k := range kept {
			if k.restricted {
				restricted.add(k)
			}
		}
		again.advance(keys, maxEdgePage)
	}
	return restricted, nil
}

// restrictedEdges are the edges of a scroll with restricted ends; if there are more than
// maxRestricted, the list is empty.
type restrictedEdges struct {
	list     []listedEdge
	overflow bool
}

func (r *restrictedEdges) add(k listedEdge) {
	if r.overflow = r.overflow || len(r.list) == maxRestricted; r.overflow {
		r.list = nil
		return
	}
	r.list = append(r.list, k)
}

// after lists the edges after a given one in the order of their shown form: another order would
// reveal hidden URNs or the time of their creation.
func (r *restrictedEdges) after(shown string) []listedEdge {
	byShown := func(k listedEdge, shown string) int { return strings.Compare(k.shown(), shown) }
	slices.SortFunc(r.list, func(a, b listedEdge) int { return byShown(a, b.shown()) })
	at, found := slices.BinarySearchFunc(r.list, shown, byShown)
	if found {
		at++
	}
	return r.list[at:]
}

// reserveEdges reserves the processor time for reading some edges and checking their ends.
func (s *Service) reserveEdges(ctx context.Context, edges int) error {
	const perEdge = 4 * time.Microsecond
	if s.Work == nil || edges <= minEdgesRead {
		return nil
	}
	return s.Work(ctx, perEdge*time.Duration(edges))
}

// listedEdge is a listed edge with its index among those read.
type listedEdge struct {
	edge       model.Edge
	ends       LineageEnds // with LineageOnly
	restricted bool        // one of the ends is restricted
	index      int
}

// shown is the form of an edge by which the actor can distinguish it from others.
func (k *listedEdge) shown() string {
	return string(k.edge.Source) + " " + string(k.edge.Destination) + " " + k.edge.Type
}

// keep leaves out edges with an end that is not listed, in place. With LineageOnly it sets the
// ends.
func (e *edgeScroll) keep(ctx context.Context, edges []model.Edge) ([]listedEdge, error) {
	var ends []urn.URN
	for i := range edges {
		ends = append(ends, edges[i].Source, edges[i].Destination)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	out := map[urn.URN]bool{}
	if e.lists != nil {
		shown, err := e.lists(ends)
		if err != nil {
			return nil, err
		}
		for i, u := range ends {
			out[u] = !shown[i]
		}
	}
	restricted, err := e.restricted(ctx, ends, out)
	if err != nil {
		return nil, err
	}
	bySource, err := e.matches(ctx, ends, e.sources)
	if err != nil {
		return nil, err
	}
	byTarget, err := e.matches(ctx, ends, e.targets)
	if err != nil {
		return nil, err
	}
	hiddenOwners, err := e.sees.hiddenOwners(edges)
	if err != nil {
		return nil, err
	}
	second := e.cursor.Listing > 0
	leavesOut := func(edge *model.Edge) bool {
		switch {
		case hiddenOwners[edge.Owner]:
			return true
		case out[edge.Source] && !restricted[edge.Source] || out[edge.Destination] && !restricted[edge.Destination]:
			return true
		case restricted[edge.Source] && restricted[edge.Destination]:
			return true // both ends are hidden
		case bySource != nil && !bySource[edge.Source], byTarget != nil && !byTarget[edge.Destination]:
			return true
		case second && slices.Contains(e.q.Touching, edge.Source):
			return true // it was in the first listing
		}
		_, _, isLineage := e.s.lineage.Ends(edge)
		return e.q.LineageOnly && !isLineage
	}
	left := edges[:0]
	var places []int
	for i := range edges {
		if !leavesOut(&edges[i]) {
			left, places = append(left, edges[i]), append(places, i)
		}
	}
	if err := e.sees.hideVia(left); err != nil {
		return nil, err
	}
	if err := e.s.discloseEdges(ctx, left); err != nil {
		return nil, err
	}
	kept := make([]listedEdge, 0, len(left))
	for i := range left {
		// Hidden parts of an edge are removed before the filter, so that it cannot reveal them.
		passes, err := passesEdgeFilter(&left[i], e.q.Edge)
		if err != nil {
			return nil, err
		}
		if !passes {
			continue
		}
		k := listedEdge{edge: left[i], index: places[i]}
		if e.q.LineageOnly {
			k.ends.Upstream, k.ends.Downstream, _ = e.s.LineageEnds(&k.edge)
			k.restricted = e.restrict(&k.edge, &k.ends, restricted)
		}
		// Slices use the shown form of an edge: a part chosen by a hidden URN would reveal it.
		if e.q.Slices > 1 && edgeSlice(&k.edge, e.q.Slices) != e.q.Slice {
			continue
		}
		kept = append(kept, k)
	}
	return kept, nil
}

// restricted returns the ends that are listed as restricted entities: ends of lineage that the
// actor may not view.
func (e *edgeScroll) restricted(ctx context.Context, ends []urn.URN, out map[urn.URN]bool) (map[urn.URN]bool, error) {
	asked := slices.DeleteFunc(slices.Clone(ends), func(u urn.URN) bool { return !out[u] || !e.conceals[u.Type()] })
	if len(asked) == 0 {
		return nil, nil
	}
	// It ignores whether they exist or are soft-deleted, because that would be revealed for any URN
	// that an edge names.
	return e.s.hiddenAmong(ctx, asked)
}

// restrict conceals the restricted ends of an edge and removes its other data. It reports whether
// the edge has such ends.
func (e *edgeScroll) restrict(edge *model.Edge, ends *LineageEnds, restricted map[urn.URN]bool) bool {
	if !restricted[edge.Source] && !restricted[edge.Destination] {
		return false
	}
	hidden := edge.Source
	if !restricted[hidden] {
		hidden = edge.Destination
	}
	place := lineage.PlaceOf(edge, hidden)
	*edge = model.Edge{Source: edge.Source, Type: edge.Type, Destination: edge.Destination}
	for _, end := range []*urn.URN{&edge.Source, &edge.Destination, &ends.Upstream, &ends.Downstream} {
		if restricted[*end] {
			*end = e.s.conceal(place, *end)
		}
	}
	return true
}

func (e *edgeScroll) matches(ctx context.Context, ends []urn.URN, filter search.Filter) (map[urn.URN]bool, error) {
	if filter == nil {
		return nil, nil
	}
	found, err := e.s.matching(ctx, ends, search.Query{Filter: filter})
	if err != nil {
		return nil, err
	}
	set := map[urn.URN]bool{}
	for i, u := range ends {
		set[u] = found[i]
	}
	return set, nil
}

// LineageEnds returns the ends of an edge in lineage direction; ok is false if the edge is no
// lineage.
func (s *Service) LineageEnds(e *model.Edge) (upstream, downstream urn.URN, ok bool) {
	return s.lineage.Ends(e)
}

// LineageNames lists the names of relationships that are lineage.
func (s *Service) LineageNames() []string { return s.lineage.Names() }

// encodeEdgeCursor returns a scroll id. It encrypts the position, if possible, because its edge may
// have a hidden end.
func (s *Service) encodeEdgeCursor(p edgeCursor) string {
	text, err := json.Marshal(p)
	if err != nil {
		return "" // strings and numbers always encode
	}
	if s.Names != nil {
		return s.sealScroll(string(text))
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func (s *Service) decodeEdgeCursor(id string) (p edgeCursor, err error) {
	if len(id) > maxScrollBytes {
		return p, fault.New(fault.Malformed, "scrollId is longer than %d bytes", maxScrollBytes)
	}
	if s.Names != nil {
		text, err := s.openScroll(id)
		if err != nil || json.Unmarshal([]byte(text), &p) != nil {
			return p, errEdgeCursor()
		}
		return p, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return p, errEdgeCursor()
	}
	return p, nil
}

func errEdgeCursor() error {
	return fault.New(fault.Malformed, "scrollId is not one this service gave for relationships")
}

// edgeSlice returns the part of several that an edge is in.
func edgeSlice(e *model.Edge, of int) int {
	sum := uint64(14695981039346656037)
	for _, text := range []urn.URN{e.Source, e.Destination} {
		for i := range len(text) {
			sum = (sum ^ uint64(text[i])) * 1099511628211
		}
	}
	return int((sum ^ sum>>32) % uint64(of))
}

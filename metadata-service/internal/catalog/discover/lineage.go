package discover

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// LineageQuery walks up or down the lineage of an entity, and searches among the entities reached.
// A criterion on "degree" (1, 2, 3+) restricts the distance; without 3+ the walk ends at the
// highest requested degree. Without types, entities of all types except query are found.
type LineageQuery struct {
	SearchQuery
	URN       urn.URN
	Direction lineage.Direction
	MaxHops   int // 0 for the default limit
	// StartTime and EndTime (epoch ms, inclusive) are the lineage.Window of edges; a start alone
	// extends to now.
	StartTime, EndTime *int64
	PerHop             int // entities explored per hop, 0 for no limit
	IgnoreAsHops       []lineage.Ignored
	// SeparateSiblings excludes the lineage of the entity's siblings.
	SeparateSiblings bool
	// WithoutPaths leaves out the paths to hits.
	WithoutPaths bool
	// Programs is set by interfaces for programs. It requires the right over the lineage of the
	// whole catalog, which policies over single resources do not give, and the right to read URN.
	Programs bool
}

// LineagePage is a page of entities found along lineage.
type LineagePage struct {
	Total  int
	Hits   []LineageHit
	Facets []search.Facet
	Next   string
	// Truncated is set if a limit ended the walk early. Why names the limits.
	Truncated bool
	Why       string
}

// LineageHit is an entity and the way it was reached.
type LineageHit struct {
	search.Hit
	Degree  int // hops of the shortest path
	Degrees []int
	// Paths lead from the root to the entity, both included, the shortest first: at most ten, and
	// fewer if the paths of the page would be too large together.
	Paths                                     [][]urn.URN
	Explored, IgnoredAsHop, TruncatedChildren bool
}

const (
	degreeField = "degree"
	farDegree   = "3+"
	columnType  = model.ColumnType
	queryType   = "query"
)

// Bounds of the paths of a page. The entities in them and the edges visited for them are divided
// evenly among the hits.
const (
	maxPaths     = 10 // per hit
	maxPathNodes = 100_000
	maxPathEdges = 1_000_000
)

// SearchLineage walks lineage breadth first and searches among the entities reached.
func (s *Service) SearchLineage(ctx context.Context, q LineageQuery) (LineagePage, error) {
	if err := search.SizeOf(q.Filter).Plus(q.And...).Check(); err != nil {
		return LineagePage{}, err
	}
	if q.URN.Type() == RestrictedType {
		return LineagePage{}, s.CheckRestricted(q.URN) // a restricted entity has no further lineage
	}
	degrees, err := q.takeDegrees()
	if err != nil {
		return LineagePage{}, err
	}
	if len(q.Types) == 0 {
		q.Types = s.LineageTypes()
	}
	query, v, err := s.visibleQuery(ctx, q.SearchQuery)
	if err != nil {
		return LineagePage{}, err
	}
	walked, err := s.walk(ctx, &q, degrees)
	if err != nil {
		return LineagePage{}, err
	}
	reached := newReached(walked, q.URN, degrees)
	query.Within = reached.urns
	var restricted []reachedHidden
	_, _, restricts := s.restrictedFilter(v)
	if restricts = restricts && len(criteria(q.filters()...)) == 0 && !s.asksForTexts(&q.SearchQuery, query.Types); restricts {
		if restricted, err = s.restrictedOf(ctx, reached, query.Types); err != nil {
			return LineagePage{}, err
		}
	}
	var found SearchPage
	hidden := 0
	if restricts {
		found, hidden, err = s.findRestricted(ctx, query, q.Scroll, hiddenHits{len(restricted), func() ([]urn.URN, error) { return s.concealReached(reached, restricted), nil }})
	} else {
		found, err = s.find(ctx, query, q.Scroll)
	}
	if err != nil {
		return LineagePage{}, err
	}
	page := LineagePage{Total: found.Total, Next: found.Next, Truncated: len(walked.Truncated) > 0, Why: limitNames(walked.Truncated)}
	for _, h := range found.Hits {
		page.Hits = append(page.Hits, reached.hit(walked, h))
	}
	if !q.WithoutPaths {
		if err := reached.addPaths(ctx, walked, page.Hits); err != nil {
			return LineagePage{}, err
		}
	}
	if restricts {
		endPathsAtHits(page.Hits[hidden:])
	}
	page.Facets = found.Facets
	addTypesWithoutHits(page.Facets, query.Types)
	if len(query.Facets) > 0 {
		facet, err := s.degreeFacet(ctx, query, reached, restricted)
		if err != nil {
			return LineagePage{}, err
		}
		page.Facets = append(page.Facets, facet)
	}
	return page, nil
}

// restrictedOf returns the hidden entities of some types that were reached. It ignores whether they
// exist, because an actor that writes an edge to a URN of its choice would learn that.
func (s *Service) restrictedOf(ctx context.Context, r *reached, types []string) ([]reachedHidden, error) {
	var among []reachedHidden
	var urns []urn.URN
	for _, h := range r.hidden {
		if slices.Contains(types, h.node.URN.Type()) {
			among, urns = append(among, h), append(urns, h.node.URN)
		}
	}
	slices.Sort(urns)
	hidden, err := s.hiddenAmong(ctx, slices.Compact(urns))
	return slices.DeleteFunc(among, func(h reachedHidden) bool { return !hidden[h.node.URN] }), err
}

// concealReached gives reached hidden entities the URNs of restricted ones, and records their nodes
// under these.
func (s *Service) concealReached(r *reached, restricted []reachedHidden) []urn.URN {
	urns := make([]urn.URN, len(restricted))
	for i, h := range restricted {
		u := s.conceal(h.node.Place, h.node.URN)
		urns[i], r.nodes[u], r.columns[u] = u, h.node, h.columns
	}
	return urns
}

// endPathsAtHits replaces the ends of paths to restricted entities by their restricted URNs. Paths
// end at such entities, as the walk does.
func endPathsAtHits(hits []LineageHit) {
	for i := range hits {
		for _, path := range hits[i].Paths {
			path[len(path)-1] = hits[i].URN
		}
	}
}

func limitNames(list []lineage.Limit) string {
	words := make([]string, len(list))
	for i, l := range list {
		words[i] = string(l)
	}
	return strings.Join(words, ", ")
}

// LineageTypes lists the entity types found along lineage by default: all searched types except
// query, which lineage passes through.
func (s *Service) LineageTypes() []string {
	var types []string
	for _, schema := range s.fields.schemas {
		if schema.EntityType != queryType {
			types = append(types, schema.EntityType)
		}
	}
	return types
}

// takeDegrees removes the criteria on degree from the filters, all of which must match, and returns
// the permitted degrees, nil if there are no criteria.
func (q *LineageQuery) takeDegrees() (degrees map[string]bool, err error) {
	filters := q.filters()
	for i, f := range filters {
		allowed, rest, err := takeDegrees(f)
		if err != nil {
			return nil, err
		}
		filters[i] = rest
		switch {
		case degrees == nil:
			degrees = allowed
		case allowed != nil:
			maps.DeleteFunc(degrees, func(d string, _ bool) bool { return !allowed[d] })
		}
	}
	q.Filter, q.And = filters[0], filters[1:]
	return degrees, nil
}

// takeDegrees removes the criteria on degree from a filter. The criteria of one alternative must
// all match; a degree is permitted if any alternative permits it. degrees is nil if there are no
// criteria.
func takeDegrees(filter search.Filter) (degrees map[string]bool, rest search.Filter, err error) {
	for _, alternative := range filter {
		var others []search.Criterion
		var allowed []string
		asked := false
		for _, c := range alternative {
			if search.PlainName(c.Field) != degreeField {
				others = append(others, c)
				continue
			}
			fitting, err := degreesOf(c)
			if err != nil {
				return nil, nil, err
			}
			if asked {
				fitting = slices.DeleteFunc(fitting, func(d string) bool { return !slices.Contains(allowed, d) })
			}
			allowed, asked = fitting, true
		}
		if asked && degrees == nil {
			degrees = map[string]bool{}
		}
		for _, d := range allowed {
			degrees[d] = true
		}
		rest = append(rest, others)
	}
	return degrees, rest, nil
}

// degreesOf lists the degrees that match a criterion.
func degreesOf(c search.Criterion) ([]string, error) {
	known := []string{"1", "2", farDegree}
	fits := func(d string) bool { return slices.Contains(c.Values, d) != c.Negated }
	if c.Condition == search.Exists {
		fits = func(string) bool { return !c.Negated }
	} else if i := slices.IndexFunc(c.Values, func(v string) bool { return !slices.Contains(known, v) }); i >= 0 {
		return nil, fault.New(fault.Malformed, "filter on degree: %q is none of 1, 2 and 3+", c.Values[i])
	}
	return slices.DeleteFunc(known, func(d string) bool { return !fits(d) }), nil
}

// walk follows lineage from the entity and its siblings.
func (s *Service) walk(ctx context.Context, q *LineageQuery, degrees map[string]bool) (reached *lineage.Result, err error) {
	ctx, span := tracing.Start(ctx, "discover lineage")
	defer func() { span.End(err) }()
	if err := s.mayWalk(ctx, q); err != nil {
		return nil, err
	}
	w := lineage.Query{
		Direction: q.Direction, MaxHops: q.MaxHops, NodesPerHop: q.PerHop, Window: s.windowOf(q),
		IgnoreAsHop: s.lineage.Ignore(q.IgnoreAsHops),
	}
	if degrees != nil && !degrees[farDegree] {
		w.MaxHops = 1
		if degrees["2"] {
			w.MaxHops = 2
		}
	}
	sees, err := s.visibilityTest(ctx, auth.ReadLineage)
	if err != nil {
		return nil, err
	}
	if w.Roots, err = s.lineageRoots(ctx, q, sees); err != nil {
		return nil, err
	}
	w.Visible = sees
	w.Reserve = s.reserveWalk
	restricted, err := s.restrictedTypes(ctx)
	if err != nil {
		return nil, err
	}
	if len(restricted) > 0 {
		w.KeepsHidden = func(u urn.URN) bool { return restricted[u.Type()] }
	}
	return s.lineage.Walk(ctx, s.Graph, w)
}

// reserveWalk reserves the processor time for following the lineage of some entities.
func (s *Service) reserveWalk(ctx context.Context, entities int) error {
	const perEntity = 2 * time.Microsecond
	if s.Work == nil {
		return nil
	}
	return s.Work(ctx, perEntity*time.Duration(entities))
}

// mayWalk checks the rights that a walk from an entity requires.
func (s *Service) mayWalk(ctx context.Context, q *LineageQuery) error {
	if !q.Programs {
		return s.mayReadLineage(ctx, q.URN)
	}
	return s.Catalog.Permit(ctx, auth.ForPlatform(auth.ToReadLineage...).ToRead(), auth.On(auth.OpRead, q.URN, ""))
}

// lineageRoots returns the entity and its visible siblings. Hidden siblings are excluded, because
// the walk would reveal their lineage.
func (s *Service) lineageRoots(ctx context.Context, q *LineageQuery, sees visibilityTest) ([]urn.URN, error) {
	roots := []urn.URN{q.URN}
	if q.SeparateSiblings {
		return roots, nil
	}
	siblings, err := s.siblings(ctx, q.URN)
	if err != nil {
		return nil, err
	}
	siblings, err = sees.keep(siblings)
	return append(roots, siblings...), err
}

func (s *Service) windowOf(q *LineageQuery) (w lineage.Window) {
	if q.StartTime != nil {
		w.From, w.To = *q.StartTime, s.Catalog.Now().UnixMilli()
	}
	if q.EndTime != nil {
		w.To = *q.EndTime
	}
	return w
}

func (s *Service) siblings(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	records, err := s.Catalog.Latest(ctx, store.Key{URN: u, Aspect: "siblings"})
	if err != nil || records[0] == nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return nil, err
	}
	var list []urn.URN
	listed := map[string]bool{string(u): true}
	for _, text := range jsontree.Texts(value, "siblings") {
		if !listed[text] {
			listed[text] = true
			list = append(list, urn.URN(text))
		}
	}
	return list, nil
}

// matching reports which entities match a query, page by page.
func (s *Service) matching(ctx context.Context, urns []urn.URN, q search.Query) ([]bool, error) {
	found := make(map[urn.URN]bool, len(urns))
	for part := range slices.Chunk(urns, search.MaxPage) {
		q.Types, q.Within, q.Size = s.fields.types(), part, len(part)
		result, err := s.Index.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, h := range result.Hits {
			found[h.URN] = true
		}
	}
	out := make([]bool, len(urns))
	for i, u := range urns {
		out[i] = found[u]
	}
	return out, nil
}

// reached holds the entities that a walk reached, at the requested degrees.
type reached struct {
	urns []urn.URN // visible entities
	// nodes and columns hold how each entity was reached; hidden entities have their restricted URN
	// as key.
	nodes   map[urn.URN]lineage.Node
	columns map[urn.URN][]lineage.Node // reached columns of a table, the nearest first
	hidden  []reachedHidden
}

// reachedHidden is an entity that the actor may not view, as named at one place.
type reachedHidden struct {
	node    lineage.Node
	columns []lineage.Node // reached columns of a table, as above
}

// newReached lists the entities reached at the requested degrees. If the root is a column, it lists
// the tables of the reached columns in place of these. It lists jobs that lineage passes through,
// but not queries, which are only parts of paths.
func newReached(walked *lineage.Result, root urn.URN, degrees map[string]bool) *reached {
	r := &reached{nodes: make(map[urn.URN]lineage.Node, len(walked.Nodes)), columns: map[urn.URN][]lineage.Node{}}
	r.urns = make([]urn.URN, 0, len(walked.Nodes))
	hidden := map[placedURN]int{}
	for _, n := range walked.Nodes {
		if n.Via && n.URN.Type() == queryType || degrees != nil && !degrees[degreeName(n.Degree)] {
			continue
		}
		var columns []lineage.Node
		if parent := model.ParentOfColumn(n.URN); root.Type() == columnType && parent != "" {
			columns = []lineage.Node{n}
			n.URN = parent
		}
		if n.Hidden {
			at, known := hidden[placedURNOf(n)]
			if !known {
				at = len(r.hidden)
				hidden[placedURNOf(n)] = at
				r.hidden = append(r.hidden, reachedHidden{node: n})
			}
			r.hidden[at].columns = append(r.hidden[at].columns, columns...)
			continue
		}
		if _, known := r.nodes[n.URN]; !known {
			r.nodes[n.URN] = n
			r.urns = append(r.urns, n.URN)
		}
		if columns != nil {
			r.columns[n.URN] = append(r.columns[n.URN], columns...)
		}
	}
	return r
}

// placedURN identifies a node of lineage: a hidden entity may have several, one for each place that
// names it.
type placedURN struct {
	place string // empty for a visible entity
	urn   urn.URN
}

func placedURNOf(n lineage.Node) placedURN { return placedURN{n.Place, n.URN} }

func degreeName(degree int) string {
	switch {
	case degree <= 1:
		return "1"
	case degree == 2:
		return "2"
	}
	return farDegree
}

func (r *reached) hit(walked *lineage.Result, h search.Hit) LineageHit {
	n := r.nodes[h.URN]
	degrees := walked.Degrees(n)
	for _, column := range r.columns[h.URN] {
		degrees = append(degrees, walked.Degrees(column)...)
	}
	slices.Sort(degrees)
	return LineageHit{
		Hit: h, Degree: n.Degree, Degrees: slices.Compact(degrees), Explored: n.Explored, IgnoredAsHop: n.IgnoredAsHop,
		TruncatedChildren: n.TruncatedChildren,
	}
}

// addPaths adds the paths to hits until they contain too many entities together.
func (r *reached) addPaths(ctx context.Context, walked *lineage.Result, hits []LineageHit) error {
	if len(hits) == 0 {
		return nil
	}
	share := lineage.PathBound{
		Paths: maxPaths, Nodes: maxPathNodes / len(hits), Edges: min(maxPathEdges/len(hits), lineage.MaxPathEdges),
	}
	for i, nodes := 0, 0; i < len(hits) && nodes < maxPathNodes; i++ {
		paths, err := r.pathsTo(ctx, walked, hits[i].URN, share)
		if err != nil {
			return err
		}
		for _, path := range paths {
			nodes += len(path)
		}
		hits[i].Paths = paths
	}
	return nil
}

// pathsTo lists the paths to a hit; for a table, to each of its reached columns. Every column gets
// one path before any gets a second one, as far as the bound permits.
func (r *reached) pathsTo(ctx context.Context, walked *lineage.Result, hit urn.URN, share lineage.PathBound) ([][]urn.URN, error) {
	columns := r.columns[hit]
	if len(columns) == 0 {
		paths, _, err := walked.PathsTo(ctx, r.nodes[hit], share)
		return paths, err
	}
	columns = columns[:min(len(columns), share.Paths)]
	share.Nodes, share.Edges = share.Nodes/len(columns), share.Edges/len(columns)
	var first, more [][]urn.URN
	for _, column := range columns {
		paths, _, err := walked.PathsTo(ctx, column, share)
		if err != nil {
			return nil, err
		}
		first = append(first, paths[:min(len(paths), 1)]...)
		more = append(more, paths[min(len(paths), 1):]...)
	}
	byLength := func(a, b []urn.URN) int { return len(a) - len(b) }
	slices.SortStableFunc(more, byLength)
	all := append(first, more[:min(len(more), share.Paths-len(first))]...)
	slices.SortStableFunc(all, byLength)
	return all, nil
}

// degreeFacet counts the hits at each degree. It lists all degrees, so that a client that has
// selected one can select another.
func (s *Service) degreeFacet(ctx context.Context, q search.Query, r *reached, restricted []reachedHidden) (search.Facet, error) {
	groups, counts := map[string][]urn.URN{}, map[string]int{}
	for _, u := range r.urns {
		name := degreeName(r.nodes[u].Degree)
		groups[name] = append(groups[name], u)
	}
	for _, h := range restricted {
		counts[degreeName(h.node.Degree)]++
	}
	q.Size, q.From, q.Facets, q.After, q.Suggest = 0, 0, nil, nil, false
	facet := search.Facet{Field: degreeField}
	for _, name := range []string{"1", "2", farDegree} {
		if q.Within = groups[name]; len(q.Within) > 0 {
			result, err := s.Index.Search(ctx, q)
			if err != nil {
				return facet, err
			}
			counts[name] += result.Total
		}
		facet.Buckets = append(facet.Buckets, search.Bucket{Value: name, Count: counts[name]})
	}
	return facet, nil
}

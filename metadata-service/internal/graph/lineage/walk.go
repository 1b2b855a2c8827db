package lineage

import (
	"context"
	"fmt"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Defaults of the limits of a walk.
const (
	DefaultHops  = 1000
	DefaultEdges = 40_000
)

// Query describes a walk.
type Query struct {
	Roots     []urn.URN // not listed themselves; the caller has checked their visibility
	Direction Direction
	MaxHops   int // 0 means DefaultHops
	MaxEdges  int // examined lineage edges in total; 0 means DefaultEdges
	// NodesPerHop limits the explored entities per hop; 0 means no limit. The others are listed and
	// marked.
	NodesPerHop int
	Window      Window
	// IgnoreAsHop reports entities that do not count as a hop; nil for none.
	IgnoreAsHop func(urn.URN) bool
	// Visible reports which entities the actor may see; nil means all. It is called once per level
	// with the entities met, and once more with further owners of edges; it is asked once about each.
	// An edge with a hidden owner is not followed.
	Visible func([]urn.URN) ([]bool, error)
	// Reserve waits until the walk may explore a number of further entities. It is called before
	// each level; nil means no limit.
	Reserve func(ctx context.Context, entities int) error
	// KeepsHidden reports whether a hidden entity is listed nevertheless; nil means none. Such an
	// entity is marked, not walked through, and listed once for each place that names it.
	KeepsHidden func(urn.URN) bool
	// Live reports which entities are neither soft-deleted nor missing; nil means all. It is called
	// like Visible, with the visible entities.
	Live func([]urn.URN) ([]bool, error)
}

// Limit is the reason why a walk is incomplete.
type Limit string

const (
	LimitHops        Limit = "hops"        // DefaultHops were not enough; a MaxHops of the query is not a reason
	LimitEdges       Limit = "edges"       // more edges than MaxEdges
	LimitNodesPerHop Limit = "nodesPerHop" // more entities in a hop than NodesPerHop
)

// Node is an entity reached by a walk.
type Node struct {
	URN urn.URN
	// Degree is the number of hops on the shortest path.
	Degree int
	// Explored is true if the neighbors of the entity were read.
	Explored bool
	// TruncatedChildren is true if a limit excluded some neighbors.
	TruncatedChildren bool
	IgnoredAsHop      bool
	// Hidden marks an entity that the actor may not see. Place is the place that names it: PlaceOf
	// the edges that lead to it.
	Hidden bool
	Place  string
	// Via marks an entity through which edges only pass, such as a query.
	Via bool

	at int32
}

// Walk follows lineage from the roots of a query. It wraps errors of the reader and of the
// callbacks. An invalid query is fault.Invalid.
func (m *Map) Walk(ctx context.Context, reader graph.Reader, q Query) (*Result, error) {
	if err := q.fill(); err != nil {
		return nil, err
	}
	w := &walk{Query: q, m: m, reader: reader, index: map[urn.URN]int32{}}
	w.begin()
	for depth := int32(0); len(w.frontier) > 0; depth++ {
		if int(depth) == w.MaxHops {
			if w.hasDefaultHops {
				w.limit(LimitHops)
			}
			break
		}
		if err := w.hop(ctx, depth); err != nil {
			return nil, err
		}
	}
	w.partHidden()
	return w.result(), nil
}

func (q *Query) fill() error {
	switch {
	case !q.Direction.Valid():
		return fault.New(fault.Invalid, "direction %q is neither %s nor %s", q.Direction, Upstream, Downstream)
	case q.MaxHops < 0 || q.MaxEdges < 0 || q.NodesPerHop < 0:
		return fault.New(fault.Invalid, "limits of lineage must not be negative")
	case q.MaxHops > math.MaxInt32 || q.MaxEdges > math.MaxInt32:
		return fault.New(fault.Invalid, "limits of lineage must not exceed %d", math.MaxInt32)
	case q.Window.From != 0 && q.Window.To != 0 && q.Window.From > q.Window.To:
		return fault.New(fault.Invalid, "the time window of lineage starts at %d, after its end at %d", q.Window.From, q.Window.To)
	}
	return nil
}

// visitedNode is an entity that the walk has met, listed or not.
type visitedNode struct {
	urn    urn.URN
	degree int32 // degree in the result
	depth  int32 // depth at which it is explored
	by     int32 // first edge to it; undefined for roots and for entities through which edges only pass
	flags  uint16
}

const (
	flagRoot = 1 << iota
	flagHidden
	flagNotLive
	flagVia // met only as Via
	flagExplored
	flagTruncated
	flagIgnored
	flagKept // hidden, and listed
	flagPart // listed node for a hidden entity
)

// walkEdge is an edge between two entities of the walk; via is -1 for none.
type walkEdge struct{ from, to, via int32 }

type walk struct {
	Query
	m              *Map
	reader         graph.Reader
	hasDefaultHops bool // the query has no MaxHops

	index         map[urn.URN]int32
	nodes         []visitedNode
	edges         []walkEdge
	owners        []urn.URN    // of the edges, if KeepsHidden is set
	derived       []model.Edge // deferred by deferDerived
	derivedFrom   []int32      // nodes from which these were reached
	visibleOwners map[urn.URN]bool
	places        []string // of the parts of hidden entities, which are the last nodes
	frontier      []int32  // to explore in the next hop
	unchecked     []int32  // met since the last call of Visible
	reached       []int32  // met as ends of edges in this level
	limits        []Limit
	atMaxEdges    bool // no more edges are followed

	kind      kind // kind of the last edge, which mostly is that of the next
	direction Direction
}

func (w *walk) begin() {
	if w.MaxHops == 0 {
		w.MaxHops, w.hasDefaultHops = DefaultHops, true
	}
	if w.MaxEdges == 0 {
		w.MaxEdges = DefaultEdges
	}
	for _, u := range w.Roots {
		if _, twice := w.index[u]; !twice {
			w.frontier = append(w.frontier, w.add(u, 0, flagRoot))
		}
	}
}

func (w *walk) add(u urn.URN, depth int32, flags uint16) int32 {
	at := int32(len(w.nodes))
	w.index[u] = at
	w.nodes = append(w.nodes, visitedNode{urn: u, degree: depth, depth: depth, flags: flags})
	return at
}

func (w *walk) limit(l Limit) {
	for _, other := range w.limits {
		if other == l {
			return
		}
	}
	w.limits = append(w.limits, l)
}

// hop explores the frontier. Entities that do not count as a hop are explored in the same hop,
// level after level.
func (w *walk) hop(ctx context.Context, depth int32) error {
	level, left := w.frontier, w.NodesPerHop
	w.frontier = nil
	for len(level) > 0 {
		if left = w.cap(&level, left); len(level) == 0 {
			return nil
		}
		if err := w.explore(ctx, level, depth); err != nil {
			return err
		}
		if err := w.checkReached(); err != nil {
			return err
		}
		level = w.advance(depth)
	}
	return nil
}

// cap truncates a level to the number of entities that the hop may still explore.
func (w *walk) cap(level *[]int32, left int) int {
	keep := len(*level)
	switch {
	case w.atMaxEdges:
		keep = 0
	case w.NodesPerHop > 0:
		keep = min(keep, left)
	}
	for _, at := range (*level)[keep:] {
		w.nodes[at].flags |= flagTruncated
	}
	if keep < len(*level) && !w.atMaxEdges {
		w.limit(LimitNodesPerHop)
	}
	*level = (*level)[:keep]
	return left - keep
}

// edgesPerLook is the number of edges followed between two checks of the context.
const edgesPerLook = 256

// explore follows the edges of a level.
func (w *walk) explore(ctx context.Context, level []int32, depth int32) error {
	nodes := make([]urn.URN, len(level))
	for i, at := range level {
		nodes[i] = w.nodes[at].urn
		w.nodes[at].flags |= flagExplored
	}
	if w.Reserve != nil {
		if err := w.Reserve(ctx, len(level)); err != nil {
			return err
		}
	}
	idle.Yield(ctx)
	looked := 0
	err := w.reader.Expand(ctx, nodes, w.m.stepsOf(nodes, w.Direction), func(node int, e *model.Edge) bool {
		if looked++; looked%edgesPerLook == 0 && ctx.Err() != nil {
			return false
		}
		if w.Visible != nil && graph.DerivedBy(e) != "" {
			return w.deferDerived(level[node], e)
		}
		return w.follow(level[node], e, depth+1)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = w.followDerived(depth + 1)
	}
	if err != nil {
		return fmt.Errorf("lineage %d hops away: %w", depth, err)
	}
	if w.atMaxEdges {
		w.limit(LimitEdges)
		for _, at := range level {
			w.nodes[at].flags |= flagTruncated
		}
	}
	return nil
}

// deferDerived keeps an edge that an entity other than its ends states, until followDerived knows
// whether the actor may see that entity. It returns false if the limit of edges is reached.
func (w *walk) deferDerived(from int32, e *model.Edge) bool {
	if len(w.edges)+len(w.derived) >= w.MaxEdges {
		w.atMaxEdges = true
		return false
	}
	w.derived = append(w.derived, *e)
	w.derived[len(w.derived)-1].Properties = nil
	w.derivedFrom = append(w.derivedFrom, from)
	return true
}

// followDerived adds the deferred edges whose owner the actor may see. It checks each owner once.
func (w *walk) followDerived(depth int32) error {
	derived, from := w.derived, w.derivedFrom
	w.derived, w.derivedFrom = nil, nil
	if w.visibleOwners == nil {
		w.visibleOwners = map[urn.URN]bool{}
	}
	var unknown []urn.URN
	for i := range derived {
		if _, known := w.visibleOwners[derived[i].Owner]; !known {
			w.visibleOwners[derived[i].Owner] = false
			unknown = append(unknown, derived[i].Owner)
		}
	}
	if len(unknown) > 0 {
		answers, err := w.Visible(unknown)
		if err != nil {
			return err
		}
		if len(answers) != len(unknown) {
			return fault.New(fault.Internal, "asked about %d entities, answered about %d", len(unknown), len(answers))
		}
		for i, u := range unknown {
			w.visibleOwners[u] = answers[i]
		}
	}
	for i := range derived {
		if w.visibleOwners[derived[i].Owner] && !w.follow(from[i], &derived[i], depth) {
			return nil
		}
	}
	return nil
}

// follow adds one edge. It returns false if the limit of edges is reached.
func (w *walk) follow(from int32, e *model.Edge, depth int32) bool {
	if !w.Window.Keeps(e) {
		return true
	}
	if k := kindOf(e); k != w.kind {
		w.kind, w.direction = k, w.m.ends[k]
	}
	near, far := w.direction.order(e)
	if w.Direction == Upstream {
		near, far = far, near
	}
	if node := w.nodes[from].urn; near != node || far == node {
		return true
	}
	if len(w.edges) == w.MaxEdges {
		w.atMaxEdges = true
		return false
	}
	via := int32(-1)
	if e.Via != "" && e.Via != near && e.Via != far {
		via = w.meetVia(e.Via, depth)
	}
	w.edges = append(w.edges, walkEdge{from: from, to: w.meet(far, depth), via: via})
	if w.KeepsHidden != nil {
		w.owners = append(w.owners, e.Owner)
	}
	return true
}

// meet adds the far end of an edge.
func (w *walk) meet(u urn.URN, depth int32) int32 {
	at, known := w.index[u]
	switch {
	case !known:
		at = w.add(u, depth, 0)
		w.unchecked = append(w.unchecked, at)
	case w.nodes[at].flags&flagVia == 0:
		return at
	default: // only passed through so far, and reached now
		w.nodes[at].flags &^= flagVia
		w.nodes[at].depth = depth
	}
	w.nodes[at].by = int32(len(w.edges)) // index of the edge, which is appended next
	w.reached = append(w.reached, at)
	return at
}

func (w *walk) meetVia(u urn.URN, depth int32) int32 {
	at, known := w.index[u]
	if !known {
		at = w.add(u, depth, flagVia)
		w.unchecked = append(w.unchecked, at)
	}
	return at
}

// checkReached calls Visible and Live for the entities met in this level.
func (w *walk) checkReached() error {
	fresh := w.unchecked
	w.unchecked = nil
	fresh, err := w.dropNodes(fresh, w.Visible, flagHidden)
	if err == nil {
		_, err = w.dropNodes(fresh, w.Live, flagNotLive)
	}
	return err
}

// dropNodes flags the entities for which the answer is false, and returns the others.
func (w *walk) dropNodes(nodes []int32, question func([]urn.URN) ([]bool, error), flag uint16) ([]int32, error) {
	if question == nil || len(nodes) == 0 {
		return nodes, nil
	}
	urns := make([]urn.URN, len(nodes))
	for i, at := range nodes {
		urns[i] = w.nodes[at].urn
	}
	answers, err := question(urns)
	if err != nil {
		return nil, fmt.Errorf("lineage: decide which entities are listed: %w", err)
	}
	if len(answers) != len(nodes) {
		return nil, fault.New(fault.Internal, "asked about %d entities, answered about %d", len(nodes), len(answers))
	}
	var kept []int32
	for i, at := range nodes {
		if answers[i] {
			kept = append(kept, at)
			continue
		}
		w.nodes[at].flags |= flag
	}
	return kept, nil
}

// advance moves the reached entities into the next hop, and returns those that belong to the
// present one.
func (w *walk) advance(depth int32) (same []int32) {
	for _, at := range w.reached {
		node := &w.nodes[at]
		switch {
		case node.flags&flagHidden != 0:
			if w.KeepsHidden != nil && w.KeepsHidden(node.urn) {
				node.flags |= flagKept
			}
		case w.IgnoreAsHop != nil && w.IgnoreAsHop(node.urn):
			node.flags |= flagIgnored
			same = append(same, at)
		default:
			w.frontier = append(w.frontier, at)
		}
	}
	w.reached = w.reached[:0]
	return same
}

package lineage

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Result is the result of a walk. It is safe for concurrent use.
type Result struct {
	// Nodes are the reached entities that are visible and live, ordered by degree. Within a degree
	// the order is equal for equal graphs. The roots are not included.
	Nodes []Node
	// Filtered is the number of visible entities that are left out because they are not live.
	Filtered int
	// Edges is the number of followed edges.
	Edges int
	// Truncated lists the reasons why entities or edges may be missing. It is empty if the result
	// is complete.
	Truncated []Limit

	index   map[urn.URN]int32
	visited []visitedNode
	edges   []walkEdge

	once   sync.Once
	starts []int32    // start of each entity's edges in sorted; one element more than entities
	sorted []walkEdge // for edges that pass through the entity the end is noNode
}

// hidden reports whether the result must not mention the entity.
func (v *visitedNode) hidden() bool { return v.flags&flagHidden != 0 && v.flags&flagPart == 0 }

func (w *walk) result() *Result {
	r := &Result{Edges: len(w.edges), Truncated: w.limits, index: w.index, visited: w.nodes, edges: w.edges}
	r.Nodes = make([]Node, 0, len(w.nodes))
	ordered := true
	for i := range w.nodes {
		v := &w.nodes[i]
		switch {
		case v.flags&flagRoot != 0 || v.hidden():
			continue
		case v.flags&flagNotLive != 0:
			r.Filtered++
			continue
		}
		ordered = ordered && (len(r.Nodes) == 0 || int(v.degree) >= r.Nodes[len(r.Nodes)-1].Degree)
		node := Node{
			URN: v.urn, Degree: int(v.degree), Explored: v.flags&flagExplored != 0,
			TruncatedChildren: v.flags&flagTruncated != 0, IgnoredAsHop: v.flags&flagIgnored != 0,
			Via: v.flags&flagVia != 0, at: int32(i),
		}
		if v.flags&flagPart != 0 {
			node.Hidden, node.Place = true, w.places[i-(len(w.nodes)-len(w.places))]
		}
		r.Nodes = append(r.Nodes, node)
	}
	if !ordered {
		slices.SortStableFunc(r.Nodes, func(a, b Node) int { return a.Degree - b.Degree })
	}
	return r
}

// Degrees returns all numbers of hops by which an entity was reached, ascending: one for each
// explored entity that leads to it.
func (r *Result) Degrees(n Node) []int {
	degrees := []int{n.Degree}
	for _, e := range r.into(n.at) {
		degrees = append(degrees, int(after(&r.visited[e.from])))
	}
	slices.Sort(degrees)
	return slices.Compact(degrees)
}

// after returns the degree of the next entities behind an entity.
func after(v *visitedNode) int32 {
	if v.flags&flagIgnored != 0 {
		return v.depth
	}
	return v.depth + 1
}

// into returns the edges that lead to an entity or pass through it.
func (r *Result) into(at int32) []walkEdge {
	r.once.Do(r.sort)
	return r.sorted[r.starts[at]:r.starts[at+1]]
}

// noNode is the end of an edge that is cut at the entity through which it passes.
const noNode = -1

// sort groups the edges by their destination, and merges those that differ only in name or owner.
// Edges from one entity that pass through another are one path to that one.
func (r *Result) sort() {
	type entry struct {
		at   int32
		edge walkEdge
	}
	entries := make([]entry, 0, len(r.edges))
	for _, e := range r.edges {
		entries = append(entries, entry{e.to, e})
		if e.via >= 0 {
			entries = append(entries, entry{e.via, walkEdge{from: e.from, to: noNode, via: e.via}})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.edge.from, b.edge.from), cmp.Compare(a.edge.to, b.edge.to), cmp.Compare(a.edge.via, b.edge.via))
	})
	entries = slices.Compact(entries)
	r.starts = make([]int32, len(r.visited)+1)
	r.sorted = make([]walkEdge, len(entries))
	for i, e := range entries {
		r.sorted[i] = e.edge
		r.starts[e.at+1]++
	}
	for i := range r.visited {
		r.starts[i+1] += r.starts[i]
	}
}

// PathBound limits a search for paths. Dense graphs have too many paths to list.
type PathBound struct {
	Paths int // maximum number of paths
	// Nodes and Edges end the search when the found paths have so many entities, or when so many
	// edges have been examined. The search returns at least one path, if there is any.
	Nodes, Edges int
}

// MaxPathEdges is the default limit of the edges that a search for paths examines.
const MaxPathEdges = 100_000

// Paths returns at most limit different paths from a root to a visible entity, including both,
// shortest first and without cycles. An entity through which an edge passes is part of the path.
// complete is false if there are more paths.
func (r *Result) Paths(u urn.URN, limit int) (paths [][]urn.URN, complete bool) {
	paths, complete, _ = r.PathsWithin(context.Background(), u, PathBound{Paths: limit, Nodes: math.MaxInt, Edges: MaxPathEdges})
	return paths, complete
}

// PathsWithin returns paths as Paths does, within a limit. The only error is that of ctx.
func (r *Result) PathsWithin(ctx context.Context, u urn.URN, bound PathBound) (paths [][]urn.URN, complete bool, err error) {
	at, known := r.index[u]
	if !known || r.visited[at].flags&flagRoot != 0 || r.visited[at].hidden() {
		return nil, true, nil
	}
	return r.pathsTo(ctx, at, bound)
}

// PathsTo returns paths to one of Nodes, which may be hidden, as PathsWithin does.
func (r *Result) PathsTo(ctx context.Context, n Node, bound PathBound) (paths [][]urn.URN, complete bool, err error) {
	return r.pathsTo(ctx, n.at, bound)
}

func (r *Result) pathsTo(ctx context.Context, at int32, bound PathBound) (paths [][]urn.URN, complete bool, err error) {
	queue := &tailQueue{{at: at, via: -1}}
	spelled := map[string]bool{}
	for nodes, work := 0, 0; queue.Len() > 0; {
		idle.Yield(ctx)
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if len(paths) >= bound.Paths || nodes >= bound.Nodes && len(paths) > 0 || work > bound.Edges {
			if len(paths) == 0 && bound.Paths > 0 {
				paths = r.found(at)
			}
			return paths, false, nil
		}
		w := heap.Pop(queue).(*pathTail)
		if r.visited[w.at].flags&flagRoot != 0 {
			// An edge through an entity, and the edges to and from that entity, are the same path.
			if key := w.key(); !spelled[key] {
				spelled[key] = true
				paths = append(paths, r.urns(w))
				nodes += len(paths[len(paths)-1])
			}
			continue
		}
		edges := r.into(w.at)
		work += len(edges)
		for _, e := range edges {
			if back := r.extend(w, e); back != nil {
				heap.Push(queue, back)
			}
		}
	}
	return paths, true, nil
}

// found returns the path by which the walk first reached an entity. It is nil for an entity through
// which edges only pass.
func (r *Result) found(at int32) [][]urn.URN {
	if r.visited[at].flags&flagVia != 0 {
		return nil
	}
	w := &pathTail{at: at, via: -1}
	for r.visited[w.at].flags&flagRoot == 0 {
		if w = r.extend(w, r.edges[r.visited[w.at].by]); w == nil {
			return nil
		}
	}
	return [][]urn.URN{r.urns(w)}
}

// pathTail is the tail of a path: at is its first entity so far, via the entity through which the
// edge to the next one passes.
type pathTail struct {
	at, via int32
	next    *pathTail
	length  int32
	bound   int32 // lower limit of the length of the complete path
}

// extend extends a path tail at its front. It returns nil if the edge does not fit.
func (r *Result) extend(w *pathTail, e walkEdge) *pathTail {
	through := e.to != w.at
	if through && w.next != nil {
		return nil // an edge that passes through ends here
	}
	for part := w; part != nil; part = part.next {
		if part.at == e.from {
			return nil
		}
	}
	via := e.via
	if through {
		via = -1
	}
	length := w.length + 1
	return &pathTail{at: e.from, via: via, next: w, length: length, bound: length + r.visited[e.from].depth}
}

// key is equal for path tails over the same entities.
func (w *pathTail) key() string {
	var key []byte
	for ; w != nil; w = w.next {
		key = binary.LittleEndian.AppendUint32(key, uint32(w.at))
		if w.via >= 0 {
			key = binary.LittleEndian.AppendUint32(key, uint32(w.via))
		}
	}
	return string(key)
}

func (r *Result) urns(w *pathTail) (path []urn.URN) {
	for ; w != nil; w = w.next {
		path = append(path, r.visited[w.at].urn)
		if w.via >= 0 {
			path = append(path, r.visited[w.via].urn)
		}
	}
	return path
}

// tailQueue is a heap with the shortest complete path on top; among equals the longest tail comes
// first.
type tailQueue []*pathTail

func (q tailQueue) Len() int { return len(q) }

func (q tailQueue) Less(i, j int) bool {
	if q[i].bound != q[j].bound {
		return q[i].bound < q[j].bound
	}
	return q[i].length > q[j].length
}

func (q tailQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *tailQueue) Push(w any) { *q = append(*q, w.(*pathTail)) }

// Pop implements heap.Interface.
func (q *tailQueue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return w
}

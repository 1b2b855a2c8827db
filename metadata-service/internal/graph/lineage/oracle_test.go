package lineage_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/graphtest"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The oracle walks a list of edges with a matrix of distances: without a queue and levels, so that
// it cannot share a mistake with the walk.

func TestRandomGraphsAgreeWithANaiveWalk(t *testing.T) {
	t.Parallel()
	drivers := map[string]func(t *testing.T) graphtest.Store{
		"memory": func(*testing.T) graphtest.Store { return memory.NewStore() },
		"bolt": func(t *testing.T) graphtest.Store {
			s, err := bolt.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), bolt.Config{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	}
	for name, open := range drivers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMap(t)
			for seed := range uint64(60) {
				s := open(t)
				g := randomGraph(rand.New(rand.NewPCG(seed, 1)))
				g.store(t, s)
				g.check(t, m, s, rand.New(rand.NewPCG(seed, 2)))
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

type randomNet struct {
	nodes []urn.URN
	edges []model.Edge
}

func randomGraph(random *rand.Rand) *randomNet {
	g := &randomNet{}
	for i := range 4 + random.IntN(20) {
		u := d(fmt.Sprint("t", i))
		if random.IntN(3) == 0 {
			u = urn.Make("dataJob", "f", fmt.Sprint("j", i))
		}
		g.nodes = append(g.nodes, u)
	}
	names := []string{"DownstreamOf", "Consumes", "Produces", "OwnedBy"}
	for range len(g.nodes) * (1 + random.IntN(3)) {
		e := edge(g.any(random), names[random.IntN(len(names))], g.any(random))
		e.Created.Time, e.Updated.Time = int64(random.IntN(4))*10, int64(random.IntN(4))*10
		g.edges = append(g.edges, e)
	}
	return g
}

func (g *randomNet) any(random *rand.Rand) urn.URN { return g.nodes[random.IntN(len(g.nodes))] }

// store puts every edge under an aspect of its own, so that none replaces another.
func (g *randomNet) store(t *testing.T, s store.Store) {
	t.Helper()
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		for i, e := range g.edges {
			e.Owner = urn.Make("dataset", fmt.Sprint("owner", i))
			if err := tx.PutEdges(t.Context(), store.Key{URN: e.Owner, Aspect: "a"}, []model.Edge{e}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (g *randomNet) check(t *testing.T, m *lineage.Map, s graphtest.Store, random *rand.Rand) {
	t.Helper()
	hidden, dead, ignored := g.some(random), g.some(random), g.some(random)
	q := lineage.Query{
		Roots: []urn.URN{g.any(random)}, Direction: []lineage.Direction{lineage.Upstream, lineage.Downstream}[random.IntN(2)],
		MaxHops: random.IntN(5), Visible: allBut(hidden...), Live: allBut(dead...),
		IgnoreAsHop: func(u urn.URN) bool { return slices.Contains(ignored, u) },
	}
	if random.IntN(2) == 0 {
		q.Window = lineage.Window{From: 10, To: 20}
	}
	r, err := m.Walk(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	o := g.oracle(m, q, hidden, ignored)
	listed := map[urn.URN]int{}
	for u, distance := range o.distance {
		if u != q.Roots[0] && !slices.Contains(dead, u) {
			listed[u] = distance
		}
	}
	want(t, "degrees", degrees(r), listed)
	want(t, "filtered", r.Filtered, len(o.distance)-1-len(listed))
	for _, node := range r.Nodes {
		want(t, "all degrees of "+string(node.URN), r.Degrees(node), o.degrees(node.URN))
		want(t, "paths to "+string(node.URN), o.compare(r, node.URN), "")
	}
}

// some picks up to three nodes.
func (g *randomNet) some(random *rand.Rand) (some []urn.URN) {
	for range random.IntN(4) {
		some = append(some, g.any(random))
	}
	return some
}

type oracle struct {
	root     urn.URN
	hops     int
	next     map[urn.URN][]urn.URN
	distance map[urn.URN]int
	cost     func(urn.URN) int // of a step away from an entity
}

func (g *randomNet) oracle(m *lineage.Map, q lineage.Query, hidden, ignored []urn.URN) *oracle {
	o := &oracle{root: q.Roots[0], hops: q.MaxHops, next: map[urn.URN][]urn.URN{}, distance: map[urn.URN]int{q.Roots[0]: 0}}
	if o.hops == 0 {
		o.hops = lineage.DefaultHops
	}
	o.cost = func(u urn.URN) int {
		if u != o.root && slices.Contains(ignored, u) {
			return 0
		}
		return 1
	}
	for _, e := range g.edges {
		in := func(at int64) bool { return at >= q.Window.From && at <= q.Window.To }
		if q.Window.From != 0 && e.Created.Time+e.Updated.Time != 0 && !in(e.Updated.Time) && !(in(e.Created.Time) && (e.Updated.Time == 0 || e.Created.Time <= e.Updated.Time)) {
			continue
		}
		from, to, ok := m.Ends(&e)
		if q.Direction == lineage.Upstream {
			from, to = to, from
		}
		if ok && from != to && (to == o.root || !slices.Contains(hidden, to)) && !slices.Contains(o.next[from], to) {
			o.next[from] = append(o.next[from], to)
		}
	}
	for changed := true; changed; {
		changed = false
		for from, list := range o.next {
			at, reached := o.distance[from]
			if !reached || !o.explored(from) {
				continue
			}
			for _, to := range list {
				if old, known := o.distance[to]; !known || at+o.cost(from) < old {
					o.distance[to], changed = at+o.cost(from), true
				}
			}
		}
	}
	return o
}

// explored reports whether a reached entity is within the hops.
func (o *oracle) explored(u urn.URN) bool { return o.distance[u]+o.cost(u) <= o.hops }

func (o *oracle) degrees(u urn.URN) (all []int) {
	for from, at := range o.distance {
		if o.explored(from) && slices.Contains(o.next[from], u) {
			all = append(all, at+o.cost(from))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// compare returns the first error in the paths to an entity.
func (o *oracle) compare(r *lineage.Result, u urn.URN) string {
	const enough = 200
	paths, complete := r.Paths(u, enough)
	seen := map[string]bool{}
	for i, path := range paths {
		switch {
		case path[0] != o.root || path[len(path)-1] != u:
			return fmt.Sprintf("%v does not lead from the root", path)
		case i > 0 && len(path) < len(paths[i-1]):
			return "a shorter path comes later"
		case seen[fmt.Sprint(path)]:
			return fmt.Sprintf("%v is listed twice", path)
		}
		seen[fmt.Sprint(path)] = true
		for j := 1; j < len(path); j++ {
			if !slices.Contains(o.next[path[j-1]], path[j]) || slices.Contains(path[:j], path[j]) {
				return fmt.Sprintf("%v is no simple path", path)
			}
		}
	}
	if n := o.countPaths(u, []urn.URN{u}, enough+1); complete && n != len(paths) || !complete && n <= len(paths) {
		return fmt.Sprintf("%d paths, complete %v, there are %d", len(paths), complete, n)
	}
	return ""
}

// countPaths counts simple paths backwards, up to a maximum.
func (o *oracle) countPaths(u urn.URN, path []urn.URN, most int) (n int) {
	if u == o.root {
		return 1
	}
	for from := range o.distance {
		if n < most && o.explored(from) && slices.Contains(o.next[from], u) && !slices.Contains(path, from) {
			n += o.countPaths(from, append(slices.Clone(path), from), most-n)
		}
	}
	return n
}

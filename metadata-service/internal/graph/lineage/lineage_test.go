package lineage_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/canceltest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func newMap(t testing.TB) *lineage.Map {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return lineage.NewMap(registry)
}

// net is a graph under test.
type net struct {
	testing.TB
	lineage *lineage.Map
	*memory.Store
	edges map[urn.URN][]model.Edge
}

func newNet(t testing.TB) *net {
	return &net{TB: t, lineage: newMap(t), Store: memory.NewStore(), edges: map[urn.URN][]model.Edge{}}
}

// add adds edges, each owned by its source.
func (n *net) add(edges ...model.Edge) {
	n.Helper()
	for _, e := range edges {
		if e.Owner == "" {
			e.Owner = e.Source
		}
		n.edges[e.Owner] = append(n.edges[e.Owner], e)
	}
	_, err := n.Update(context.Background(), func(tx store.Tx) error {
		for owner, list := range n.edges {
			if err := tx.PutEdges(context.Background(), store.Key{URN: owner, Aspect: "a"}, list); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		n.Fatal(err)
	}
}

func (n *net) walk(q lineage.Query) *lineage.Result {
	n.Helper()
	r, err := n.lineage.Walk(context.Background(), n.Store, q)
	if err != nil {
		n.Fatal(err)
	}
	return r
}

// d is a short name for a dataset.
func d(name string) urn.URN { return urn.Make("dataset", "urn:li:dataPlatform:hive", name, "PROD") }

func edge(source urn.URN, name string, destination urn.URN) model.Edge {
	return model.Edge{Source: source, Type: name, Destination: destination}
}

// chain returns edges in which each dataset is downstream of the previous one.
func chain(names ...string) (edges []model.Edge) {
	for i := 1; i < len(names); i++ {
		edges = append(edges, edge(d(names[i]), "DownstreamOf", d(names[i-1])))
	}
	return edges
}

// degrees maps the reached entities to their degrees.
func degrees(r *lineage.Result) map[urn.URN]int {
	found := map[urn.URN]int{}
	for _, n := range r.Nodes {
		found[n.URN] = n.Degree
	}
	return found
}

func want(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func node(t testing.TB, r *lineage.Result, u urn.URN) lineage.Node {
	t.Helper()
	i := slices.IndexFunc(r.Nodes, func(n lineage.Node) bool { return n.URN == u })
	if i < 0 {
		t.Fatalf("%s was not reached", u)
	}
	return r.Nodes[i]
}

func TestEdgesMeanWhatTheRegistrySays(t *testing.T) {
	t.Parallel()
	m := newMap(t)
	job, model1, column := urn.Make("dataJob", "f", "j"), urn.Make("mlModel", "p", "m", "PROD"), urn.Make("schemaField", string(d("a")), "c")
	group := urn.Make("mlModelGroup", "p", "g", "PROD")
	for name, tt := range map[string]struct {
		edge                 model.Edge
		upstream, downstream urn.URN
	}{
		"a dataset is downstream of its upstream":   {edge(d("a"), "DownstreamOf", d("b")), d("b"), d("a")},
		"a job consumes what is upstream":           {edge(job, "Consumes", d("a")), d("a"), job},
		"a job produces what is downstream":         {edge(job, "Produces", d("a")), job, d("a")},
		"a model is a member of what is downstream": {edge(model1, "MemberOf", group), model1, group},
		"columns":                            {edge(column, "DownstreamOf", column), column, column},
		"a dataset does not flow to columns": {edge(d("a"), "DownstreamOf", column), "", ""},
		"a job's columns are no lineage":     {edge(job, "Consumes", column), "", ""},
		"ownership is no lineage":            {edge(d("a"), "OwnedBy", "urn:li:corpuser:u"), "", ""},
		"a name between other types":         {edge("urn:li:domain:x", "DownstreamOf", "urn:li:domain:y"), "", ""},
	} {
		upstream, downstream, ok := m.Ends(&tt.edge)
		if upstream != tt.upstream || downstream != tt.downstream || ok != (tt.upstream != "") {
			t.Errorf("%s: got %q, %q, %v", name, upstream, downstream, ok)
		}
	}
}

func TestStepsMirrorEachOther(t *testing.T) {
	t.Parallel()
	m := newMap(t)
	want(t, "upstream of columns", m.Steps("schemaField", lineage.Upstream),
		[]graph.Step{{Direction: graph.Outgoing, Types: []string{"DownstreamOf"}}, {Direction: graph.Incoming}})
	want(t, "downstream of columns", m.Steps("schemaField", lineage.Downstream),
		[]graph.Step{{Direction: graph.Outgoing}, {Direction: graph.Incoming, Types: []string{"DownstreamOf"}}})
	up := m.Steps("dataset", lineage.Upstream)
	if !slices.Contains(up[0].Types, "DownstreamOf") || !slices.Contains(up[1].Types, "Produces") || slices.Contains(up[1].Types, "Consumes") {
		t.Errorf("upstream of datasets: %v", up)
	}
	want(t, "users", m.Steps("corpuser", lineage.Upstream), []graph.Step(nil))
	for _, name := range []string{"DownstreamOf", "Consumes", "Produces", "Contains", "DashboardContainsDashboard", "DerivedFrom", "TrainedBy", "UsedBy", "MemberOf", "SourcedFrom"} {
		if !slices.Contains(m.Names(), name) {
			t.Errorf("%s is not among the names of lineage", name)
		}
	}
}

func TestWalkGoesBothWays(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	job := urn.Make("dataJob", "f", "j")
	n.add(chain("a", "b", "c")...)
	n.add(edge(job, "Consumes", d("c")), edge(job, "Produces", d("e")), edge(d("c"), "OwnedBy", "urn:li:corpuser:u"))
	want(t, "downstream of a", degrees(n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})),
		map[urn.URN]int{d("b"): 1, d("c"): 2, job: 3, d("e"): 4})
	want(t, "upstream of e", degrees(n.walk(lineage.Query{Roots: []urn.URN{d("e")}, Direction: lineage.Upstream})),
		map[urn.URN]int{job: 1, d("c"): 2, d("b"): 3, d("a"): 4})
	want(t, "two hops", degrees(n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, MaxHops: 2})),
		map[urn.URN]int{d("b"): 1, d("c"): 2})
	want(t, "several roots", degrees(n.walk(lineage.Query{Roots: []urn.URN{d("a"), d("c"), d("a")}, Direction: lineage.Downstream})),
		map[urn.URN]int{d("b"): 1, job: 1, d("e"): 2})
	want(t, "nothing", len(n.walk(lineage.Query{Roots: []urn.URN{d("z")}, Direction: lineage.Upstream}).Nodes), 0)
}

func TestCyclesAndSelfLoopsEnd(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b", "c", "a", "a", "b", "b")...)
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	want(t, "cycle", degrees(r), map[urn.URN]int{d("b"): 1, d("c"): 2})
	want(t, "truncated", r.Truncated, []lineage.Limit(nil))
	paths, complete := r.Paths(d("c"), 10)
	want(t, "paths", paths, [][]urn.URN{{d("a"), d("b"), d("c")}})
	want(t, "complete", complete, true)
}

func TestDegreesAndPaths(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b", "c", "d")...)
	n.add(edge(d("d"), "DownstreamOf", d("a")), edge(d("d"), "DownstreamOf", d("b")), edge(d("b"), "DownstreamOf", d("d")))
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	want(t, "degrees", r.Degrees(node(t, r, d("d"))), []int{1, 2, 3})
	want(t, "degrees behind a cycle", r.Degrees(node(t, r, d("b"))), []int{1, 2})
	paths, complete := r.Paths(d("d"), 10)
	want(t, "paths", paths, [][]urn.URN{{d("a"), d("d")}, {d("a"), d("b"), d("d")}, {d("a"), d("b"), d("c"), d("d")}})
	want(t, "complete", complete, true)
	paths, complete = r.Paths(d("d"), 2)
	want(t, "two paths", len(paths), 2)
	want(t, "complete with two", complete, false)
	paths, _ = r.Paths(d("unknown"), 2)
	want(t, "paths to the unknown", len(paths), 0)
}

func TestPathsOfDenseGraphsAreBounded(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	var edges []model.Edge
	for i := range 30 {
		for j := range 30 {
			edges = append(edges, edge(d(fmt.Sprint(i)), "DownstreamOf", d(fmt.Sprint(j))))
		}
	}
	n.add(edges...)
	r := n.walk(lineage.Query{Roots: []urn.URN{d("0")}, Direction: lineage.Downstream})
	if paths, complete := r.Paths(d("29"), 1<<30); complete || len(paths) == 0 || len(paths[0]) != 2 {
		t.Errorf("got %d paths, complete %v", len(paths), complete)
	}
}

func TestASearchForPathsKeepsToItsBound(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	var edges []model.Edge
	for i := range 30 {
		edges = append(edges, edge(d(fmt.Sprint("m", i)), "DownstreamOf", d("a")), edge(d("z"), "DownstreamOf", d(fmt.Sprint("m", i))))
	}
	n.add(append(edges, chain("z", "end")...)...)
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	for name, tt := range map[string]struct {
		bound lineage.PathBound
		want  int
	}{
		"by their number":            {lineage.PathBound{Paths: 7, Nodes: 1000, Edges: 1000}, 7},
		"by what they hold":          {lineage.PathBound{Paths: 100, Nodes: 11, Edges: 1000}, 3},
		"one however large":          {lineage.PathBound{Paths: 100, Nodes: 1, Edges: 1000}, 1},
		"by edges, but for one path": {lineage.PathBound{Paths: 100, Nodes: 1000, Edges: 10}, 1},
	} {
		paths, complete, err := r.PathsWithin(t.Context(), d("end"), tt.bound)
		if err != nil || complete || len(paths) != tt.want {
			t.Errorf("%s: %d paths, complete %t, %v, want %d", name, len(paths), complete, err, tt.want)
		}
		for _, path := range paths {
			if len(path) != 4 || path[0] != d("a") || path[2] != d("z") || path[3] != d("end") {
				t.Errorf("%s: %v is no path", name, path)
			}
		}
	}
	paths, complete, err := r.PathsWithin(t.Context(), d("end"), lineage.PathBound{Paths: 100, Nodes: 1000, Edges: 1000})
	if err != nil || !complete || len(paths) != 30 {
		t.Errorf("%d paths, complete %t, %v", len(paths), complete, err)
	}
}

func TestACancelledContextEndsTheWalk(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	var edges []model.Edge
	for i := range 6000 {
		edges = append(edges, edge(d(fmt.Sprint("near", i%100)), "DownstreamOf", d("a")), edge(d(fmt.Sprint("far", i)), "DownstreamOf", d(fmt.Sprint("near", i%100))))
	}
	n.add(edges...)
	canceltest.Loop(t, "a walk", 60, func(ctx context.Context) error {
		_, err := n.lineage.Walk(ctx, n.Store, lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
		return err
	})
	canceltest.Loop(t, "the edges of one entity", 60, func(ctx context.Context) error {
		_, err := n.lineage.Walk(ctx, everything{n.Store, edges}, lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, MaxHops: 1})
		return err
	})
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	canceltest.Loop(t, "a search for paths", 60, func(ctx context.Context) error {
		for i := range 60 {
			if _, _, err := r.PathsWithin(ctx, d(fmt.Sprint("far", i)), lineage.PathBound{Paths: 10, Nodes: 100, Edges: 1000}); err != nil {
				return err
			}
		}
		return nil
	})
}

// everything is a reader whose expansion never checks its context.
type everything struct {
	*memory.Store
	edges []model.Edge
}

func (e everything) Expand(_ context.Context, _ []urn.URN, _ []graph.Step, visit func(int, *model.Edge) bool) error {
	for range 3 {
		for i := range e.edges {
			if !visit(0, &e.edges[i]) {
				return nil
			}
		}
	}
	return nil
}

func TestEdgesPassThroughEntities(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	query, job := urn.URN("urn:li:query:q"), urn.Make("dataJob", "f", "j")
	through := edge(d("b"), "DownstreamOf", d("a"))
	through.Via = query
	other := edge(d("c"), "DownstreamOf", d("b"))
	other.Via = job
	n.add(through, other, edge(job, "Consumes", d("c")), edge(job, "Produces", d("e")))
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	want(t, "reached", degrees(r), map[urn.URN]int{query: 1, d("b"): 1, job: 2, d("c"): 2, d("e"): 4})
	want(t, "a query is only passed through", node(t, r, query).Via, true)
	want(t, "a job is reached, too", node(t, r, job).Via, false)
	want(t, "degrees of the job", r.Degrees(node(t, r, job)), []int{2, 3})
	paths, _ := r.Paths(d("c"), 10)
	want(t, "path", paths, [][]urn.URN{{d("a"), query, d("b"), job, d("c")}})
	paths, _ = r.Paths(query, 10)
	want(t, "path to the query", paths, [][]urn.URN{{d("a"), query}})
	hidden := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, MaxHops: 1, Visible: allBut(query)})
	want(t, "without the query", degrees(hidden), map[urn.URN]int{d("b"): 1})
	paths, _ = hidden.Paths(d("b"), 10)
	want(t, "path without the query", paths, [][]urn.URN{{d("a"), d("b")}})
}

func TestPathsThroughAnEntityAreDistinct(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	job := urn.Make("dataJob", "f", "j")
	for _, ends := range [][2]string{{"a", "b"}, {"a", "c"}, {"a", "e"}, {"x", "b"}, {"x", "e"}} {
		through := edge(d(ends[1]), "DownstreamOf", d(ends[0]))
		through.Via, through.Owner = job, d("owner of "+ends[0]+ends[1])
		n.add(through)
	}
	n.add(edge(d("x"), "DownstreamOf", d("a")))
	walked := func() *lineage.Result {
		return n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	}
	paths := func(r *lineage.Result, to urn.URN, limit int, all bool, expected ...[]urn.URN) {
		t.Helper()
		found, complete := r.Paths(to, limit)
		want(t, fmt.Sprint("paths to ", to), found, expected)
		want(t, fmt.Sprint("complete to ", to), complete, all)
	}
	r := walked()
	paths(r, job, 10, true, []urn.URN{d("a"), job}, []urn.URN{d("a"), d("x"), job})
	paths(r, job, 2, true, []urn.URN{d("a"), job}, []urn.URN{d("a"), d("x"), job})
	paths(r, job, 1, false, []urn.URN{d("a"), job})
	paths(r, d("b"), 10, true, []urn.URN{d("a"), job, d("b")}, []urn.URN{d("a"), d("x"), job, d("b")})

	// The same paths again, as edges to the job and from it.
	n.add(edge(job, "Consumes", d("a")), edge(job, "Produces", d("b")))
	r = walked()
	paths(r, job, 10, true, []urn.URN{d("a"), job}, []urn.URN{d("a"), d("x"), job})
	paths(r, d("b"), 10, true, []urn.URN{d("a"), job, d("b")}, []urn.URN{d("a"), d("x"), job, d("b")})
}

func TestManyEdgesThroughAnEntityAreOneWayToIt(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	job := urn.Make("dataJob", "f", "j")
	edges := make([]model.Edge, 10_000)
	for i := range edges {
		edges[i] = edge(d(fmt.Sprint("b", i)), "DownstreamOf", d("a"))
		edges[i].Via, edges[i].Owner = job, job
	}
	n.add(edges...)
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	found, complete, err := r.PathsWithin(t.Context(), job, lineage.PathBound{Paths: 100, Nodes: 100, Edges: 10})
	want(t, "paths", found, [][]urn.URN{{d("a"), job}})
	want(t, "complete", complete, true)
	want(t, "error", err, nil)
}

// Edges that differ only in the hidden entity through which they pass are one path, whether that
// entity is the same or not.
func TestWaysDoNotTellHiddenEntitiesApart(t *testing.T) {
	t.Parallel()
	for _, keeps := range []func(urn.URN) bool{nil, func(urn.URN) bool { return true }} {
		for _, queries := range [][]urn.URN{{"urn:li:query:q", "urn:li:query:q"}, {"urn:li:query:q", "urn:li:query:r"}, {"urn:li:query:q", ""}} {
			n := newNet(t)
			for i, query := range queries {
				e := edge(d("b"), "DownstreamOf", d("a"))
				e.Via, e.Owner = query, d(fmt.Sprint("owner", i))
				n.add(e)
			}
			r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Visible: allBut(queries...), KeepsHidden: keeps})
			paths, complete := r.Paths(d("b"), 10)
			want(t, fmt.Sprint("paths through ", queries), paths, [][]urn.URN{{d("a"), d("b")}})
			want(t, "complete", complete, true)
		}
	}
}

// allBut returns a function that answers true for all but some entities.
func allBut(others ...urn.URN) func([]urn.URN) ([]bool, error) {
	return func(urns []urn.URN) ([]bool, error) {
		answers := make([]bool, len(urns))
		for i, u := range urns {
			answers[i] = !slices.Contains(others, u)
		}
		return answers, nil
	}
}

func TestWhatIsHiddenEndsTheWay(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b", "c")...)
	n.add(chain("a", "x", "y")...)
	var asked [][]urn.URN
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Visible: func(urns []urn.URN) ([]bool, error) {
		asked = append(asked, slices.Sorted(slices.Values(urns)))
		return allBut(d("b"))(urns)
	}})
	want(t, "reached", degrees(r), map[urn.URN]int{d("x"): 1, d("y"): 2})
	want(t, "asked once a level", asked, [][]urn.URN{{d("b"), d("x")}, {d("y")}})
	want(t, "filtered tells nothing of the hidden", r.Filtered, 0)
	paths, _ := r.Paths(d("b"), 5)
	want(t, "paths to the hidden", len(paths), 0)
}

// A hidden entity is listed once for each place that names it, so that paths to it cannot be
// compared.
func TestAHiddenEntityIsListedOnceForEachPlaceThatNamesIt(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b", "c")...) // b names a, and c names b
	n.add(edge(d("a"), "DownstreamOf", d("h")), edge(d("b"), "DownstreamOf", d("h")), edge(d("h"), "DownstreamOf", d("c")))
	column := func(name string) urn.URN { return urn.Make("schemaField", string(d(name)), "x") }
	of := func(e model.Edge, owner urn.URN) model.Edge { e.Owner = owner; return e }
	job := urn.Make("dataJob", "f", "j")
	n.add(of(edge(column("a"), "DownstreamOf", column("h")), d("a")), of(edge(column("a"), "DownstreamOf", column("h")), job))
	for name, tt := range map[string]struct {
		root      urn.URN
		direction lineage.Direction
		want      map[string][]int
	}{
		"named by each":              {d("c"), lineage.Upstream, map[string][]int{string(d("b")): {2}, string(d("a")): {3}}},
		"named by itself":            {d("a"), lineage.Downstream, map[string][]int{string(d("c")) + " by the other end": {3}}},
		"named by a job and a table": {column("a"), lineage.Upstream, map[string][]int{string(d("a")): {1}, string(job): {1}}},
	} {
		q := lineage.Query{Roots: []urn.URN{tt.root}, Direction: tt.direction, Visible: allBut(d("h"), column("h")), KeepsHidden: func(urn.URN) bool { return true }}
		r := n.walk(q)
		got := map[string][]int{}
		for _, node := range r.Nodes {
			if !node.Hidden {
				continue
			}
			got[node.Place] = r.Degrees(node)
			paths, complete, err := r.PathsTo(t.Context(), node, lineage.PathBound{Paths: 10, Nodes: 100, Edges: 100})
			if err != nil || !complete || len(paths) != 1 || len(paths[0]) != node.Degree+1 {
				t.Errorf("%s: %s is reached by %v, %v", name, node.Place, paths, err)
			}
		}
		want(t, name, got, tt.want)
		q.KeepsHidden = nil
		want(t, name+", not kept", slices.ContainsFunc(n.walk(q).Nodes, func(node lineage.Node) bool { return node.Hidden }), false)
	}
}

func TestWhatIsDeletedIsPassed(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b", "c")...)
	r := n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Live: allBut(d("b"))})
	want(t, "reached", degrees(r), map[urn.URN]int{d("c"): 2})
	want(t, "filtered", r.Filtered, 1)
}

func TestCallbacksMayFail(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	n.add(chain("a", "b")...)
	broken := errors.New("broken")
	_, err := n.lineage.Walk(t.Context(), n.Store, lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream,
		Visible: func([]urn.URN) ([]bool, error) { return nil, broken }})
	want(t, "the callback's error", errors.Is(err, broken), true)
	_, err = n.lineage.Walk(t.Context(), n.Store, lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream,
		Live: func([]urn.URN) ([]bool, error) { return nil, nil }})
	want(t, "too few answers", errors.Is(err, fault.Internal), true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = n.lineage.Walk(ctx, n.Store, lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream})
	want(t, "the context's error", errors.Is(err, context.Canceled), true)
}

func TestLimitsAreTold(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	for i := range 10 {
		n.add(chain("a", fmt.Sprint("b", i), fmt.Sprint("c", i))...)
	}
	root := []urn.URN{d("a")}
	r := n.walk(lineage.Query{Roots: root, Direction: lineage.Downstream, MaxEdges: 13})
	want(t, "edges", r.Edges, 13)
	want(t, "reached within the edges", len(r.Nodes), 13)
	want(t, "why", r.Truncated, []lineage.Limit{lineage.LimitEdges})
	want(t, "enough edges", n.walk(lineage.Query{Roots: root, Direction: lineage.Downstream, MaxEdges: 20}).Truncated, []lineage.Limit(nil))

	r = n.walk(lineage.Query{Roots: root, Direction: lineage.Downstream, NodesPerHop: 4})
	want(t, "reached with four a hop", len(r.Nodes), 14)
	want(t, "why", r.Truncated, []lineage.Limit{lineage.LimitNodesPerHop})
	cut := slices.DeleteFunc(slices.Clone(r.Nodes), func(n lineage.Node) bool { return !n.TruncatedChildren })
	want(t, "not explored", len(cut), 6)

	r = n.walk(lineage.Query{Roots: root, Direction: lineage.Downstream, MaxHops: 1})
	want(t, "asked for one hop", r.Truncated, []lineage.Limit(nil))
	want(t, "the last is not explored", node(t, r, d("b3")).Explored, false)
}

func TestTheDefaultNumberOfHopsIsALimit(t *testing.T) {
	t.Parallel()
	r, err := newMap(t).Walk(t.Context(), endless{}, lineage.Query{Roots: []urn.URN{d("0")}, Direction: lineage.Downstream})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "reached", len(r.Nodes), lineage.DefaultHops)
	want(t, "why", r.Truncated, []lineage.Limit{lineage.LimitHops})
}

// endless is a graph with one infinite path.
type endless struct{ graph.Reader }

func (endless) Expand(_ context.Context, nodes []urn.URN, _ []graph.Step, visit func(int, *model.Edge) bool) error {
	for i, u := range nodes {
		e := edge(urn.Make("dataset", u.Key()+"x"), "DownstreamOf", u)
		if !visit(i, &e) {
			return nil
		}
	}
	return nil
}

func TestTheTimeWindow(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	for i, updated := range []int64{0, 10, 20, 30} {
		e := edge(d(fmt.Sprint("b", i)), "DownstreamOf", d("a"))
		e.Updated.Time = updated
		n.add(e)
	}
	for name, tt := range map[string]struct {
		from, to int64
		want     []urn.URN
	}{
		"open":             {0, 0, []urn.URN{d("b0"), d("b1"), d("b2"), d("b3")}},
		"from":             {20, 0, []urn.URN{d("b0"), d("b2"), d("b3")}},
		"to":               {0, 19, []urn.URN{d("b0"), d("b1")}},
		"both, inclusive":  {10, 20, []urn.URN{d("b0"), d("b1"), d("b2")}},
		"between all":      {11, 12, []urn.URN{d("b0")}},
		"just one instant": {30, 30, []urn.URN{d("b0"), d("b3")}},
	} {
		var got []urn.URN
		for _, node := range n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Window: lineage.Window{From: tt.from, To: tt.to}}).Nodes {
			got = append(got, node.URN)
		}
		slices.Sort(got)
		want(t, name, got, tt.want)
	}
}

func TestTheTimeWindowKeepsWhatWasCreatedInItAndWhatPeopleDrew(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	for name, e := range map[string]model.Edge{
		"created": {Created: model.AuditStamp{Time: 15}, Updated: model.AuditStamp{Time: 30}},
		"updated": {Created: model.AuditStamp{Time: 5}, Updated: model.AuditStamp{Time: 15}},
		"around":  {Created: model.AuditStamp{Time: 5}, Updated: model.AuditStamp{Time: 30}},
		"before":  {Created: model.AuditStamp{Time: 5}, Updated: model.AuditStamp{Time: 6}},
		"behind":  {Created: model.AuditStamp{Time: 30}, Updated: model.AuditStamp{Time: 30}, Properties: []byte(`{"source":"pipeline"}`)},
		"drawn":   {Created: model.AuditStamp{Time: 30}, Updated: model.AuditStamp{Time: 30}, Properties: []byte(`{"source":"UI"}`)},
		"never":   {},
	} {
		e.Source, e.Type, e.Destination = d(name), "DownstreamOf", d("a")
		n.add(e)
	}
	var got []urn.URN
	for _, node := range n.walk(lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Window: lineage.Window{From: 10, To: 20}}).Nodes {
		got = append(got, node.URN)
	}
	slices.Sort(got)
	want(t, "in the window", got, []urn.URN{d("created"), d("drawn"), d("never"), d("updated")})
}

func TestSomeEntitiesAreNoHop(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	job, dbt := urn.Make("dataJob", string(urn.Make("dataFlow", "airflow", "f", "PROD")), "j"), urn.Make("dataset", "urn:li:dataPlatform:dbt", "m", "PROD")
	n.add(edge(job, "Consumes", d("a")), edge(job, "Produces", dbt), edge(d("b"), "DownstreamOf", dbt), edge(d("c"), "DownstreamOf", d("b")))
	ignore := n.lineage.Ignore([]lineage.Ignored{
		{EntityType: "dataJob"}, {EntityType: "dataset", Platforms: []urn.URN{"urn:li:dataPlatform:dbt"}},
	})
	q := lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, IgnoreAsHop: ignore, MaxHops: 2}
	r := n.walk(q)
	want(t, "degrees", degrees(r), map[urn.URN]int{job: 1, dbt: 1, d("b"): 1, d("c"): 2})
	want(t, "marked", node(t, r, dbt).IgnoredAsHop, true)
	want(t, "all degrees", r.Degrees(node(t, r, d("b"))), []int{1})
	paths, _ := r.Paths(d("c"), 3)
	want(t, "path", paths, [][]urn.URN{{d("a"), job, dbt, d("b"), d("c")}})
	want(t, "no names", n.lineage.Ignore(nil) == nil, true)
}

func TestPlatforms(t *testing.T) {
	t.Parallel()
	m := newMap(t)
	flow := urn.Make("dataFlow", "airflow", "f", "PROD")
	for u, platform := range map[urn.URN]urn.URN{
		d("a"):                                 "urn:li:dataPlatform:hive",
		urn.Make("chart", "looker", "c"):       "urn:li:dataPlatform:looker",
		flow:                                   "urn:li:dataPlatform:airflow",
		urn.Make("dataJob", string(flow), "j"): "urn:li:dataPlatform:airflow",
		urn.Make("schemaField", string(d("a")), "c"): "urn:li:dataPlatform:hive",
		"urn:li:tag:t":             "",
		"urn:li:dataset:(one,two)": "",
		"no urn":                   "",
	} {
		want(t, string(u), m.Platform(u), platform)
	}
}

func TestBadQueriesAreRefused(t *testing.T) {
	t.Parallel()
	m, s := newMap(t), memory.NewStore()
	for name, q := range map[string]lineage.Query{
		"no direction":       {},
		"unknown direction":  {Direction: "SIDEWAYS"},
		"negative hops":      {Direction: lineage.Upstream, MaxHops: -1},
		"negative edges":     {Direction: lineage.Upstream, MaxEdges: -1},
		"negative nodes":     {Direction: lineage.Upstream, NodesPerHop: -1},
		"huge limits":        {Direction: lineage.Upstream, MaxEdges: 1 << 40},
		"a window backwards": {Direction: lineage.Upstream, Window: lineage.Window{From: 5, To: 4}},
	} {
		if _, err := m.Walk(t.Context(), s, q); !errors.Is(err, fault.Invalid) {
			t.Errorf("%s: got error %v, want invalid", name, err)
		}
	}
}

// TestAWalkReservesEachLevel adds up the reserved entities of a walk, and refuses a reservation in
// the middle.
func TestAWalkReservesEachLevel(t *testing.T) {
	t.Parallel()
	n := newNet(t)
	for i := range 10 {
		n.add(chain("a", fmt.Sprint("b", i), fmt.Sprint("c", i))...)
	}
	noTurn := errors.New("no turn")
	entities, limit := 0, 100
	q := lineage.Query{Roots: []urn.URN{d("a")}, Direction: lineage.Downstream, Reserve: func(_ context.Context, more int) error {
		if entities += more; entities > limit {
			return noTurn
		}
		return nil
	}}
	n.walk(q)
	want(t, "entities", entities, 21)
	entities, limit = 0, 10
	_, err := n.lineage.Walk(t.Context(), n.Store, q)
	want(t, "without a turn", errors.Is(err, noTurn), true)
	want(t, "entities", entities, 11)
}

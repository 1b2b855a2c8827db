package graphtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

var simulationCases = []testCase{
	{"random updates agree with a naive list, seed 1", func(f *fixture) { simulate(f, 1) }},
	{"random updates agree with a naive list, seed 2", func(f *fixture) { simulate(f, 2) }},
	{"random updates agree with a naive list, seed 3", func(f *fixture) { simulate(f, 3) }},
}

// modelGraph holds edges by the aspects from which they are derived.
type modelGraph map[model.Key][]model.Edge

func (n modelGraph) put(owner model.Key, edges []model.Edge) {
	created := make(map[model.EdgeKey]model.AuditStamp)
	for key, list := range n {
		for _, e := range list {
			if key.URN == owner.URN {
				created[e.Key()] = e.Created
			}
		}
	}
	delete(n, owner)
	for _, e := range edges {
		if slices.ContainsFunc(n[owner], func(other model.Edge) bool { return other.Key() == e.Key() }) {
			continue
		}
		if stamp, there := created[e.Key()]; there {
			e.Created = stamp
		}
		n[owner] = append(n[owner], e)
	}
}

// all returns each edge once, with the attributes of its latest update.
func (n modelGraph) all() []model.Edge {
	latest := make(map[model.EdgeKey]model.Edge)
	for _, key := range slices.SortedFunc(maps.Keys(n), func(a, b model.Key) int {
		return compareKeys(model.EdgeKey{Source: a.URN, Type: a.Aspect}, model.EdgeKey{Source: b.URN, Type: b.Aspect})
	}) {
		for _, e := range n[key] {
			if other, there := latest[e.Key()]; !there || e.Updated.Time > other.Updated.Time {
				latest[e.Key()] = e
			}
		}
	}
	return slices.Collect(maps.Values(latest))
}

// The simulation uses few nodes, so that its steps affect each other.
const simNodes = 7

var (
	simTypes   = []string{taggedWith, downstreamOf, consumes}
	simAspects = []string{"zeta", "alpha", "mid"}
)

func simNode(random *rand.Rand) urn.URN {
	if random.IntN(4) == 0 {
		return tag(random.IntN(simNodes))
	}
	return dataset(random.IntN(simNodes))
}

func simEdge(random *rand.Rand, owner urn.URN) model.Edge {
	e := edge(owner, simTypes[random.IntN(len(simTypes))], simNode(random), random.Int64N(20))
	if random.IntN(4) == 0 {
		e.Source = simNode(random)
	}
	if random.IntN(4) == 0 {
		e.Via = simNode(random)
	}
	return e
}

func simulate(f *fixture, seed uint64) {
	random := rand.New(rand.NewPCG(seed, seed))
	truth := modelGraph{}
	for round := range trials.Count(120) {
		trial := truth
		fails := random.IntN(5) == 0
		stepSeed := random.Uint64()
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			trial = maps.Clone(truth) // the function may run more than once
			steps := rand.New(rand.NewPCG(stepSeed, 0))
			for range 1 + steps.IntN(6) {
				if err := simStep(f.Context(), tx, trial, steps); err != nil {
					return err
				}
			}
			if fails {
				return errOnPurpose
			}
			return nil
		})
		switch {
		case fails && !errors.Is(err, errOnPurpose), !fails && err != nil:
			f.Fatal(err)
		case !fails:
			truth = trial
		}
		if round%4 == 3 {
			f.compare(truth, random)
		}
		if f.Failed() {
			f.Fatalf("round %d", round)
		}
	}
}

func simStep(ctx context.Context, tx store.Tx, truth modelGraph, random *rand.Rand) error {
	owner := aspectOf(simNode(random), simAspects[random.IntN(len(simAspects))])
	edges := make([]model.Edge, random.IntN(6))
	for i := range edges {
		edges[i] = simEdge(random, owner.URN)
	}
	truth.put(owner, edges)
	if err := tx.PutEdges(ctx, owner, edges); err != nil || random.IntN(3) > 0 {
		return err
	}
	return compareInside(ctx, tx, truth, owner, simQuery(random))
}

// compareInside compares the edges of an owner and of a node as read in the transaction.
func compareInside(ctx context.Context, tx store.Tx, truth modelGraph, owner model.Key, at graph.Query) error {
	got, err := pagesInside(ctx, tx, store.EdgeQuery{Owner: owner, Limit: 2})
	if err != nil {
		return err
	}
	if !slices.EqualFunc(got, truth[owner], sameEdge) {
		return fmt.Errorf("%v makes %s inside, want %s", owner, show(got), show(truth[owner]))
	}
	if len(at.Nodes) == 0 {
		return nil
	}
	at.Nodes, at.Neighbors, at.NodeTypes, at.NeighborTypes = at.Nodes[:1], nil, nil, nil
	q := store.EdgeQuery{Node: at.Nodes[0], Incoming: at.Direction == graph.Incoming, Types: at.Types, Limit: 2}
	if got, err = pagesInside(ctx, tx, q); err != nil {
		return err
	}
	want := slices.DeleteFunc(truth.all(), func(e model.Edge) bool { return !fits(e, at) })
	if !slices.EqualFunc(sorted(got), sorted(want), sameEdge) {
		return fmt.Errorf("%+v lists %s inside, want %s", q, show(got), show(want))
	}
	return nil
}

func sameEdge(a, b model.Edge) bool { return reflect.DeepEqual(a, b) }

// pagesInside reads all pages of a listing.
func pagesInside(ctx context.Context, tx store.Tx, q store.EdgeQuery) (edges []model.Edge, err error) {
	for {
		page, err := tx.Edges(ctx, q)
		if err != nil || len(page) == 0 {
			return edges, err
		}
		edges = append(edges, page...)
		after := page[len(page)-1].Key()
		q.After = &after
	}
}

func (f *fixture) compare(truth modelGraph, random *rand.Rand) {
	f.Helper()
	all := truth.all()
	f.wantAll(all...)
	for n := range simNodes {
		for _, u := range []urn.URN{dataset(n), tag(n)} {
			for _, aspect := range simAspects {
				f.same("owned", f.owned(aspectOf(u, aspect)), truth[aspectOf(u, aspect)])
			}
		}
	}
	for range 5 {
		q := simQuery(random)
		want := slices.DeleteFunc(slices.Clone(all), func(e model.Edge) bool { return !fits(e, q) })
		f.wantListed(fmt.Sprintf("query %+v", q), q, want...)
		f.same(fmt.Sprintf("pages of %+v", q), f.pages(q, 1+random.IntN(3)), f.edges(q))
	}
	nodes := []urn.URN{simNode(random), simNode(random), simNode(random)}
	steps := bothWays(simTypes[random.IntN(2):]...)[random.IntN(2):]
	f.same("visits", countVisits(f.expand(nodes, steps)), expected(all, nodes, steps))
}

func simQuery(random *rand.Rand) graph.Query {
	q := graph.Query{Direction: []graph.Direction{graph.Outgoing, graph.Incoming}[random.IntN(2)]}
	if random.IntN(2) == 0 {
		q.Nodes = []urn.URN{simNode(random), simNode(random)}
	}
	if random.IntN(2) == 0 {
		q.Neighbors = []urn.URN{simNode(random), simNode(random), simNode(random)}
	}
	if random.IntN(2) == 0 {
		q.Types = []string{simTypes[random.IntN(3)], simTypes[random.IntN(3)]}
	}
	if random.IntN(3) == 0 {
		q.NodeTypes = []string{"tag"}
	}
	if random.IntN(3) == 0 {
		q.NeighborTypes = []string{"dataset"}
	}
	return q
}

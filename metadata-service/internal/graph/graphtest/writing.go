package graphtest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var writingCases = []testCase{
	{"an edge comes back as it was put", testRoundTrip},
	{"a new value replaces the edges of its aspect alone", testReplace},
	{"of an edge that stays the creation stays too", testCreationKept},
	{"of an edge that went and came back the creation is new", testCreationAnew},
	{"an edge by two aspects stays until both let go", testTwoAspects},
	{"an edge of two owners is two edges", testTwoOwners},
	{"an edge named twice is put once", testTwice},
	{"edges are listed by their aspect in the order they were put", testOwnedOrder},
	{"what was never there can be dropped and replaced by nothing", testAbsent},
	{"ends are no entities", testEndsAreNoEntities},
	{"a failed update leaves nothing", testFailure},
	{"a transaction sees its own edges", testOwnWrites},
	{"bad edges are refused", testRefused},
	{"after its function a transaction refuses edges", testOver},
	{"a closed store is unavailable", testClosed},
}

func testRoundTrip(f *fixture) {
	lineage := model.Edge{
		Source: dataset(1), Type: downstreamOf, Destination: dataset(2), Owner: dataset(3), Via: "urn:li:query:q",
		Created:    model.AuditStamp{Time: 5, Actor: "urn:li:corpuser:a", Impersonator: "urn:li:corpuser:b"},
		Updated:    model.AuditStamp{Time: 1700000000000, Actor: "urn:li:corpuser:c", Impersonator: "urn:li:corpuser:d"},
		Properties: json.RawMessage(`{"source":"UI"}`),
	}
	plain := edge(dataset(3), consumes, dataset(1), 7)
	odd := edge(dataset(3), "a name: with / signs", urn.URN("no urn at all"), -9)
	odd.Updated = model.AuditStamp{Time: 12}
	want := []model.Edge{lineage, plain, odd}
	f.put(aspectOf(dataset(3), "lineage"), want...)
	f.same("owned", f.owned(aspectOf(dataset(3), "lineage")), want)
	f.wantAll(want...)
}

func testReplace(f *fixture) {
	one, two := aspectOf(dataset(1), "one"), aspectOf(dataset(1), "two")
	kept := edge(dataset(1), taggedWith, tag(1), 1)
	f.put(two, kept)
	f.put(one, edge(dataset(1), consumes, dataset(2), 1), edge(dataset(1), consumes, dataset(3), 1))
	f.put(one, edge(dataset(1), consumes, dataset(4), 2))
	f.wantAll(kept, edge(dataset(1), consumes, dataset(4), 2))
	f.put(one)
	f.wantAll(kept)
	f.same("owned by nothing", f.owned(one), []model.Edge{})
}

func testCreationKept(f *fixture) {
	owner := aspectOf(dataset(1), "lineage")
	f.put(owner, edge(dataset(1), downstreamOf, dataset(2), 10))
	later := edge(dataset(1), downstreamOf, dataset(2), 20)
	later.Updated.Actor, later.Created.Actor = "urn:li:corpuser:other", "urn:li:corpuser:other"
	later.Properties = json.RawMessage(`{"a":1}`)
	f.put(owner, later, edge(dataset(1), downstreamOf, dataset(3), 20))
	want := later
	want.Created = at(10)
	f.wantAll(want, edge(dataset(1), downstreamOf, dataset(3), 20))
}

func testCreationAnew(f *fixture) {
	owner := aspectOf(dataset(1), "lineage")
	f.put(owner, edge(dataset(1), downstreamOf, dataset(2), 10))
	f.put(owner)
	f.put(owner, edge(dataset(1), downstreamOf, dataset(2), 20))
	f.wantAll(edge(dataset(1), downstreamOf, dataset(2), 20))
}

func testTwoAspects(f *fixture) {
	alpha, beta := aspectOf(dataset(1), "alpha"), aspectOf(dataset(1), "beta")
	f.put(beta, edge(dataset(1), downstreamOf, dataset(2), 10))
	second := edge(dataset(1), downstreamOf, dataset(2), 20)
	f.put(alpha, second)
	second.Created = at(10)
	f.wantAll(second)
	f.same("owned by the first", f.owned(beta), []model.Edge{edge(dataset(1), downstreamOf, dataset(2), 10)})
	f.same("owned by the second", f.owned(alpha), []model.Edge{second})
	f.put(beta)
	f.wantAll(second)

	tie := edge(dataset(1), downstreamOf, dataset(2), 20)
	tie.Properties = json.RawMessage(`{"by":"beta"}`)
	f.put(beta, tie)
	f.wantAll(second)
	f.put(alpha)
	tie.Created = at(10)
	f.wantAll(tie)
}

func testTwoOwners(f *fixture) {
	e := edge(column(1), downstreamOf, column(2), 10)
	byDataset, byJob := ownedBy(e, dataset(1)), ownedBy(e, "urn:li:dataJob:j")
	byJob.Updated, byJob.Via = at(30), "urn:li:dataJob:j"
	f.put(aspectOf(byDataset.Owner, "upstreamLineage"), byDataset)
	f.put(aspectOf(byJob.Owner, "dataJobInputOutput"), byJob)
	f.wantAll(byDataset, byJob)
	f.put(aspectOf(byDataset.Owner, "upstreamLineage"))
	f.wantAll(byJob)
}

func testTwice(f *fixture) {
	first, second := edge(dataset(1), consumes, dataset(2), 1), edge(dataset(1), consumes, dataset(2), 2)
	f.put(aspectOf(dataset(1), "a"), first, second)
	f.wantAll(first)
}

func testOwnedOrder(f *fixture) {
	var want []model.Edge
	for _, n := range []int{5, 3, 9, 1, 7} {
		want = append(want, edge(dataset(1), consumes, dataset(n), 1))
	}
	owner := aspectOf(dataset(1), "a")
	f.put(owner, want...)
	f.same("owned", f.owned(owner), want)
}

func testAbsent(f *fixture) {
	f.update(func(tx store.Tx) error {
		return tx.PutEdges(f.Context(), aspectOf(dataset(1), "a"), nil)
	})
	f.wantAll()
	f.same("owned by the unknown", f.owned(aspectOf(dataset(8), "a")), []model.Edge{})
}

func testEndsAreNoEntities(f *fixture) {
	f.put(aspectOf(dataset(1), "a"), edge(dataset(1), consumes, dataset(2), 1))
	urns, err := f.Scan(f.Context(), store.Scan{})
	f.ok(err)
	f.same("entities", urns, []urn.URN{})
	f.update(func(tx store.Tx) error {
		return tx.Put(f.Context(), model.Record{URN: dataset(2), Aspect: "status", Value: []byte(`{}`)})
	})
	n, err := f.Count(f.Context(), "dataset")
	f.ok(err)
	f.same("datasets", n, 1)
	f.wantAll(edge(dataset(1), consumes, dataset(2), 1))
}

var errOnPurpose = errors.New("on purpose")

func testFailure(f *fixture) {
	owner := aspectOf(dataset(1), "a")
	f.put(owner, edge(dataset(1), consumes, dataset(2), 1))
	_, err := f.Update(f.Context(), func(tx store.Tx) error {
		return errors.Join(tx.PutEdges(f.Context(), owner, []model.Edge{edge(dataset(1), consumes, dataset(3), 2)}),
			tx.PutEdges(f.Context(), aspectOf(dataset(4), "a"), []model.Edge{edge(dataset(4), "New", dataset(5), 2)}),
			errOnPurpose)
	})
	if !errors.Is(err, errOnPurpose) {
		f.Errorf("got error %v, want its own", err)
	}
	f.wantAll(edge(dataset(1), consumes, dataset(2), 1))
}

func testOwnWrites(f *fixture) {
	owner := aspectOf(dataset(1), "a")
	f.update(func(tx store.Tx) error {
		return errors.Join(
			tx.PutEdges(f.Context(), owner, []model.Edge{edge(dataset(1), consumes, dataset(2), 1), edge(dataset(1), consumes, dataset(3), 1)}),
			tx.PutEdges(f.Context(), owner, []model.Edge{edge(dataset(1), consumes, dataset(2), 2), edge(dataset(1), consumes, dataset(4), 2)}),
			tx.PutEdges(f.Context(), owner, []model.Edge{edge(dataset(1), consumes, dataset(2), 2)}))
	})
	want := edge(dataset(1), consumes, dataset(2), 2)
	want.Created = at(1)
	f.wantAll(want)
}

func testRefused(f *fixture) {
	good := edge(dataset(1), consumes, dataset(2), 1)
	long := urn.URN(strings.Repeat("x", store.MaxURNBytes+1))
	for name, c := range map[string]struct {
		change func(e *model.Edge)
		kind   fault.Kind
	}{
		"no destination":       {func(e *model.Edge) { e.Destination = "" }, fault.Invalid},
		"no source":            {func(e *model.Edge) { e.Source = "" }, fault.Invalid},
		"no type":              {func(e *model.Edge) { e.Type = "" }, fault.Invalid},
		"a long type":          {func(e *model.Edge) { e.Type = strings.Repeat("x", store.MaxNameBytes+1) }, fault.Invalid},
		"a long destination":   {func(e *model.Edge) { e.Destination = long }, fault.TooLarge},
		"a long via":           {func(e *model.Edge) { e.Via = long }, fault.TooLarge},
		"somebody else's edge": {func(e *model.Edge) { e.Owner = dataset(7) }, fault.Internal},
	} {
		bad := good
		c.change(&bad)
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			return tx.PutEdges(f.Context(), aspectOf(dataset(1), "a"), []model.Edge{good, bad})
		})
		if !errors.Is(err, c.kind) {
			f.Errorf("%s: got error %v, want kind %v", name, err, c.kind)
		}
	}
	many := make([]model.Edge, store.MaxEdges+1)
	_, err := f.Update(f.Context(), func(tx store.Tx) error { return tx.PutEdges(f.Context(), aspectOf(dataset(1), "a"), many) })
	if !errors.Is(err, fault.TooLarge) {
		f.Errorf("too many edges: got error %v", err)
	}
	f.wantAll()
}

func testOver(f *fixture) {
	var kept store.Tx
	f.update(func(tx store.Tx) error {
		kept = tx
		return nil
	})
	if kept.PutEdges(f.Context(), aspectOf(dataset(1), "a"), nil) == nil {
		f.Error("a transaction that is over took edges")
	}
}

func testClosed(f *fixture) {
	f.ok(f.Close())
	ctx := f.Context()
	_, errEdges := f.Edges(ctx, graph.Query{Direction: graph.Outgoing})
	_, errCount := f.CountEdges(ctx, graph.Query{Direction: graph.Outgoing})
	_, errOwned := f.OwnedEdges(ctx, aspectOf(dataset(1), "a"))
	errExpand := f.Expand(ctx, []urn.URN{dataset(1)}, bothWays(consumes), func(int, *model.Edge) bool { return true })
	for _, err := range []error{errEdges, errCount, errOwned, errExpand} {
		if !errors.Is(err, fault.Unavailable) {
			f.Errorf("got error %v, want unavailable", err)
		}
	}
}

func bothWays(types ...string) []graph.Step {
	return []graph.Step{{Direction: graph.Outgoing, Types: types}, {Direction: graph.Incoming, Types: types}}
}

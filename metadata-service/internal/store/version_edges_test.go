package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// lineageFixture is a store with an aspect whose value n has an edge to table n.
type lineageFixture struct {
	*testing.T
	*memory.Store
}

var lineageKey = store.Key{URN: table, Aspect: "upstreamLineage"}

func upstream(n int) urn.URN { return urn.Make("dataset", fmt.Sprint(n)) }

func lineageOf(n int, now int64) []model.Edge {
	stamp := model.AuditStamp{Time: now, Actor: alice}
	return []model.Edge{{Source: table, Type: "DownstreamOf", Destination: upstream(n), Owner: table, Created: stamp, Updated: stamp}}
}

func newLineageFixture(t *testing.T) *lineageFixture { return &lineageFixture{t, memory.NewStore()} }

func (f *lineageFixture) do(fn func(tx store.Tx) error) {
	f.Helper()
	if _, err := f.Update(context.Background(), fn); err != nil {
		f.Fatal(err)
	}
}

// write puts value n in run n, with edges to table edgeTo.
func (f *lineageFixture) write(n, edgeTo int, makes bool) {
	f.Helper()
	f.do(func(tx store.Tx) error {
		_, err := put(f.Context(), tx, store.Write{
			Key: lineageKey, Value: value(n), Actor: alice, Now: int64(n), MakesEdges: makes, Edges: lineageOf(edgeTo, int64(n)),
			System: model.SystemMetadata{RunID: fmt.Sprint("r", n)},
		})
		return err
	})
}

func (f *lineageFixture) wantEdgesTo(upstreams ...int) {
	f.Helper()
	edges, err := f.Edges(context.Background(), graph.Query{Direction: graph.Outgoing})
	if err != nil || len(edges) != len(upstreams) {
		f.Fatalf("got edges %v, %v, want %d", edges, err, len(upstreams))
	}
	for i, n := range upstreams {
		if edges[i].Destination != upstream(n) {
			f.Errorf("edge %d leads to %s, want %s", i, edges[i].Destination, upstream(n))
		}
	}
}

func (f *lineageFixture) delete(match func(*model.Record) bool, by store.Removal) {
	f.Helper()
	f.do(func(tx store.Tx) error {
		_, err := remove(f.Context(), tx, lineageKey, match, by)
		return err
	})
}

// ofSurvivor derives edges from the value, as the catalog does.
func ofSurvivor(rec *model.Record) []model.Edge {
	var v struct{ N int }
	if json.Unmarshal(rec.Value, &v) != nil {
		return nil
	}
	return lineageOf(v.N, rec.CreatedOn)
}

func TestANewValueReplacesTheEdges(t *testing.T) {
	t.Parallel()
	f := newLineageFixture(t)
	f.write(1, 1, true)
	f.wantEdgesTo(1)
	f.write(2, 2, true)
	f.wantEdgesTo(2)
}

func TestTheSameValueLeavesTheEdges(t *testing.T) {
	t.Parallel()
	f := newLineageFixture(t)
	f.write(1, 1, true)
	f.write(1, 2, true)
	f.wantEdgesTo(1)
}

func TestAnAspectThatMakesNoEdgesPutsNone(t *testing.T) {
	t.Parallel()
	f := newLineageFixture(t)
	f.write(1, 1, false)
	f.wantEdgesTo()
}

func TestDeletionTakesTheEdgesAlong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		match func(*model.Record) bool
		by    store.Removal
		want  []int
	}{
		{"all versions", nil, store.Removal{Edges: ofSurvivor}, nil},
		{"the latest, the one before takes its place", ofRun("r3"), store.Removal{Edges: ofSurvivor}, []int{2}},
		{"the latest two", ofRun("r2", "r3"), store.Removal{Edges: ofSurvivor}, []int{1}},
		{"the history alone", ofRun("r1", "r2"), store.Removal{Edges: ofSurvivor}, []int{3}},
		{"nothing", ofRun("r9"), store.Removal{Edges: ofSurvivor}, []int{3}},
		{"the latest of an aspect that makes none", ofRun("r3"), store.Removal{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newLineageFixture(t)
			for n := 1; n <= 3; n++ {
				f.write(n, n, true)
			}
			f.delete(tt.match, tt.by)
			f.wantEdgesTo(tt.want...)
		})
	}
}

func TestADeletedEntityLosesTheEdgesItMade(t *testing.T) {
	t.Parallel()
	f := newLineageFixture(t)
	f.write(1, 1, true)
	other := store.Key{URN: upstream(7), Aspect: "upstreamLineage"}
	stamp := model.AuditStamp{Time: 1, Actor: alice}
	edges := []model.Edge{
		{Source: other.URN, Type: "DownstreamOf", Destination: table, Owner: other.URN, Created: stamp, Updated: stamp},
		{Source: other.URN, Type: "DownstreamOf", Destination: upstream(5), Owner: other.URN, Created: stamp, Updated: stamp},
	}
	f.do(func(tx store.Tx) error { return tx.PutEdges(f.Context(), other, edges) })
	f.do(func(tx store.Tx) error {
		_, err := store.DeleteEntity(f.Context(), tx, table, "datasetKey", store.Removal{Actor: bob, Now: 9})
		return err
	})
	// The aspects of other entities keep their edges to it.
	left, err := f.Edges(context.Background(), graph.Query{Direction: graph.Outgoing, Nodes: []urn.URN{table}})
	if err != nil || len(left) != 0 {
		t.Errorf("the deleted table still has edges %v, %v", left, err)
	}
	left, err = f.Edges(context.Background(), graph.Query{Direction: graph.Incoming, Nodes: []urn.URN{table}})
	if err != nil || len(left) != 1 {
		t.Errorf("edges that lead to it are %v, %v, want one", left, err)
	}
}

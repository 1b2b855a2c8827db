// Package graphtest is the conformance suite of the graph port, and of the part of the store port
// that writes edges.
//
// A driver calls Run with a function that opens an empty store. The suite closes the stores it
// opens. Cases run in parallel, each with its own store. Each defect found in one driver becomes a
// case here.
package graphtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Store is a driver that stores and reads edges.
type Store interface {
	store.Store
	graph.Reader
}

// Run tests a driver. open returns an empty store.
func Run(t *testing.T, open func(t *testing.T) Store) {
	groups := []struct {
		name  string
		cases []testCase
	}{
		{"writing", writingCases},
		{"listing", listingCases},
		{"transactions", transactionCases},
		{"expanding", expandingCases},
		{"concurrency", concurrencyCases},
		{"simulation", simulationCases},
	}
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					s := open(t)
					t.Cleanup(func() {
						if err := s.Close(); err != nil {
							t.Errorf("close: %v", err)
						}
					})
					c.run(&fixture{T: t, Store: s})
				})
			}
		})
	}
}

type testCase struct {
	name string
	run  func(f *fixture)
}

// fixture holds a test and its store, with helpers that fail the test.
type fixture struct {
	*testing.T
	Store
}

func (f *fixture) update(fn func(tx store.Tx) error) {
	f.Helper()
	_, err := f.Update(f.Context(), fn)
	f.ok(err)
}

// put replaces the edges of an aspect.
func (f *fixture) put(owner model.Key, edges ...model.Edge) {
	f.Helper()
	f.update(func(tx store.Tx) error { return tx.PutEdges(f.Context(), owner, edges) })
}

func (f *fixture) edges(q graph.Query) []model.Edge {
	f.Helper()
	edges, err := f.Edges(f.Context(), q)
	f.ok(err)
	return edges
}

func (f *fixture) count(q graph.Query) int {
	f.Helper()
	n, err := f.CountEdges(f.Context(), q)
	f.ok(err)
	return n
}

func (f *fixture) owned(owner model.Key) []model.Edge {
	f.Helper()
	edges, err := f.OwnedEdges(f.Context(), owner)
	f.ok(err)
	return edges
}

// wantListed compares a listing, in any order, and its count with the expected edges.
func (f *fixture) wantListed(what string, q graph.Query, want ...model.Edge) {
	f.Helper()
	got := f.edges(q)
	f.same(what, sorted(got), sorted(want))
	f.same(what+", counted", f.count(q), len(want))
}

// wantAll compares all edges, in both directions.
func (f *fixture) wantAll(want ...model.Edge) {
	f.Helper()
	f.wantListed("all edges, outgoing", graph.Query{Direction: graph.Outgoing}, want...)
	f.wantListed("all edges, incoming", graph.Query{Direction: graph.Incoming}, want...)
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// same compares values. Empty lists are equal to nil.
func (f *fixture) same(what string, got, want any) {
	f.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && w.Kind() == reflect.Slice && g.Len()+w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		f.Errorf("%s:\n got %s\nwant %s", what, show(got), show(want))
	}
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const readable = 3000
	return string(text[:min(len(text), readable)])
}

func sorted(edges []model.Edge) []model.Edge {
	return slices.SortedFunc(slices.Values(edges), func(a, b model.Edge) int { return compareKeys(a.Key(), b.Key()) })
}

func compareKeys(a, b model.EdgeKey) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Destination, b.Destination), cmp.Compare(a.Owner, b.Owner))
}

func dataset(n int) urn.URN { return urn.Make("dataset", fmt.Sprintf("table%d", n)) }

func tag(n int) urn.URN { return urn.Make("tag", fmt.Sprint("tag", n)) }

func column(n int) urn.URN { return urn.Make("schemaField", string(dataset(n)), "c") }

func aspectOf(u urn.URN, aspect string) model.Key { return model.Key{URN: u, Aspect: aspect} }

func at(time int64) model.AuditStamp {
	return model.AuditStamp{Time: time, Actor: "urn:li:corpuser:writer"}
}

// edge returns an edge derived from an aspect of its source at a time.
func edge(source urn.URN, name string, destination urn.URN, time int64) model.Edge {
	return model.Edge{Source: source, Type: name, Destination: destination, Owner: source, Created: at(time), Updated: at(time)}
}

// ownedBy returns the edge with another owner.
func ownedBy(e model.Edge, owner urn.URN) model.Edge {
	e.Owner = owner
	return e
}

const (
	downstreamOf = "DownstreamOf"
	taggedWith   = "TaggedWith"
	consumes     = "Consumes"
)

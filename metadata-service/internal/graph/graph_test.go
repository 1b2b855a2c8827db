package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const tag urn.URN = "urn:li:tag:t"

func dataset(n int) urn.URN { return urn.Make("dataset", fmt.Sprintf("%03d", n)) }

// putEdges puts edges of an aspect with its entity as their source.
func putEdges(t *testing.T, s *memory.Store, owner urn.URN, aspect, name string, destinations ...urn.URN) {
	t.Helper()
	var edges []model.Edge
	for _, d := range destinations {
		edges = append(edges, model.Edge{Source: owner, Type: name, Destination: d, Owner: owner})
	}
	_, err := s.Update(t.Context(), func(tx store.Tx) error { return tx.PutEdges(t.Context(), store.Key{URN: owner, Aspect: aspect}, edges) })
	if err != nil {
		t.Fatal(err)
	}
}

// tagged returns a store with a tag on some datasets.
func tagged(t *testing.T, datasets int) *memory.Store {
	t.Helper()
	s := memory.NewStore()
	for n := range datasets {
		putEdges(t, s, dataset(n), "globalTags", "TaggedWith", tag)
	}
	return s
}

func TestRelationshipsArePaged(t *testing.T) {
	t.Parallel()
	s := tagged(t, 10)
	putEdges(t, s, "urn:li:chart:c", "other", "Other", tag)
	even := func(urns []urn.URN) ([]bool, error) {
		answers := make([]bool, len(urns))
		for i, u := range urns {
			answers[i] = (u[len(u)-1]-'0')%2 == 0
		}
		return answers, nil
	}
	for name, tt := range map[string]struct {
		query graph.PageQuery
		total int
		want  []int
	}{
		"the first":              {graph.PageQuery{Start: 0, Count: 3}, 10, []int{0, 1, 2}},
		"the last":               {graph.PageQuery{Start: 8, Count: 5}, 10, []int{8, 9}},
		"behind the end":         {graph.PageQuery{Start: 10, Count: 5}, 10, nil},
		"far behind the end":     {graph.PageQuery{Start: 1 << 60, Count: 1 << 60}, 10, nil},
		"none but the total":     {graph.PageQuery{}, 10, nil},
		"what may be seen":       {graph.PageQuery{Start: 1, Count: 2, Visible: even}, 5, []int{2, 4}},
		"behind what may be":     {graph.PageQuery{Start: 5, Count: 2, Visible: even}, 5, nil},
		"the total of the seen":  {graph.PageQuery{Visible: even}, 5, nil},
		"the outgoing are other": {graph.PageQuery{Count: 5, Direction: graph.Outgoing}, 0, nil},
	} {
		tt.query.Node, tt.query.Types = tag, []string{"TaggedWith"}
		if tt.query.Direction == "" {
			tt.query.Direction = graph.Incoming
		}
		page, err := graph.Relationships(t.Context(), s, tt.query)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want, got []urn.URN
		for _, n := range tt.want {
			want = append(want, dataset(n))
		}
		for i := range page.Edges {
			got = append(got, graph.Neighbor(&page.Edges[i], tt.query.Direction))
		}
		if !slices.Equal(got, want) || page.Total != tt.total || page.Truncated || page.Start != tt.query.Start {
			t.Errorf("%s: got %v of %d, want %v of %d", name, got, page.Total, want, tt.total)
		}
	}
}

func TestRelationshipsWithSomeTypesArePaged(t *testing.T) {
	t.Parallel()
	s := tagged(t, 3)
	putEdges(t, s, "urn:li:chart:c", "globalTags", "TaggedWith", tag)
	all := func(urns []urn.URN) ([]bool, error) { return slices.Repeat([]bool{true}, len(urns)), nil }
	for name, q := range map[string]graph.PageQuery{"everything is seen": {}, "somebody sees": {Visible: all}} {
		q.Node, q.Direction, q.NeighborTypes, q.Count = tag, graph.Incoming, []string{"chart"}, 1
		page, err := graph.Relationships(t.Context(), s, q)
		if err != nil || page.Total != 1 || len(page.Edges) != 1 || page.Edges[0].Source != "urn:li:chart:c" {
			t.Errorf("%s: got %+v, %v", name, page, err)
		}
	}
}

func TestRelationshipsOfABadQuery(t *testing.T) {
	t.Parallel()
	s := tagged(t, 1)
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		query graph.PageQuery
		want  error
	}{
		"negative start":    {graph.PageQuery{Direction: graph.Incoming, Start: -1}, fault.Invalid},
		"negative count":    {graph.PageQuery{Direction: graph.Incoming, Count: -1}, fault.Invalid},
		"no direction":      {graph.PageQuery{}, fault.Invalid},
		"a broken callback": {graph.PageQuery{Direction: graph.Incoming, Visible: func([]urn.URN) ([]bool, error) { return nil, broken }}, broken},
		"too few answers":   {graph.PageQuery{Direction: graph.Incoming, Visible: func([]urn.URN) ([]bool, error) { return nil, nil }}, fault.Internal},
	} {
		tt.query.Node = tag
		if _, err := graph.Relationships(t.Context(), s, tt.query); !errors.Is(err, tt.want) {
			t.Errorf("%s: got error %v, want %v", name, err, tt.want)
		}
	}
}

func TestVisibleRelationshipsAreReadInBatches(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	destinations := make([]urn.URN, 0, 2500)
	for n := range 2500 {
		destinations = append(destinations, dataset(n))
	}
	putEdges(t, s, tag, "many", "Many", destinations...)
	page, err := graph.Relationships(t.Context(), s, graph.PageQuery{Node: tag, Direction: graph.Outgoing, Start: 2400, Count: 200, Visible: everybody})
	if err != nil || page.Total != 2500 || len(page.Edges) != 100 || page.Truncated {
		t.Errorf("got %d of %d, truncated %v, %v", len(page.Edges), page.Total, page.Truncated, err)
	}
}

func everybody(urns []urn.URN) ([]bool, error) {
	answers := make([]bool, len(urns))
	for i := range answers {
		answers[i] = true
	}
	return answers, nil
}

// endless is a reader in which each node has infinitely many edges.
type endless struct{ graph.Reader }

func (endless) Edges(_ context.Context, q graph.Query) ([]model.Edge, error) {
	return make([]model.Edge, q.Limit), nil
}

func TestVisibleRelationshipsAreBounded(t *testing.T) {
	t.Parallel()
	page, err := graph.Relationships(t.Context(), endless{}, graph.PageQuery{Node: tag, Direction: graph.Outgoing, Count: 1, Visible: everybody})
	if err != nil || page.Total != graph.MaxVisibleScan || !page.Truncated {
		t.Errorf("got a total of %d, truncated %v, %v", page.Total, page.Truncated, err)
	}
}

func TestReferrers(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := tagged(t, 3)
	putEdges(t, s, dataset(1), "ownership", "TaggedWith", tag)
	putEdges(t, s, dataset(1), "domains", "AssociatedWith", "urn:li:domain:d")
	want := []graph.Referrer{
		{Key: model.Key{URN: dataset(0), Aspect: "globalTags"}, Relationship: "TaggedWith", Source: dataset(0)},
		{Key: model.Key{URN: dataset(1), Aspect: "globalTags"}, Relationship: "TaggedWith", Source: dataset(1)},
		{Key: model.Key{URN: dataset(1), Aspect: "ownership"}, Relationship: "TaggedWith", Source: dataset(1)},
		{Key: model.Key{URN: dataset(2), Aspect: "globalTags"}, Relationship: "TaggedWith", Source: dataset(2)},
	}
	for _, size := range []int{1, 2, 3, 0} {
		var got []graph.Referrer
		var after *model.EdgeKey
		for {
			found, next, err := graph.Referrers(t.Context(), s, registry, tag, after, size)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, found...)
			if after = next; next == nil {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: got %v\nwant %v", size, got, want)
		}
	}
}

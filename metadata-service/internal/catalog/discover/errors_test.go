package discover_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// call is one way to find something.
type call func(ctx context.Context, s *discover.Service) error

// ways returns all methods that find something, by name.
func ways() map[string]call {
	datasets := []string{"dataset"}
	return map[string]call{
		"search": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Search(ctx, discover.SearchQuery{Types: datasets, Size: 5})
			return err
		},
		"property facets": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Search(ctx, discover.SearchQuery{Types: datasets, PropertyFacets: true})
			return err
		},
		"scroll id": func(ctx context.Context, s *discover.Service) error {
			_, err := s.ScrollAt(ctx, discover.SearchQuery{Types: datasets}, search.Hit{})
			return err
		},
		"autocomplete": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Autocomplete(ctx, search.AutocompleteQuery{Types: datasets, Text: "o", Limit: 5})
			return err
		},
		"count entities": func(ctx context.Context, s *discover.Service) error {
			_, err := s.CountEntities(ctx, datasets)
			return err
		},
		"count aspect": func(ctx context.Context, s *discover.Service) error {
			_, err := s.CountAspect(ctx, "globalTags", "")
			return err
		},
		"list": func(ctx context.Context, s *discover.Service) error {
			_, err := s.List(ctx, discover.ListQuery{Types: datasets, Limit: 5})
			return err
		},
		"browse": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Browse(ctx, discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: datasets, Size: 5}})
			return err
		},
		"browse paths": func(ctx context.Context, s *discover.Service) error {
			_, err := s.BrowsePaths(ctx, "dataset", "/prod", nil, 0, 5)
			return err
		},
		"paths": func(ctx context.Context, s *discover.Service) error {
			_, err := s.PathsOf(ctx, table("orders"))
			return err
		},
		"relationships": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Relationships(ctx, discover.RelationshipQuery{URN: table("orders"), Direction: graph.Incoming, Count: 5})
			return err
		},
		"edges": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Edges(ctx, discover.EdgeQuery{Count: 5})
			return err
		},
		"lineage": func(ctx context.Context, s *discover.Service) error {
			_, err := s.Lineage(ctx, discover.LineageListing{URN: table("orders"), Direction: lineage.Upstream, Count: 5})
			return err
		},
		"search lineage": func(ctx context.Context, s *discover.Service) error {
			_, err := s.SearchLineage(ctx, discover.LineageQuery{URN: table("orders"), Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Size: 5}})
			return err
		},
	}
}

func TestNobodyFindsAnything(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	for name, find := range ways() {
		if err := find(f.as(jo), f.Service); err != nil {
			t.Errorf("%s of somebody: %v", name, err)
		}
		if err := find(t.Context(), f.Service); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("%s without an actor: %v", name, err)
		}
	}
}

func TestWhatCannotBeDecidedIsNotFound(t *testing.T) {
	t.Parallel()
	var broken error
	on := inMemory()
	on.Authorizer = authtest.Rule(func(auth.Check, urn.URN) error { return broken })
	f := newFixture(t, on)
	f.shop()
	broken = fault.New(fault.Unavailable, "the policies cannot be read")
	for name, find := range ways() {
		if err := find(f.as(jo), f.Service); !errors.Is(err, broken) {
			t.Errorf("%s: %v, want that of the authorizer", name, err)
		}
	}
	broken = fault.New(fault.Forbidden, "jo may do nothing")
	for name, find := range ways() {
		if err := find(f.as(jo), f.Service); !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s of who may do nothing: %v", name, err)
		}
		if err := find(f.as(model.SystemActor), f.Service); err != nil {
			t.Errorf("%s of the service itself: %v", name, err)
		}
	}
}

// away is an index whose server is unavailable.
type away struct{ search.Index }

var errAway = fault.New(fault.Unavailable, "the search server went away")

func (away) Search(context.Context, search.Query) (search.Result, error) {
	return search.Result{}, errAway
}

func (away) Autocomplete(context.Context, search.AutocompleteQuery) ([]search.Completion, error) {
	return nil, errAway
}

// lost is a graph that cannot be read.
type lost struct{ graph.Reader }

var errLost = fault.New(fault.Unavailable, "the graph cannot be read")

func (lost) Edges(context.Context, graph.Query) ([]model.Edge, error)    { return nil, errLost }
func (lost) CountEdges(context.Context, graph.Query) (int, error)        { return 0, errLost }
func (lost) OwnedEdges(context.Context, model.Key) ([]model.Edge, error) { return nil, errLost }
func (lost) Expand(context.Context, []urn.URN, []graph.Step, func(int, *model.Edge) bool) error {
	return errLost
}

func TestAPortThatFailsFailsTheQuestion(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	withoutIndex, withoutGraph := f.Config, f.Config
	withoutIndex.Index, withoutGraph.Graph = away{f.Index}, lost{f.Graph}
	// These read only the store.
	stored := map[string]bool{"scroll id": true, "count aspect": true, "list": true, "paths": true, "lineage": true}
	walked := map[string]bool{"relationships": true, "edges": true, "lineage": true, "search lineage": true}
	for name, find := range ways() {
		if err := find(f.as(jo), discover.New(withoutIndex)); errors.Is(err, errAway) == stored[name] {
			t.Errorf("%s without the index: %v", name, err)
		}
		if err := find(f.as(jo), discover.New(withoutGraph)); errors.Is(err, errLost) != walked[name] {
			t.Errorf("%s without the graph: %v", name, err)
		}
	}
	below := search.Filter{{{Field: "domains", Condition: discover.DescendantsIncl, Values: []string{"urn:li:domain:d"}}}}
	if _, err := discover.New(withoutGraph).Search(f.as(jo), discover.SearchQuery{Filter: below}); !errors.Is(err, errLost) {
		t.Errorf("a hierarchy without the graph: %v", err)
	}
}

func TestPagesThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	ctx, orders := f.as(jo), table("orders")
	for name, c := range map[string]struct {
		ask  func() error
		want string
	}{
		"lineage from a negative start": {func() error {
			_, err := f.Lineage(ctx, discover.LineageListing{URN: orders, Direction: lineage.Upstream, Start: -1})
			return err
		}, "start -1"},
		"lineage of too many": {func() error {
			_, err := f.Lineage(ctx, discover.LineageListing{URN: orders, Direction: lineage.Upstream, Count: search.MaxPage + 1})
			return err
		}, "count 10001"},
		"lineage to the side": {func() error {
			_, err := f.Lineage(ctx, discover.LineageListing{URN: orders, Direction: "SIDEWAYS", Count: 1})
			return err
		}, "SIDEWAYS"},
		"relationships from a negative start": {func() error {
			_, err := f.Relationships(ctx, discover.RelationshipQuery{URN: orders, Direction: graph.Incoming, Start: -1})
			return err
		}, "start -1"},
		"relationships to the side": {func() error {
			_, err := f.Relationships(ctx, discover.RelationshipQuery{URN: orders, Direction: "SIDEWAYS"})
			return err
		}, `direction "SIDEWAYS"`},
		"edges, none of them": {func() error { _, err := f.Edges(ctx, discover.EdgeQuery{}); return err }, "count 0"},
		"edges, too many":     {func() error { _, err := f.Edges(ctx, discover.EdgeQuery{Count: 5001}); return err }, "5000"},
		"edges of no URN": {func() error {
			_, err := f.Edges(ctx, discover.EdgeQuery{Count: 1, Sources: search.Filter{{{Field: "urn"}}}})
			return err
		}, "filter on urn"},
		"a group before the first": {func() error {
			_, err := f.Browse(ctx, discover.BrowseQuery{SearchQuery: discover.SearchQuery{From: -1}})
			return err
		}, "start -1"},
		"a scroll with a start": {func() error {
			_, err := f.Search(ctx, discover.SearchQuery{Scroll: "x", From: 1})
			return err
		}, "takes no start"},
		"a scroll id of a megabyte": {func() error {
			_, err := f.Search(ctx, discover.SearchQuery{Scroll: strings.Repeat("x", 1<<20+1)})
			return err
		}, "longer than"},
		"an edge scroll id of a megabyte": {func() error {
			_, err := f.Edges(ctx, discover.EdgeQuery{Count: 1, Scroll: strings.Repeat("x", 1<<20+1)})
			return err
		}, "longer than"},
		"an edge scroll id of nobody": {func() error {
			_, err := f.Edges(ctx, discover.EdgeQuery{Count: 1, Scroll: "%%%"})
			return err
		}, "is not one this service gave"},
		"an unknown type":   {func() error { _, err := f.Search(ctx, discover.SearchQuery{Types: []string{"cow"}}); return err }, `"cow"`},
		"a blank beginning": {func() error { _, err := f.Autocomplete(ctx, search.AutocompleteQuery{Text: " "}); return err }, "must not be empty"},
	} {
		err := c.ask()
		if kind := fault.KindOf(err); kind != fault.Malformed && kind != fault.Invalid {
			t.Errorf("%s: %v is of kind %v", name, err, kind)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

package indexing_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// plant introduces a difference, with the expected report.
type plant struct {
	name  string
	what  string // missing, stale or extra
	about string // part of the example
	do    func(f *fixture)
	only  urn.URN // restoring this entity repairs the difference
}

var ghost = dataset("ghost")

func upstream(name string) string {
	return fmt.Sprintf(`{"upstreams":[{"dataset":"%s","type":"TRANSFORMED"}]}`, dataset(name))
}

// edge returns an edge between datasets.
func edge(owner urn.URN, to string) []model.Edge {
	return []model.Edge{{Source: owner, Type: "DownstreamOf", Destination: dataset(to), Owner: owner}}
}

func plants() []plant {
	lineage := store.Key{URN: dataset("b"), Aspect: "upstreamLineage"}
	return []plant{
		{"a document that is gone", "missing", "index: " + string(dataset("a")) + " is missing",
			func(f *fixture) { f.apply(search.Change{URN: dataset("a")}) }, dataset("a")},
		{"a document of something else", "stale", "index: " + string(dataset("a")) + " is not as",
			func(f *fixture) {
				f.apply(search.Change{URN: dataset("a"), Document: &search.Document{URN: dataset("a"), Type: "dataset"}})
			}, dataset("a")},
		{"a document of nothing", "extra", "index: " + string(ghost) + " is there",
			func(f *fixture) {
				f.apply(search.Change{URN: ghost, Document: &search.Document{URN: ghost, Type: "dataset"}})
			}, ghost},
		{"edges that are gone", "missing", string(dataset("a")) + " is missing; it is made by upstreamLineage",
			func(f *fixture) { f.edges(lineage, nil) }, dataset("b")},
		{"an edge with other properties", "stale", "is not as upstreamLineage",
			func(f *fixture) {
				e := f.edgesOf(lineage)
				e[0].Properties = []byte(`{"planted":true}`)
				f.edges(lineage, e)
			}, dataset("b")},
		{"an edge that the aspect does not make", "extra", string(dataset("z")) + " is there",
			func(f *fixture) { f.edges(lineage, append(f.edgesOf(lineage), edge(dataset("b"), "z")...)) }, dataset("b")},
		{"an edge of an aspect that is not there", "extra", "no aspect of " + string(dataset("a")),
			func(f *fixture) {
				f.edges(store.Key{URN: dataset("a"), Aspect: "upstreamLineage"}, edge(dataset("a"), "z"))
			}, dataset("a")},
		{"an edge of an owner that is not there", "extra", "no aspect of " + string(ghost),
			func(f *fixture) { f.edges(store.Key{URN: ghost, Aspect: "upstreamLineage"}, edge(ghost, "a")) }, ghost},
	}
}

func (f *fixture) apply(c search.Change) {
	f.t.Helper()
	at, err := f.index.Applied(f.t.Context())
	if err == nil {
		err = f.index.Apply(f.t.Context(), at, []search.Change{c})
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) edges(owner store.Key, edges []model.Edge) {
	f.t.Helper()
	if _, err := f.store.Update(f.t.Context(), func(tx store.Tx) error { return tx.PutEdges(f.t.Context(), owner, edges) }); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) edgesOf(owner store.Key) []model.Edge {
	f.t.Helper()
	edges, err := f.store.OwnedEdges(f.t.Context(), owner)
	if err != nil || len(edges) == 0 {
		f.t.Fatalf("edges of %v: %v, %v", owner, edges, err)
	}
	return edges
}

func (f *fixture) restore(s indexing.Selection) indexing.Restored {
	f.t.Helper()
	done, err := f.indexer.Restore(f.t.Context(), s, indexing.Hooks{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.catchUp()
	return done
}

func TestVerifyFindsWhatIsPlantedAndRestoreRepairsIt(t *testing.T) {
	t.Parallel()
	for _, p := range plants() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.put(dataset("a"), "globalTags", tagged)
			f.put(dataset("b"), "upstreamLineage", upstream("a"))
			f.put(dataset("c"), "upstreamLineage", upstream("b"))
			f.wantEqual()
			for _, selection := range []indexing.Selection{{}, {URNs: []urn.URN{p.only}}, {URNs: []urn.URN{p.only}, BatchSize: 1}} {
				p.do(f)
				f.wantDifference(p)
				f.restore(selection)
				f.wantEqual()
			}
		})
	}
}

func (f *fixture) wantDifference(p plant) {
	f.t.Helper()
	r := f.verify()
	counts := map[string]int{"missing": r.Missing, "stale": r.Stale, "extra": r.Extra}
	if r.Equal() || counts[p.what] != 1 || r.Missing+r.Stale+r.Extra != 1 || len(r.Examples) != 1 || !strings.Contains(r.Examples[0], p.about) {
		f.t.Errorf("report is %+v, want one %s that tells of %q", r, p.what, p.about)
	}
}

func TestEdgesStayWithTheAspectThatMakesThem(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(dataset("a"), "globalTags", tagged)
	f.put(dataset("b"), "upstreamLineage", upstream("a"))
	f.put(dataset("c"), "upstreamLineage", upstream("b"))
	f.put(dataset("d"), "upstreamLineage", upstream("never"))
	for _, name := range []string{"a", "b"} {
		if _, err := f.catalog.DeleteEntity(f.ctx(), dataset(name)); err != nil {
			t.Fatal(err)
		}
		f.wantEqual()
	}
	f.put(dataset("a"), "globalTags", tagged)
	f.wantEqual()
	if r := f.verify(); r.Edges < 2 {
		t.Errorf("%d edges are compared, want at least those of c and d", r.Edges)
	}
}

func TestVerifyTellsThatTheIndexIsBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(dataset("a"), "globalTags", tagged)
	if err := f.running.Close(); err != nil {
		t.Fatal(err)
	}
	behind(t, f.store, dataset("b"))
	r := f.verify()
	if r.Equal() || r.Position == r.Last || r.Missing != 1 {
		t.Errorf("report is %+v, want the position behind the log and a document missing", r)
	}
}

func TestRestoreTakesWhatIsSelected(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"a", "b", "c"} {
		f.put(dataset(name), "globalTags", tagged)
		f.put(dataset(name), "upstreamLineage", upstream("x"))
	}
	tags := indexing.Selection{Aspects: []string{"globalTags"}}
	for _, c := range []struct {
		name   string
		change func(s *indexing.Selection)
		want   []string
	}{
		{"an aspect of all entities", func(*indexing.Selection) {}, []string{"a", "b", "c"}},
		{"entities by a pattern", func(s *indexing.Selection) { s.URNLike = "%hive,b,%" }, []string{"b"}},
		{"entities by name", func(s *indexing.Selection) { s.URNs = []urn.URN{dataset("c"), dataset("a")} }, []string{"c", "a"}},
		{"by name and pattern", func(s *indexing.Selection) {
			s.URNs, s.URNLike = []urn.URN{dataset("c"), dataset("a")}, "%hive,a%"
		}, []string{"a"}},
		{"from a start", func(s *indexing.Selection) { s.Start = 1 }, []string{"b", "c"}},
		{"up to a limit", func(s *indexing.Selection) { s.Start, s.Limit = 1, 1 }, []string{"b"}},
		{"in batches of one", func(s *indexing.Selection) { s.BatchSize = 1 }, []string{"a", "b", "c"}},
		{"written at a time that has passed", func(s *indexing.Selection) { s.To = 1 }, nil},
		{"written at a time to come", func(s *indexing.Selection) { s.From = 1 << 60 }, nil},
		{"written between the times", func(s *indexing.Selection) { s.From, s.To = 1, 1<<60 }, []string{"a", "b", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			last, _ := f.store.Last()
			s := tags
			c.change(&s)
			done := f.restore(s)
			entries, err := f.store.Entries(t.Context(), last, 100)
			if err != nil {
				t.Fatal(err)
			}
			var got []urn.URN
			for _, e := range entries {
				if e.Kind != store.Restated || e.Aspect != "globalTags" || e.NewVersion != 1 {
					t.Errorf("the log got %+v", e)
				}
				got = append(got, e.URN)
			}
			var want []urn.URN
			for _, name := range c.want {
				want = append(want, dataset(name))
			}
			if !slices.Equal(got, want) || done.Rows != len(want) {
				t.Errorf("restored %v (%d rows), want %v", got, done.Rows, want)
			}
		})
	}
}

// silent is a driver that cannot list its content. listing is one whose list ends early.
type (
	silent  struct{ indexing.Index }
	listing struct {
		*roaring.Index
		err error
	}
)

func (l listing) Fingerprints(ctx context.Context, yield func(urn.URN, uint64) bool) error {
	n := 0
	err := l.Index.Fingerprints(ctx, func(u urn.URN, print uint64) bool {
		n++
		return n < 2 && yield(u, print)
	})
	return errors.Join(err, l.err)
}

func TestADriverIsVerifiedByWhatItOffers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"a", "b", "c"} {
		f.put(dataset(name), "globalTags", tagged)
	}
	f.restartWith(silent{f.index})
	if _, err := f.indexer.Verify(t.Context()); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "restoreIndices") {
		t.Errorf("without a list of what it holds: %v", err)
	}
	f.restartWith(listing{f.index, fault.New(fault.Unavailable, "the search server went away")})
	if _, err := f.indexer.Verify(t.Context()); !errors.Is(err, fault.Unavailable) {
		t.Errorf("with a list that breaks off: %v", err)
	}
}

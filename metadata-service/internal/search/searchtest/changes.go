package searchtest

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// testWholeChanges changes pairs of search documents. A reader must never see half of a pair.
func testWholeChanges(f *fixture) {
	var reading sync.WaitGroup
	done := make(chan struct{})
	reading.Go(func() {
		for {
			r, err := f.Search(context.Background(), search.Query{Types: []string{"dataset"}, Text: "pair", Size: 10, Facets: []search.FacetRequest{{Field: "rows", Size: 10}}})
			if err != nil || r.Total%2 != 0 || len(r.Facets[0].Buckets) > 1 {
				f.Errorf("half a change is seen: %d hits, %+v, %v", r.Total, r.Facets, err)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for n := range 200 {
		a, b := doc("pair a", "rows", n), doc("pair b", "rows", n)
		if n%5 == 4 {
			f.apply(search.Change{URN: a.URN}, search.Change{URN: b.URN})
			continue
		}
		f.put(a, b)
	}
	close(done)
	reading.Wait()
}

func testDocuments(f *fixture) {
	a, b := doc("a", "rows", 1), doc("b")
	b.Type = "chart"
	f.put(a, b)
	if got, err := f.Documents(f.Context()); err != nil || len(got) != 2 || got["dataset"] != 1 || got["chart"] != 1 {
		f.Errorf("documents are %v, %v", got, err)
	}
	a2 := doc("a", "rows", 2)
	f.put(a2)
	f.apply(search.Change{URN: b.URN}, search.Change{URN: id("absent")})
	f.fingerprints(a2)
}

// fingerprints checks that the index holds exactly these search documents.
func (f *fixture) fingerprints(docs ...*search.Document) {
	f.Helper()
	auditor, ok := f.Index.(search.Auditor)
	if !ok {
		return
	}
	want := map[urn.URN]uint64{}
	for _, d := range docs {
		want[d.URN] = search.Fingerprint(d)
	}
	last := urn.URN("")
	err := auditor.Fingerprints(f.Context(), func(u urn.URN, print uint64) bool {
		if u <= last {
			f.Errorf("%s comes behind %s", u, last)
		}
		last = u
		if want[u] != print {
			f.Errorf("%s is not as it should be", u)
		}
		delete(want, u)
		return true
	})
	if err != nil || len(want) > 0 {
		f.Errorf("missing are %v, %v", want, err)
	}
}

func testRebuild(f *fixture) {
	f.put(doc("stale"), doc("changed", "rows", 1), doc("gone"))
	fresh := doc("changed", "rows", 3)
	f.at++
	err := f.Rebuild(f.Context(), f.at, func(put func([]*search.Document) error) error {
		f.put(fresh)
		f.apply(search.Change{URN: id("gone")})
		f.finds("the old content", search.Query{}, "stale", "changed")
		if err := put([]*search.Document{doc("changed", "rows", 2), doc("gone"), doc("new")}); err != nil {
			return err
		}
		f.put(doc("later"))
		if err := f.Index.Rebuild(f.Context(), f.at, nil); fault.KindOf(err) != fault.Conflict {
			f.Errorf("a rebuild in a rebuild: %v", err)
		}
		return put([]*search.Document{doc("more")})
	})
	if err != nil {
		f.Fatal(err)
	}
	f.fingerprints(fresh, doc("new"), doc("later"), doc("more"))
	f.wantAt(f.at)
	if why, err := f.Stale(f.Context()); err != nil || why != "" {
		f.Errorf("after the rebuild the index is stale: %q, %v", why, err)
	}
	f.put(doc("after"))
	f.finds("what came after", search.Query{Text: "after"}, "after")
}

func testFailedRebuild(f *fixture) {
	f.put(doc("a"))
	broken := fault.New(fault.Unavailable, "on purpose")
	err := f.Rebuild(f.Context(), 1, func(put func([]*search.Document) error) error {
		if err := put([]*search.Document{doc("b")}); err != nil {
			return err
		}
		return broken
	})
	if fault.KindOf(err) != fault.Unavailable {
		f.Errorf("the error is %v", err)
	}
	f.fingerprints(doc("a"))
	if err := f.Rebuild(f.Context(), f.at, func(func([]*search.Document) error) error { return nil }); err != nil {
		f.Errorf("the next rebuild: %v", err)
	}
	f.fingerprints()
}

package timeseriestest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// modelStore is the simplest correct model: a list.
type modelStore []timeseries.Document

func (n *modelStore) upsert(d timeseries.Document) {
	n.remove(func(o timeseries.Document) bool { return o.ID == d.ID })
	*n = append(*n, d)
}

func (n *modelStore) remove(gone func(timeseries.Document) bool) int {
	before := len(*n)
	*n = slices.DeleteFunc(*n, gone)
	return before - len(*n)
}

// selects implements URNs, IDs, time limits, run and an equality on messageId.
func selects(q timeseries.Query, d timeseries.Document) bool {
	return (len(q.URNs) == 0 || slices.Contains(q.URNs, d.URN)) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, d.ID)) &&
		(q.From == nil || d.Time >= *q.From) && (q.To == nil || d.Time <= *q.To) &&
		(q.RunID == "" || q.RunID == d.RunID) &&
		(len(q.Filter) == 0 || slices.Contains(q.Filter[0][0].Values, d.MessageID))
}

func (n modelStore) find(q timeseries.Query) []string {
	var found []timeseries.Document
	for _, d := range n {
		if d.Exploded == q.Exploded && selects(q, d) {
			found = append(found, d)
		}
	}
	before := func(a, b timeseries.Position) int {
		c := strings.Compare(a.ID, b.ID)
		if a.Time != b.Time {
			c = 1
			if a.Time < b.Time {
				c = -1
			}
		}
		if !q.Ascending {
			c = -c
		}
		return c
	}
	place := func(d timeseries.Document) timeseries.Position {
		return timeseries.Position{Time: d.Time, ID: d.ID}
	}
	slices.SortFunc(found, func(a, b timeseries.Document) int { return before(place(a), place(b)) })
	if q.After != nil {
		found = slices.DeleteFunc(found, func(d timeseries.Document) bool { return before(*q.After, place(d)) >= 0 })
	}
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
	}
	return ids(found)
}

func simulation(t *testing.T, s timeseries.Store) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var model modelStore
	for range 40 {
		var ops []timeseries.Op
		for range 1 + r.IntN(20) {
			if len(ops) > 0 && r.IntN(12) == 0 { // the first batch creates the index
				q := randomQuery(r)
				q.Limit = 0
				ops = append(ops, timeseries.Op{Erase: &q})
				model.remove(func(d timeseries.Document) bool { return selects(q, d) })
				continue
			}
			d := randomDocument(r)
			ops = append(ops, timeseries.Op{Upsert: &d})
			model.upsert(d)
		}
		applied, err := s.Applied(ctx, index)
		if err != nil {
			t.Fatal(err)
		}
		apply(t, s, applied+1, ops...)
		if r.IntN(10) == 0 {
			end := randomTime(r) - 15
			wantTruncated(t, s, end, int64(model.remove(func(d timeseries.Document) bool { return d.Time <= end })))
		}
		if got, want := sizeOf(t, s).Documents, int64(len(model)); got != want {
			t.Errorf("sizes: got %d documents, want %d", got, want)
		}
		for range 6 {
			agree(t, s, model, randomQuery(r))
		}
	}
}

func agree(t *testing.T, s timeseries.Store, model modelStore, q timeseries.Query) {
	t.Helper()
	wantIDs(t, s, q, model.find(q)...)
	counted := q
	counted.After, counted.Limit = nil, 0
	if got, want := count(t, s, q), int64(len(model.find(counted))); got != want {
		t.Errorf("count %+v: got %d, want %d", q, got, want)
	}
	urns := []urn.URN{dataset(0), dataset(3)}
	got, err := s.Latest(ctx, index, urns)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range urns {
		want := model.find(timeseries.Query{URNs: []urn.URN{u}, Limit: 1})
		if d, ok := got[u]; ok != (len(want) == 1) || (ok && d.ID != want[0]) {
			t.Errorf("latest of %s: got %q, want %v", u, d.ID, want)
		}
	}
}

func randomTime(r *rand.Rand) int64 { return r.Int64N(41) - 20 }

func randomDocument(r *rand.Rand) timeseries.Document {
	id := fmt.Sprintf("id%d", r.IntN(150))
	d := document(id, dataset(r.IntN(5)), randomTime(r))
	if r.IntN(3) == 0 {
		d = element(id, "p", d.URN, d.Time)
	}
	d.RunID, d.MessageID = fmt.Sprintf("run-%d", r.IntN(3)), fmt.Sprintf("m%d", r.IntN(4))
	return d
}

// randomQuery sets each part with some probability; a query without any selects many documents.
func randomQuery(r *rand.Rand) timeseries.Query {
	q := timeseries.Query{Exploded: r.IntN(3) == 0, Ascending: r.IntN(2) == 0}
	sometimes := func(set func()) {
		if r.IntN(3) == 0 {
			set()
		}
	}
	sometimes(func() { q.Limit = 1 + r.IntN(10) })
	sometimes(func() { q.From = at(randomTime(r)) })
	sometimes(func() { q.To = at(randomTime(r)) })
	sometimes(func() { q.RunID = fmt.Sprintf("run-%d", r.IntN(3)) })
	sometimes(func() { q.URNs = []urn.URN{dataset(r.IntN(5)), dataset(r.IntN(6))} })
	sometimes(func() { q.After = &timeseries.Position{Time: randomTime(r), ID: fmt.Sprintf("id%d", r.IntN(150))} })
	sometimes(func() {
		q.Filter = timeseries.Filter{{{Field: "messageId", Values: []string{"m0", "m1"}}}}
	})
	sometimes(func() {
		for range 20 {
			q.IDs = append(q.IDs, fmt.Sprintf("id%d", r.IntN(150)))
		}
	})
	return q
}

package timeseriestest

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func absentIndex(t *testing.T, s timeseries.Store) {
	wantApplied(t, s, 0)
	wantIDs(t, s, timeseries.Query{})
	if n := count(t, s, timeseries.Query{}); n != 0 {
		t.Errorf("count: got %d, want 0", n)
	}
	if got, err := s.Latest(ctx, index, []urn.URN{dataset(1)}); err != nil || len(got) != 0 {
		t.Errorf("latest: got %v, %v, want nothing", got, err)
	}
	if n, err := s.Compact(ctx, index); err != nil || n != 0 {
		t.Errorf("compact: got %d, %v, want 0", n, err)
	}
	if got, err := s.Sizes(ctx); err != nil || len(got) != 0 {
		t.Errorf("sizes: got %v, %v, want nothing: reading must not make an index", got, err)
	}
}

func roundTrip(t *testing.T, s timeseries.Store) {
	full := document("full", dataset(1), 1_754_000_000_000)
	full.System.AspectCreated = &model.AuditStamp{Time: 5, Actor: model.SystemActor}
	full.Columns["negative"], full.Columns["empty"] = int64(-1<<63), ""
	part := element("part", "full", dataset(1), 1_754_000_000_000)
	bare := timeseries.Document{ID: "bare", URN: dataset(2), Time: -1}
	apply(t, s, 7, upserts(full, part, bare)...)

	wantApplied(t, s, 7)
	plain := find(t, s, timeseries.Query{})
	if len(plain) != 2 {
		t.Fatalf("got %d plain documents, want 2", len(plain))
	}
	wantDocument(t, plain[0], full)
	wantDocument(t, plain[1], bare)
	wantDocument(t, find(t, s, timeseries.Query{Exploded: true})[0], part)
}

func independence(t *testing.T, s timeseries.Store) {
	given := document("a", dataset(1), 1)
	apply(t, s, 1, upserts(given)...)
	given.Event[0], given.Columns["rowCount"], given.System.Properties["a"] = 'X', "changed", "changed"
	got := find(t, s, timeseries.Query{})[0]
	wantDocument(t, got, document("a", dataset(1), 1))
	got.Event[0], got.Columns["rowCount"], got.System.Properties["a"] = 'X', "changed", "changed"
	wantDocument(t, find(t, s, timeseries.Query{})[0], document("a", dataset(1), 1))
}

func replacing(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(document("a", dataset(1), 10), document("b", dataset(1), 20))...)
	moved := document("a", dataset(2), 30)
	moved.RunID = "run-2"
	apply(t, s, 2, upserts(moved)...)

	wantIDs(t, s, timeseries.Query{}, "a", "b")
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(1)}}, "b")
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(2)}}, "a")
	wantIDs(t, s, timeseries.Query{To: at(15)})
	wantDocument(t, find(t, s, timeseries.Query{IDs: []string{"a"}})[0], moved)

	apply(t, s, 3, upserts(element("a", "b", dataset(2), 30))...)
	wantIDs(t, s, timeseries.Query{}, "b")
	wantIDs(t, s, timeseries.Query{Exploded: true}, "a")
	if n := count(t, s, timeseries.Query{}); n != 1 {
		t.Errorf("count: got %d, want 1", n)
	}
}

func replay(t *testing.T, s timeseries.Store) {
	apply(t, s, 5, upserts(document("a", dataset(1), 10))...)
	apply(t, s, 5, upserts(document("same", dataset(1), 11))...)
	apply(t, s, 4, upserts(document("lower", dataset(1), 12))...)
	apply(t, s, 0, erase(timeseries.Query{})...)
	wantIDs(t, s, timeseries.Query{}, "a")
	wantApplied(t, s, 5)
	apply(t, s, 6)
	wantApplied(t, s, 6)
	apply(t, s, 100, erase(timeseries.Query{})...)
	wantIDs(t, s, timeseries.Query{})
	wantApplied(t, s, 100)
	apply(t, s, 5, upserts(document("a", dataset(1), 10))...)
	wantIDs(t, s, timeseries.Query{})
}

func stepOrder(t *testing.T, s timeseries.Store) {
	ops := upserts(document("before", dataset(1), 10))
	ops = append(ops, erase(timeseries.Query{URNs: []urn.URN{dataset(1)}})...)
	ops = append(ops, upserts(document("after", dataset(1), 20), document("after", dataset(1), 30))...)
	apply(t, s, 1, ops...)
	wantIDs(t, s, timeseries.Query{}, "after")
	wantIDs(t, s, timeseries.Query{From: at(30)}, "after")
}

func badBatch(t *testing.T, s timeseries.Store) {
	good := document("good", dataset(1), 1)
	noID, noURN, longID := good, good, good
	noID.ID, noURN.URN, longID.ID = "", "", strings.Repeat("x", timeseries.MaxIDBytes+1)
	badColumn, badElement := good, good
	badColumn.Columns = map[string]any{"n": 1}
	badElement.Exploded = true
	for name, op := range map[string]timeseries.Op{
		"neither":            {},
		"both":               {Upsert: &good, Erase: &timeseries.Query{}},
		"no id":              {Upsert: &noID},
		"long id":            {Upsert: &longID},
		"no urn":             {Upsert: &noURN},
		"column type":        {Upsert: &badColumn},
		"element with event": {Upsert: &badElement},
		"bad filter":         {Erase: &timeseries.Query{Filter: timeseries.Filter{{{Field: "x", Operator: "LIKE"}}}}},
	} {
		err := s.Apply(ctx, index, timeseries.Batch{Sequence: 1, Ops: []timeseries.Op{{Upsert: &good}, op}})
		if !errors.Is(err, fault.Invalid) {
			t.Errorf("%s: got %v, want an invalid batch", name, err)
		}
	}
	wantIDs(t, s, timeseries.Query{})
	wantApplied(t, s, 0)
	longID.ID = strings.Repeat("x", timeseries.MaxIDBytes)
	apply(t, s, 1, upserts(longID)...)
	wantIDs(t, s, timeseries.Query{}, longID.ID)
}

func emptyBatch(t *testing.T, s timeseries.Store) {
	apply(t, s, 9)
	apply(t, s, 10, erase(timeseries.Query{})...)
	wantApplied(t, s, 0)
	if got, err := s.Sizes(ctx); err != nil || len(got) != 0 {
		t.Errorf("sizes: got %v, %v, want nothing", got, err)
	}
	apply(t, s, 0, upserts(document("a", dataset(1), 1))...)
	wantIDs(t, s, timeseries.Query{})
}

func separateIndices(t *testing.T, s timeseries.Store) {
	apply(t, s, 3, upserts(document("a", dataset(1), 1))...)
	const other = "chart_chartusagestatisticsaspect_v1"
	if err := s.Apply(ctx, other, timeseries.Batch{Sequence: 1, Ops: upserts(document("b", dataset(1), 2))}); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, s, timeseries.Query{}, "a")
	if docs, err := s.Find(ctx, other, timeseries.Query{}); err != nil || len(docs) != 1 || docs[0].ID != "b" {
		t.Errorf("find in the other index: got %v, %v", docs, err)
	}
	if applied, err := s.Applied(ctx, other); err != nil || applied != 1 {
		t.Errorf("applied of the other index: got %d, %v, want 1", applied, err)
	}
}

func badNames(t *testing.T, s timeseries.Store) {
	for _, name := range []string{
		"", "..", "a/b", "../a", "/a", "a.db", "A", "1a", "_a", "-a", "a b", "a\x00", "ä", strings.Repeat("a", timeseries.MaxIndexBytes+1),
	} {
		batch := timeseries.Batch{Sequence: 1, Ops: upserts(document("a", dataset(1), 1))}
		_, appliedErr := s.Applied(ctx, name)
		_, findErr := s.Find(ctx, name, timeseries.Query{})
		_, countErr := s.Count(ctx, name, timeseries.Query{})
		_, latestErr := s.Latest(ctx, name, nil)
		_, compactErr := s.Compact(ctx, name)
		for call, err := range map[string]error{
			"apply": s.Apply(ctx, name, batch), "applied": appliedErr, "find": findErr,
			"count": countErr, "latest": latestErr, "compact": compactErr,
		} {
			if !errors.Is(err, fault.Invalid) {
				t.Errorf("%s of %q: got %v, want it refused as invalid", call, name, err)
			}
		}
	}
}

func erasing(t *testing.T, s timeseries.Store) {
	other := document("other", dataset(2), 20)
	other.RunID = "run-2"
	late := document("late", dataset(1), 30)
	late.RunID = "run-2"
	apply(t, s, 1, upserts(document("a", dataset(1), 10), element("a1", "a", dataset(1), 10), other, late)...)

	apply(t, s, 2, erase(timeseries.Query{RunID: "run-1", Limit: 1, After: &timeseries.Position{}})...)
	wantIDs(t, s, timeseries.Query{}, "late", "other")
	wantIDs(t, s, timeseries.Query{Exploded: true})
	apply(t, s, 3, erase(timeseries.Query{URNs: []urn.URN{dataset(2)}, Exploded: true})...)
	wantIDs(t, s, timeseries.Query{}, "late")
	apply(t, s, 4, erase(timeseries.Query{From: at(31)})...)
	wantIDs(t, s, timeseries.Query{}, "late")
	apply(t, s, 5, erase(timeseries.Query{IDs: []string{"late", "absent"}})...)
	wantIDs(t, s, timeseries.Query{})
	if n := count(t, s, timeseries.Query{}) + count(t, s, timeseries.Query{Exploded: true}); n != 0 {
		t.Errorf("count after everything is erased: got %d, want 0", n)
	}
}

func staleElements(t *testing.T, s timeseries.Store) {
	spec := timeseries.Spec{Collections: []timeseries.Collection{{Path: "/userCounts/*", Name: "userCounts", Key: "user"}}}
	var former []string
	for sequence, value := range []string{
		`{"timestampMillis":10,"userCounts":[{"user":"urn:li:corpuser:a"},{"user":"urn:li:corpuser:b"}]}`,
		`{"timestampMillis":10,"userCounts":[{"user":"urn:li:corpuser:b"}]}`,
	} {
		docs, err := timeseries.Explode(spec, dataset(1), []byte(value), model.SystemMetadata{})
		if err != nil {
			t.Fatal(err)
		}
		ops := append(upserts(element("foreign", "other", dataset(1), 10)), timeseries.Replace(former, docs)...)
		apply(t, s, uint64(sequence+1), ops...)
		former = nil
		for i := range docs {
			former = append(former, docs[i].ID)
		}
	}
	if n := count(t, s, timeseries.Query{}); n != 1 {
		t.Errorf("got %d plain documents, want 1", n)
	}
	if n := count(t, s, timeseries.Query{Exploded: true}); n != 2 {
		t.Errorf("got %d exploded documents, want the foreign one and one element", n)
	}
}

func largeValues(t *testing.T, s timeseries.Store) {
	large := document("large", dataset(1), 1)
	large.Event = []byte(`{"text":"` + strings.Repeat("x", 3<<20) + `"}`)
	large.URN = urn.Make("dataset", strings.Repeat("u", 8000))
	apply(t, s, 1, upserts(large, document("small", dataset(1), 2))...)
	wantDocument(t, find(t, s, timeseries.Query{URNs: []urn.URN{large.URN}})[0], large)
	apply(t, s, 2, upserts(document("large", dataset(1), 1))...)
	wantDocument(t, find(t, s, timeseries.Query{IDs: []string{"large"}})[0], document("large", dataset(1), 1))
}

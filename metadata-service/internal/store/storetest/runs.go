package storetest

import (
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

var runCases = []testCase{
	{"runs are listed newest first, ties by id", runsInOrder},
	{"keys of a run are ordered and paged", runKeysPaged},
	{"a row moves to the run that wrote it last", runFollowsPut},
	{"a run without rows is forgotten", runForgotten},
	{"a row without a run is in none", rowWithoutRun},
	{"a thousand runs are listed", func(f *fixture) { manyRuns(f, 1000) }},
	{"thousands of runs are listed", func(f *fixture) { manyRuns(f, 2300) }},
}

func runsInOrder(f *fixture) {
	f.put(inRun(dataset(1), "a", "early", 10), inRun(dataset(2), "a", "late", 30),
		inRun(dataset(3), "a", "b-tie", 20), inRun(dataset(4), "a", "a-tie", 20))
	f.put(inRun(dataset(5), "a", "late", 5)) // an earlier time must not replace a later one
	f.same("runs", f.runs(), []store.Run{
		{ID: "late", Time: 30, Rows: 2}, {ID: "a-tie", Time: 20, Rows: 1},
		{ID: "b-tie", Time: 20, Rows: 1}, {ID: "early", Time: 10, Rows: 1},
	})
	noTime := inRun(dataset(6), "a", "creation", 0)
	noTime.CreatedOn = 99
	f.put(noTime)
	f.same("newest", f.runs()[0], store.Run{ID: "creation", Time: 99, Rows: 1})
}

func runKeysPaged(f *fixture) {
	// The orders of writing, of assigned numbers and of names differ on purpose.
	var want []store.Key
	for i := range 9 {
		for _, aspect := range []string{"zeta", "alpha", "mid"} {
			f.put(inRun(dataset(8-i), aspect, "r", 1))
		}
		for _, aspect := range []string{"alpha", "mid", "zeta"} {
			want = append(want, store.Key{URN: dataset(i), Aspect: aspect})
		}
	}
	f.put(inRun(dataset(3), "alpha", "r2", 1), historic(inRun(dataset(3), "alpha", "r", 1), 4))
	f.same("all", f.runKeys("r", store.Key{}, 0), want)
	for _, limit := range []int{1, 2, 4, 27, 100} {
		var got []store.Key
		var after store.Key
		for page := f.runKeys("r", after, limit); len(page) > 0; page = f.runKeys("r", after, limit) {
			got = append(got, page...)
			after = page[len(page)-1]
		}
		f.same(fmt.Sprintf("pages of %d", limit), got, want)
	}
	f.same("after an absent key", f.runKeys("r", store.Key{URN: dataset(4), Aspect: "b"}, 2),
		[]store.Key{{URN: dataset(4), Aspect: "mid"}, {URN: dataset(4), Aspect: "zeta"}})
	f.same("other run", f.runKeys("r2", store.Key{}, 0), []store.Key{{URN: dataset(3), Aspect: "alpha"}})
	f.update(func(tx store.Tx) {
		keys, err := tx.RunKeys(f.Context(), "r", want[3], 5)
		f.same("error", err, nil)
		f.same("in a transaction", keys, want[4:9])
	})
}

func runFollowsPut(f *fixture) {
	rec := inRun(dataset(1), "status", "first", 10)
	f.put(rec, historic(rec, 1))
	rec.System.RunID, rec.System.LastRunID, rec.System.LastObserved = "second", "first", 20
	f.put(rec)
	f.same("runs", f.runs(), []store.Run{{ID: "second", Time: 20, Rows: 1}, {ID: "first", Time: 10, Rows: 1}})
	f.same("keys of first", f.runKeys("first", store.Key{}, 0), []store.Key{rec.Key()})
	rec.System.LastObserved = 30
	f.put(rec)
	f.same("runs after the same run wrote again", f.runs()[0], store.Run{ID: "second", Time: 30, Rows: 1})
	f.put(historic(rec, 1))
	f.same("all in second", f.runs(), []store.Run{{ID: "second", Time: 30, Rows: 2}})
	f.same("keys of first, empty now", f.runKeys("first", store.Key{}, 0), []store.Key{})
	f.same("one key for two rows", f.runKeys("second", store.Key{}, 0), []store.Key{rec.Key()})
}

func runForgotten(f *fixture) {
	rec := inRun(dataset(1), "status", "r", 50)
	f.put(rec)
	f.update(func(tx store.Tx) {
		if err := tx.Remove(f.Context(), rec.Key(), 0); err != nil {
			f.Error(err)
		}
		keys, err := tx.RunKeys(f.Context(), "r", store.Key{}, 0)
		f.same("error", err, nil)
		f.same("keys in the transaction", keys, []store.Key{})
	})
	f.same("runs", f.runs(), []store.Run{})
	rec.System.LastObserved = 7
	f.put(rec)
	f.same("begun anew", f.runs(), []store.Run{{ID: "r", Time: 7, Rows: 1}})
}

func rowWithoutRun(f *fixture) {
	rec := inRun(dataset(1), "status", "", 50)
	f.put(rec)
	f.same("runs", f.runs(), []store.Run{})
	f.same("keys", f.runKeys("", store.Key{}, 0), []store.Key{})
	rec.System.RunID = model.DefaultRunID
	f.put(rec)
	f.same("runs", f.runs(), []store.Run{{ID: model.DefaultRunID, Time: 50, Rows: 1}})
}

func manyRuns(f *fixture, many int) {
	f.update(func(tx store.Tx) {
		for i := range many {
			f.putIn(tx, inRun(dataset(i), "status", fmt.Sprintf("run-%d", i), int64(i)+1))
		}
	})
	runs := f.runs()
	f.same("number", len(runs), many)
	for i, run := range runs {
		if run.Time != int64(many-i) || run.Rows != 1 {
			f.Fatalf("run %d: got %v", i, run)
		}
	}
}

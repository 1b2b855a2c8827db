package storetest

import (
	"math/rand/v2"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var scanCases = []testCase{
	{"entities are selected by type, prefix and lower bound", scanSelects},
	{"pages follow each other without gap or overlap", scanPages},
	{"a page has 1000 entities unless a limit is given", scanDefaultLimit},
	{"counts follow writes and deletes", countsFollow},
	{"a large transaction lists its writes in order", largeTransaction},
}

func scanSelects(f *fixture) {
	a, b := urn.URN("urn:li:dataset:a"), urn.URN("urn:li:dataset:ab")
	c, d := urn.URN("urn:li:datasetProfile:a"), urn.URN("urn:li:tag:a")
	odd := urn.URN("urn:li:dataset") // not an entity of the type, although it looks like its prefix
	for _, u := range []urn.URN{d, c, b, a, odd} {
		f.put(record(u, "status", `{}`), record(u, "ownership", `{}`))
	}
	onlyHistory := historic(record("urn:li:tag:b", "status", `{}`), 1)
	f.put(onlyHistory)
	f.update(func(tx store.Tx) {
		if _, err := tx.Append(f.Context(), written("urn:li:tag:c", "status")); err != nil {
			f.Error(err)
		}
	})
	for name, c := range map[string]struct {
		q    store.Scan
		want []urn.URN
	}{
		"all":                      {store.Scan{}, []urn.URN{odd, a, b, c, d}},
		"by type":                  {store.Scan{Type: "dataset"}, []urn.URN{a, b}},
		"unknown type":             {store.Scan{Type: "chart"}, nil},
		"by prefix":                {store.Scan{Prefix: "urn:li:dataset"}, []urn.URN{odd, a, b, c}},
		"by type and prefix":       {store.Scan{Type: "dataset", Prefix: "urn:li:dataset:ab"}, []urn.URN{b}},
		"by type, shorter prefix":  {store.Scan{Type: "dataset", Prefix: "urn:li"}, []urn.URN{a, b}},
		"prefix of another type":   {store.Scan{Type: "dataset", Prefix: "urn:li:tag:"}, nil},
		"after one of them":        {store.Scan{After: a}, []urn.URN{b, c, d}},
		"after an absent one":      {store.Scan{After: "urn:li:dataset:aa"}, []urn.URN{b, c, d}},
		"after all of the type":    {store.Scan{Type: "dataset", After: "urn:li:e"}, nil},
		"after, before the type":   {store.Scan{Type: "tag", After: "urn:li:a"}, []urn.URN{d}},
		"limit":                    {store.Scan{Limit: 2}, []urn.URN{odd, a}},
		"limit beyond what exists": {store.Scan{Type: "dataset", Limit: 50}, []urn.URN{a, b}},
	} {
		f.same(name, f.scan(c.q), c.want)
		f.update(func(tx store.Tx) {
			got, err := tx.Scan(f.Context(), c.q)
			f.same(name+": error", err, nil)
			f.same(name+" in a transaction", got, c.want)
		})
	}
	f.same("datasets", f.count("dataset"), 2)
	f.same("profiles", f.count("datasetProfile"), 1)
	f.same("all entities", f.count(""), 5)
}

func scanPages(f *fixture) {
	var want []urn.URN
	f.update(func(tx store.Tx) {
		for i := range 57 {
			f.putIn(tx, record(dataset(i), "status", `{}`))
		}
	})
	for i := range 57 {
		want = append(want, dataset(i))
	}
	for _, limit := range []int{1, 10, 19, 57, 58} {
		var got []urn.URN
		q := store.Scan{Type: "dataset", Limit: limit}
		for page := f.scan(q); len(page) > 0; page = f.scan(q) {
			if len(page) > limit {
				f.Fatalf("page of %d, limit %d", len(page), limit)
			}
			got = append(got, page...)
			q.After = page[len(page)-1]
		}
		f.same("all pages", got, want)
	}
}

func scanDefaultLimit(f *fixture) {
	const many = 1100
	f.update(func(tx store.Tx) {
		for i := range many {
			f.putIn(tx, record(dataset(i), "status", `{}`))
		}
		urns, err := tx.Scan(f.Context(), store.Scan{})
		f.same("error", err, nil)
		f.same("page in a transaction", len(urns), 1000)
	})
	f.same("page", len(f.scan(store.Scan{})), 1000)
	all := f.scan(store.Scan{Limit: 5 * many})
	f.same("all", len(all), many)
	if !slices.IsSorted(all) {
		f.Error("the listing is not in order")
	}
	f.same("run keys", len(f.runKeys(model.DefaultRunID, store.Key{}, 0)), many)
	f.same("run keys of a page", len(f.runKeys(model.DefaultRunID, store.Key{}, 1050)), 1050)
}

func countsFollow(f *fixture) {
	f.put(record(dataset(1), "status", `{}`), record(dataset(1), "ownership", `{}`), record(dataset(2), "status", `{}`))
	f.put(record("urn:li:tag:a", "status", `{}`))
	f.same("before", []int{f.count("dataset"), f.count("tag"), f.count("")}, []int{2, 1, 3})
	f.update(func(tx store.Tx) {
		for _, key := range []store.Key{{URN: dataset(1), Aspect: "status"}, {URN: dataset(2), Aspect: "status"}} {
			if err := tx.Remove(f.Context(), key, 0); err != nil {
				f.Error(err)
			}
		}
	})
	f.same("after", []int{f.count("dataset"), f.count("tag"), f.count("")}, []int{1, 1, 2})
}

func largeTransaction(f *fixture) {
	const many = 3000
	random := rand.New(rand.NewPCG(5, 5))
	var want []urn.URN
	f.update(func(tx store.Tx) {
		want = nil
		for _, i := range random.Perm(many) {
			f.putIn(tx, record(dataset(i), "status", `{}`))
		}
		for i := range many {
			if i%3 != 0 {
				want = append(want, dataset(i))
				continue
			}
			if err := tx.Remove(f.Context(), store.Key{URN: dataset(i), Aspect: "status"}, 0); err != nil {
				f.Error(err)
			}
		}
		got, err := tx.Scan(f.Context(), store.Scan{Limit: many})
		f.same("error", err, nil)
		f.same("in the transaction", got, want)
		got, err = tx.Scan(f.Context(), store.Scan{After: dataset(1500), Limit: 3})
		f.same("error", err, nil)
		f.same("a page in the transaction", got, []urn.URN{dataset(1501), dataset(1502), dataset(1504)})
	})
	f.same("committed", f.scan(store.Scan{Limit: many}), want)
	f.same("count", f.count("dataset"), len(want))
	f.same("run keys", len(f.runKeys(model.DefaultRunID, store.Key{}, 0)), len(want))
}

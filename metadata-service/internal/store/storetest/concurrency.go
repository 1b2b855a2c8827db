package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var concurrencyCases = []testCase{
	{"many writers and readers agree", writersAndReaders},
	{"reads of several keys come from one snapshot", readsFromOneSnapshot},
	{"close waits for the updates under way", closeWaits},
}

func writersAndReaders(f *fixture) {
	const writers, rounds = 64, 6
	var failed atomic.Int64
	stop := make(chan struct{})
	var readers, all sync.WaitGroup
	for range 4 {
		readers.Go(func() { f.readUntil(stop) })
	}
	for w := range writers {
		all.Go(func() {
			for r := range rounds {
				bad := (w+r)%5 == 0
				_, err := f.Update(f.Context(), func(tx store.Tx) error { return f.writeRound(tx, w, r, bad) })
				if bad {
					failed.Add(1)
					f.same("error", err, errOnPurpose)
					continue
				}
				f.same("error", err, nil)
				got := f.row(store.Key{URN: dataset(w), Aspect: fmt.Sprintf("round%d", r)}, 0)
				if got == nil || got.Sequence == 0 {
					f.Errorf("writer %d does not find what it wrote: %v", w, got)
				}
			}
		})
	}
	all.Wait()
	close(stop)
	readers.Wait()
	good := writers*rounds - int(failed.Load())
	f.same("rows", f.runs(), []store.Run{{ID: "parallel", Time: 1, Rows: good}})
	entries := f.entries(0, 2*good)
	f.same("entries", len(entries), good)
	last, _ := f.Last()
	f.same("last", last, entries[good-1].Sequence)
	for i, entry := range entries {
		if i > 0 && entry.Sequence <= entries[i-1].Sequence {
			f.Fatalf("entry %d has sequence %d after %d", i, entry.Sequence, entries[i-1].Sequence)
		}
		rec := f.row(store.Key{URN: entry.URN, Aspect: entry.Aspect}, 0)
		if rec == nil || rec.Sequence != entry.Sequence {
			f.Fatalf("entry %d and row disagree: %v", entry.Sequence, rec)
		}
	}
}

func (f *fixture) writeRound(tx store.Tx, w, r int, bad bool) error {
	rec := inRun(dataset(w), fmt.Sprintf("round%d", r), "parallel", 1)
	sequence, err := tx.Append(f.Context(), written(rec.URN, rec.Aspect))
	if err != nil {
		return err
	}
	rec.Sequence = sequence
	if err := tx.Put(f.Context(), rec); err != nil {
		return err
	}
	if bad {
		return errOnPurpose
	}
	return nil
}

// readUntil reads through all methods of the store until stop is closed.
func (f *fixture) readUntil(stop <-chan struct{}) {
	for {
		last, next := f.Last()
		for _, entry := range f.entries(0, 50) {
			rec := f.row(store.Key{URN: entry.URN, Aspect: entry.Aspect}, 0)
			if rec == nil || rec.Sequence != entry.Sequence {
				f.Errorf("entry %d is there without its row: %v", entry.Sequence, rec)
			}
		}
		if count, listed := f.count("dataset"), len(f.scan(store.Scan{})); count > listed {
			f.Errorf("%d entities counted, later %d listed", count, listed)
		}
		f.runKeys("parallel", store.Key{}, 0)
		if again, _ := f.Last(); again < last {
			f.Errorf("the end of the log went back from %d to %d", last, again)
		}
		select {
		case <-stop:
			return
		case <-next:
		}
	}
}

func readsFromOneSnapshot(f *fixture) {
	const keys, rounds = 8, 60
	write := func(round int) {
		f.update(func(tx store.Tx) {
			for i := range keys {
				f.putIn(tx, record(dataset(i), "status", fmt.Sprint(round)))
			}
		})
	}
	write(0)
	var asked []store.Key
	var urns []urn.URN
	for i := range keys {
		asked, urns = append(asked, store.Key{URN: dataset(i), Aspect: "status"}), append(urns, dataset(i))
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				f.checkSnapshot(asked, urns)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for round := range rounds {
		write(round + 1)
	}
	close(done)
	readers.Wait()
}

func (f *fixture) checkSnapshot(keys []store.Key, urns []urn.URN) {
	records, err := f.Get(f.Context(), keys...)
	if err != nil {
		f.Error(err)
		return
	}
	for _, rec := range records {
		if string(rec.Value) != string(records[0].Value) {
			f.Errorf("get mixes %s and %s", records[0].Value, rec.Value)
		}
	}
	lists, err := f.Aspects(f.Context(), urns)
	if err != nil {
		f.Error(err)
		return
	}
	for _, list := range lists {
		if len(list) != 1 || string(list[0].Value) != string(lists[0][0].Value) {
			f.Errorf("aspects mixes %s and %v", lists[0][0].Value, list)
		}
	}
}

func closeWaits(f *fixture) {
	inside, release := make(chan struct{}), make(chan struct{})
	updated, closed := make(chan error), make(chan error)
	go func() {
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			close(inside)
			<-release
			return tx.Put(f.Context(), model.Record{URN: dataset(1), Aspect: "status", Value: []byte(`{}`)})
		})
		updated <- err
	}()
	<-inside
	go func() { closed <- f.Close() }()
	close(release)
	f.same("update", <-updated, nil)
	f.same("close", <-closed, nil)
}

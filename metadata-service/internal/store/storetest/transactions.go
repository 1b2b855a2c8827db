package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var transactionCases = []testCase{
	{"a transaction reads its own writes and deletes", readsOwnWrites},
	{"listings in a transaction merge its writes with what is stored", listingsMerge},
	{"a failing function leaves nothing behind", failureLeavesNothing},
	{"a panic is the error of its caller alone", panicIsError},
	{"a function that ends its goroutine does not end the store", goexitSurvived},
	{"members of a group see the successful ones before them only", groupMembers},
	{"names first met by a failing member are not kept", failedNames},
	{"a transaction is of no use after its function", transactionOver},
	{"many keys are read at once, in the order asked", readsManyKeys},
	{"the error of the function is returned unchanged", errorUnchanged},
	{"readers do not wait for a writer and see committed data only", readersDoNotWait},
	{"an update that writes nothing succeeds", emptyUpdate},
}

var errOnPurpose = errors.New("on purpose")

func readsOwnWrites(f *fixture) {
	kept, gone, late := record(dataset(1), "status", `1`), record(dataset(1), "gone", `2`), record(dataset(2), "status", `3`)
	f.put(kept, gone, historic(gone, 1), historic(gone, 2))
	f.update(func(tx store.Tx) {
		f.putIn(tx, late, historic(late, 5))
		if err := errors.Join(tx.Remove(f.Context(), gone.Key(), 0), tx.Remove(f.Context(), gone.Key(), 2)); err != nil {
			f.Error(err)
		}
		f.putIn(tx, historic(gone, 9))
		got, err := store.Latest(f.Context(), tx, late.Key())
		f.same("own write", []any{got, err}, []any{&late, nil})
		got, err = store.Latest(f.Context(), tx, gone.Key())
		f.same("own delete", []any{got, err}, []any{(*model.Record)(nil), nil})
		rows, err := tx.Rows(f.Context(), gone.Key())
		f.same("history", []any{rows, err}, []any{[]int64{1, 9}, nil})
		aspects, err := store.AspectsOf(f.Context(), tx, dataset(1))
		f.same("aspects", []any{aspects, err}, []any{[]model.Record{kept}, nil})
		aspects, err = store.AspectsOf(f.Context(), tx, dataset(2))
		f.same("aspects of the new entity", []any{aspects, err}, []any{[]model.Record{late}, nil})
	})
}

func readsManyKeys(f *fixture) {
	committed, own := record(dataset(1), "status", `1`), record(dataset(2), "status", `2`)
	f.put(committed)
	f.update(func(tx store.Tx) {
		f.putIn(tx, own)
		absent := store.Key{URN: dataset(3), Aspect: "status"}
		got, err := tx.Get(f.Context(), own.Key(), absent, committed.Key(), own.Key())
		f.same("rows", []any{got, err}, []any{[]*model.Record{&own, nil, &committed, &own}, nil})
		got, err = tx.Get(f.Context())
		f.same("no key", []any{len(got), err}, []any{0, nil})
		lists, err := tx.Aspects(f.Context(), []urn.URN{own.URN, absent.URN, committed.URN}, "none", "status")
		f.same("aspects", []any{lists, err}, []any{[][]model.Record{{own}, nil, {committed}}, nil})
	})
}

func listingsMerge(f *fixture) {
	var want []urn.URN
	for i := range 40 {
		if i%2 == 0 {
			f.put(inRun(dataset(i), "status", "r", 1))
		}
	}
	f.update(func(tx store.Tx) {
		for i := 39; i >= 0; i-- {
			key := store.Key{URN: dataset(i), Aspect: "status"}
			switch i % 4 {
			case 0, 1:
				f.putIn(tx, inRun(dataset(i), "status", "r", 1))
			case 2:
				if err := tx.Remove(f.Context(), key, 0); err != nil {
					f.Error(err)
				}
			}
		}
		for i := range 40 {
			if i%4 < 2 {
				want = append(want, dataset(i))
			}
		}
		for _, after := range []int{-1, 0, 5, 17, 38, 39} {
			rest := want
			q := store.Scan{Type: "dataset", Limit: 7}
			if after >= 0 {
				q.After = dataset(after)
			}
			for len(rest) > 0 && rest[0] <= q.After {
				rest = rest[1:]
			}
			rest = rest[:min(7, len(rest))]
			got, err := tx.Scan(f.Context(), q)
			f.same("error", err, nil)
			f.same(fmt.Sprintf("scan after %d", after), got, rest)
			keys, err := tx.RunKeys(f.Context(), "r", store.Key{URN: q.After, Aspect: "status"}, 7)
			f.same("error", err, nil)
			f.same(fmt.Sprintf("run keys after %d", after), len(keys), len(rest))
		}
	})
	f.same("committed", f.scan(store.Scan{}), want)
}

func failureLeavesNothing(f *fixture) {
	rec := inRun(dataset(1), "status", "kept", 1)
	f.put(rec)
	want := f.dump()
	commit, err := f.Update(f.Context(), func(tx store.Tx) error {
		f.spoil(tx, rec.Key())
		return errOnPurpose
	})
	f.same("error", err, errOnPurpose)
	f.same("commit", commit, store.Commit{})
	f.same("state", f.dump(), want)
}

// spoil makes one write of each kind.
func (f *fixture) spoil(tx store.Tx, existing store.Key) {
	f.putIn(tx, inRun(dataset(7), "newAspect", "failed", 99), historic(inRun(dataset(1), "status", "failed", 99), 3))
	_, err := tx.Append(f.Context(), written(dataset(8), "otherNewAspect"))
	if err := errors.Join(err, tx.Remove(f.Context(), existing, 0)); err != nil {
		f.Error(err)
	}
}

func panicIsError(f *fixture) {
	want := f.dump()
	_, err := f.Update(f.Context(), func(tx store.Tx) error {
		f.spoil(tx, store.Key{URN: dataset(1), Aspect: "status"})
		panic("on purpose")
	})
	if err == nil || fault.KindOf(err) != fault.Internal {
		f.Errorf("got error %v, want an internal one", err)
	}
	f.same("state", f.dump(), want)
	f.put(record(dataset(1), "status", `{}`))
}

func goexitSurvived(f *fixture) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			f.spoil(tx, store.Key{URN: dataset(1), Aspect: "status"})
			runtime.Goexit()
			return nil
		})
		if err == nil {
			f.Error("an update that did not end was acknowledged")
		}
	}()
	<-ended
	f.same("scan", f.scan(store.Scan{}), []urn.URN{})
	f.put(record(dataset(1), "status", `{}`))
}

// groupMembers blocks the writer inside one function until others wait behind it, so that drivers
// with a group commit process them together.
func groupMembers(f *fixture) {
	const members = 30
	inside, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		once := sync.OnceFunc(func() { close(inside); <-release })
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			once()
			_, err := tx.Append(f.Context(), written(dataset(0), "status"))
			return errors.Join(err, tx.Put(f.Context(), counter(0)))
		})
		f.same("first", err, nil)
	})
	<-inside
	commits := make([]store.Commit, members)
	for i := range members {
		all.Go(func() {
			var err error
			commits[i], err = f.Update(f.Context(), func(tx store.Tx) error { return f.increment(tx, i) })
			if i%3 == 0 {
				f.same("error of a failing member", err, errOnPurpose)
				return
			}
			f.same("error", err, nil)
		})
	}
	close(release)
	all.Wait()

	want := counter(members - members/3)
	f.same("counter", f.row(want.Key(), 0), &want)
	f.same("entries", len(f.entries(0, 1000)), 1+2*(members-members/3))
	f.checkCommits(commits)
}

func counter(n int) model.Record { return record(dataset(0), "counter", fmt.Sprint(n)) }

// increment adds one to a counter and two entries to the log. Every third member fails after that.
func (f *fixture) increment(tx store.Tx, member int) error {
	key := store.Key{URN: dataset(0), Aspect: "counter"}
	rec, err := store.Latest(f.Context(), tx, key)
	if err != nil || rec == nil {
		return fmt.Errorf("counter %v: %w", rec, err)
	}
	var n int
	if _, err := fmt.Sscan(string(rec.Value), &n); err != nil {
		return err
	}
	before, err := tx.LastSequence(f.Context())
	if err != nil {
		return err
	}
	f.putIn(tx, counter(n+1))
	for range 2 {
		sequence, err := tx.Append(f.Context(), written(dataset(member), fmt.Sprintf("aspect%d", member)))
		last, lastErr := tx.LastSequence(f.Context())
		f.same("append", []any{err, last, lastErr}, []any{nil, sequence, nil})
		if sequence <= before {
			f.Errorf("sequence %d after %d", sequence, before)
		}
		before = sequence
	}
	if member%3 == 0 {
		return errOnPurpose
	}
	return nil
}

// checkCommits checks each member's two entries at the sequences of its commit.
func (f *fixture) checkCommits(commits []store.Commit) {
	for i, commit := range commits {
		if i%3 == 0 {
			f.same("commit of a failing member", commit, store.Commit{})
			continue
		}
		entries := f.entries(commit.First-1, 2)
		f.same("entries of a member", []uint64{entries[0].Sequence, entries[1].Sequence}, []uint64{commit.First, commit.Last})
		for _, entry := range entries {
			f.same("urn", entry.URN, dataset(i))
			f.same("aspect", entry.Aspect, fmt.Sprintf("aspect%d", i))
		}
	}
}

func failedNames(f *fixture) {
	for round := range 3 {
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			for i := range 5 {
				rec := inRun(dataset(100+i), fmt.Sprintf("failed%d%d", round, i), fmt.Sprintf("failed-run-%d-%d", round, i), 1)
				rec.CreatedBy = urn.Make("corpuser", fmt.Sprintf("failed%d%d", round, i))
				f.putIn(tx, rec)
				got, err := store.Latest(f.Context(), tx, rec.Key())
				f.same("own write", []any{got, err}, []any{&rec, nil})
			}
			return errOnPurpose
		})
		f.same("error", err, errOnPurpose)
		rec := inRun(dataset(round), fmt.Sprintf("aspect%d", round), fmt.Sprintf("run-%d", round), int64(round)+1)
		f.put(rec)
		f.same("row", f.row(rec.Key(), 0), &rec)
		f.same("run keys", f.runKeys(rec.System.RunID, store.Key{}, 0), []store.Key{rec.Key()})
	}
	f.same("count", f.count(""), 3)
	f.same("runs", f.runs(), []store.Run{{ID: "run-2", Time: 3, Rows: 1}, {ID: "run-1", Time: 2, Rows: 1}, {ID: "run-0", Time: 1, Rows: 1}})
}

func transactionOver(f *fixture) {
	var kept store.Tx
	f.update(func(tx store.Tx) { kept = tx })
	if _, err := store.Latest(f.Context(), kept, store.Key{URN: dataset(1), Aspect: "status"}); err == nil {
		f.Error("a transaction that is over was read")
	}
	if err := kept.Put(f.Context(), record(dataset(1), "status", `{}`)); err == nil {
		f.Error("a transaction that is over was written")
	}
}

func errorUnchanged(f *fixture) {
	_, err := f.Update(f.Context(), func(store.Tx) error { return errOnPurpose })
	if err != errOnPurpose { //nolint:errorlint // identity is what is promised
		f.Errorf("got %v, want the very error of the function", err)
	}
	_, err = f.Update(f.Context(), func(store.Tx) error { return context.Canceled })
	f.same("an error that looks like the context's", err, context.Canceled)
}

func readersDoNotWait(f *fixture) {
	before := record(dataset(1), "status", `1`)
	f.put(before)
	f.update(func(tx store.Tx) {
		after := record(dataset(1), "status", `2`)
		f.putIn(tx, after, record(dataset(2), "status", `3`))
		if _, err := tx.Append(f.Context(), written(dataset(2), "status")); err != nil {
			f.Error(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.same("row", f.row(before.Key(), 0), &before)
			f.same("scan", f.scan(store.Scan{}), []urn.URN{dataset(1)})
			f.same("count", f.count(""), 1)
			f.same("entries", f.entries(0, 10), []store.Entry{})
			last, _ := f.Last()
			f.same("last", last, uint64(0))
		}()
		<-done
	})
}

func emptyUpdate(f *fixture) {
	commit := f.update(func(store.Tx) {})
	f.same("commit", commit, store.Commit{})
	f.put(record(dataset(1), "status", `1`))
	commit = f.update(func(tx store.Tx) { f.putIn(tx, record(dataset(1), "status", `2`)) })
	f.same("commit without log entries", commit, store.Commit{})
}

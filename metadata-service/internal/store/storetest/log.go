package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var logCases = []testCase{
	{"entries come back as they were appended", entriesComeBack},
	{"entries carry the origin of the context", entriesCarryOrigin},
	{"entries carry the caller of the context", entriesCarryCaller},
	{"a caller may be forgotten with the entries before", callersAreTrimmed},
	{"sequences increase, also after failures", sequencesIncrease},
	{"entries are paged by sequence", entriesPaged},
	{"trimming forgets the oldest and reuses no sequence", trimForgets},
	{"a long log is trimmed", trimLong},
	{"positions of followers are kept apart", positionsKept},
	{"the channel of Last closes with the next entry", lastChannel},
}

func entriesComeBack(f *fixture) {
	entries := []store.Entry{
		{Kind: store.Written, URN: dataset(1), Aspect: "status", OldVersion: 1, NewVersion: 2, Actor: "urn:li:corpuser:a", Time: 1700000000000, RunID: "r", TraceID: strings.Repeat("0f", 16)},
		{Kind: store.Touched, URN: dataset(1), Aspect: "status", OldVersion: 2, NewVersion: 2, TraceID: "another form"},
		{Kind: store.Deleted, URN: dataset(1), Aspect: "status", OldVersion: math.MaxInt64, NewVersion: -1, Time: -5},
		{Kind: store.EntityDeleted, URN: dataset(1), Aspect: "datasetKey"},
		{Kind: store.EntityDeleted, URN: dataset(1), Aspect: "datasetKey", Value: json.RawMessage(`[{"name":"upstreamLineage","value":{}}]`)},
		{Kind: store.Written, URN: dataset(1), Aspect: "status", OldVersion: 2, NewVersion: 1, Value: json.RawMessage(`{"removed":true}`)},
		{Kind: store.Document, URN: dataset(2), Aspect: "datasetProfile", Value: json.RawMessage(`{"rowCount":5}`)},
		{Kind: store.DocumentsErased, Value: json.RawMessage(`{}`), RunID: strings.Repeat("r", store.MaxRunBytes)},
		{Kind: store.Message, Aspect: "topic", Value: json.RawMessage(`{"text":"hello"}`)},
		{Kind: store.Restated, URN: urn.URN(strings.Repeat("u", store.MaxURNBytes)), Actor: urn.URN(strings.Repeat("a", 4000))},
	}
	commit := f.update(func(tx store.Tx) {
		for i, entry := range entries {
			entry.Sequence = 1000 // must be ignored
			sequence, err := tx.Append(f.Context(), entry)
			f.ok(err)
			if i > 0 && sequence <= entries[i-1].Sequence {
				f.Errorf("sequence %d after %d", sequence, entries[i-1].Sequence)
			}
			entries[i].Sequence = sequence
		}
	})
	f.same("commit", commit, store.Commit{First: entries[0].Sequence, Last: entries[len(entries)-1].Sequence})
	f.same("entries", f.entries(0, 100), entries)
	f.same("an entry makes no entity", f.scan(store.Scan{}), []urn.URN{})
}

func entriesCarryOrigin(f *fixture) {
	f.fill(1)
	ctx := store.WithOrigin(f.Context(), "metadata-tests")
	_, err := f.Update(ctx, func(tx store.Tx) error {
		if _, err := tx.Append(f.Context(), written(dataset(1), "status")); err != nil {
			return err
		}
		named := written(dataset(1), "status")
		named.Origin = "outlet"
		_, err := tx.Append(f.Context(), named)
		return err
	})
	f.ok(err)
	f.fill(1)
	var origins []string
	for _, e := range f.entries(0, 10) {
		origins = append(origins, e.Origin)
	}
	f.same("origins", origins, []string{"", "metadata-tests", "outlet", ""})
	last, _ := f.Last()
	_, err = f.Update(store.WithOrigin(f.Context(), strings.Repeat("o", store.MaxOriginBytes+1)), func(tx store.Tx) error {
		_, err := tx.Append(f.Context(), written(dataset(1), "status"))
		return err
	})
	if !errors.Is(err, fault.TooLarge) {
		f.Errorf("an origin that is too long gives %v", err)
	}
	after, _ := f.Last()
	f.same("entries of a refused update", after, last)
}

func entriesCarryCaller(f *fixture) {
	caller := store.Caller{Request: "r1", Address: "192.0.2.7", Agent: "tests", Door: "OPENAPI", Token: "t+/="}
	other := store.Caller{Request: strings.Repeat("r", store.MaxCallerBytes+1)}
	f.fill(1)
	ctx := store.WithCaller(f.Context(), caller)
	_, err := f.Update(ctx, func(tx store.Tx) error {
		for i := range 3 {
			entry := written(dataset(i), "status")
			if i == 1 {
				entry.Caller = &store.Caller{Door: "own"}
			}
			if _, err := tx.Append(f.Context(), entry); err != nil {
				return err
			}
		}
		return nil
	})
	f.ok(err)
	_, err = f.Update(store.WithCaller(f.Context(), other), func(tx store.Tx) error {
		_, err := tx.Append(f.Context(), written(dataset(1), "status"))
		return err
	})
	f.ok(err)
	want := []*store.Caller{nil, &caller, {Door: "own"}, &caller, {Request: other.Request[:store.MaxCallerBytes]}}
	callers := func(entries []store.Entry) (got []*store.Caller) {
		for _, e := range entries {
			got = append(got, e.Caller)
		}
		return got
	}
	f.same("callers", callers(f.entries(0, 10)), want)
	for i, e := range f.entries(0, 10) {
		f.same("caller of an entry alone", callers(f.entries(e.Sequence-1, 1)), want[i:i+1])
	}
}

func callersAreTrimmed(f *fixture) {
	ctx := store.WithCaller(f.Context(), store.Caller{Request: "r1"})
	commit, err := f.Update(ctx, func(tx store.Tx) error {
		for i := range 3 {
			if _, err := tx.Append(f.Context(), written(dataset(i), "status")); err != nil {
				return err
			}
		}
		return nil
	})
	f.ok(err)
	f.ok(f.Trim(f.Context(), commit.First))
	left := f.entries(0, 10)
	f.same("entries left", len(left), 2)
	for _, e := range left {
		if e.Caller != nil && e.Caller.Request != "r1" {
			f.Errorf("entry %d has the caller %+v", e.Sequence, e.Caller)
		}
	}
}

// fill appends one entry in each of n updates.
func (f *fixture) fill(n int) {
	f.Helper()
	for i := range n {
		f.update(func(tx store.Tx) {
			if _, err := tx.Append(f.Context(), written(dataset(i), "status")); err != nil {
				f.Error(err)
			}
		})
	}
}

func (f *fixture) sequences(after uint64, limit int) []uint64 {
	f.Helper()
	var sequences []uint64
	for _, entry := range f.entries(after, limit) {
		sequences = append(sequences, entry.Sequence)
	}
	return sequences
}

func sequencesIncrease(f *fixture) {
	var want []uint64
	end := uint64(0)
	for range 4 {
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			for range 3 {
				if _, err := tx.Append(f.Context(), written(dataset(1), "failed")); err != nil {
					return err
				}
			}
			return errOnPurpose
		})
		f.same("error", err, errOnPurpose)
		commit := f.update(func(tx store.Tx) {
			last, err := tx.LastSequence(f.Context())
			f.same("last before", []any{last, err}, []any{end, nil})
			for range 2 {
				sequence, err := tx.Append(f.Context(), written(dataset(1), "status"))
				f.ok(err)
				if sequence <= end {
					f.Errorf("sequence %d after %d", sequence, end)
				}
				end, want = sequence, append(want, sequence)
			}
		})
		f.same("commit", commit, store.Commit{First: want[len(want)-2], Last: end})
	}
	f.same("sequences", f.sequences(0, 100), want)
}

func entriesPaged(f *fixture) {
	f.fill(7)
	all := f.sequences(0, 100)
	f.same("entries", len(all), 7)
	f.same("first page", f.sequences(0, 3), all[:3])
	f.same("next page", f.sequences(all[2], 3), all[3:6])
	f.same("behind a sequence that may be no entry's", f.sequences(all[3]-1, 3), all[3:6])
	f.same("last page", f.sequences(all[5], 3), all[6:])
	f.same("behind the end", f.sequences(all[6], 3), []uint64(nil))
	f.same("far behind the end", f.sequences(math.MaxUint64, 3), []uint64(nil))
	f.same("no limit", len(f.sequences(0, 0)), 7)
}

func (f *fixture) trimmed() uint64 {
	f.Helper()
	sequence, err := f.Trimmed(f.Context())
	f.ok(err)
	return sequence
}

func (f *fixture) ends() [2]uint64 {
	f.Helper()
	first, err := f.First(f.Context())
	f.ok(err)
	last, _ := f.Last()
	return [2]uint64{first, last}
}

func trimForgets(f *fixture) {
	f.same("empty", f.ends(), [2]uint64{0, 0})
	f.ok(f.Trim(f.Context(), 10))
	f.same("trimmed of an empty log", f.trimmed(), uint64(0))
	f.fill(6)
	all := f.sequences(0, 10)
	f.same("full", f.ends(), [2]uint64{all[0], all[5]})
	f.ok(f.Trim(f.Context(), 0))
	f.same("nothing trimmed", f.ends(), [2]uint64{all[0], all[5]})
	f.ok(f.Trim(f.Context(), all[3]))
	f.ok(f.Trim(f.Context(), all[1]))
	f.same("trimmed", f.ends(), [2]uint64{all[4], all[5]})
	f.same("greatest sequence trimmed", f.trimmed(), all[3])
	f.same("entries", f.sequences(0, 10), all[4:])
	f.ok(f.Trim(f.Context(), all[5]+100))
	f.same("all trimmed", f.ends(), [2]uint64{0, all[5]})
	f.same("greatest sequence of all trimmed", f.trimmed(), all[5])
	f.fill(1)
	next := f.sequences(0, 10)
	f.same("numbering goes on", f.ends(), [2]uint64{next[0], next[0]})
	if next[0] <= all[5] {
		f.Errorf("sequence %d is given again: the log had come to %d", next[0], all[5])
	}
}

func trimLong(f *fixture) {
	const many = 9000
	f.update(func(tx store.Tx) {
		for range many {
			if _, err := tx.Append(f.Context(), written(dataset(1), "status")); err != nil {
				f.Error(err)
			}
		}
	})
	last, _ := f.Last()
	f.ok(f.Trim(f.Context(), last-1))
	f.same("trimmed", f.ends(), [2]uint64{last, last})
	f.same("entries", f.sequences(0, 10), []uint64{last})
}

func positionsKept(f *fixture) {
	position := func(follower string) uint64 {
		p, err := f.Position(f.Context(), follower)
		f.ok(err)
		return p
	}
	f.same("absent", position("search"), uint64(0))
	f.ok(f.SetPosition(f.Context(), "search", 5))
	f.ok(f.SetPosition(f.Context(), "searching", math.MaxUint64))
	f.same("search", position("search"), uint64(5))
	f.same("searching", position("searching"), uint64(math.MaxUint64))
	f.ok(f.SetPosition(f.Context(), "search", 2))
	f.same("set back", position("search"), uint64(2))
	for _, name := range []string{"", strings.Repeat("f", 10000)} {
		if err := f.SetPosition(f.Context(), name, 1); err == nil {
			f.Errorf("a follower's name of %d bytes was accepted", len(name))
		}
		f.same("position of a bad name", position(name), uint64(0))
	}
}

func lastChannel(f *fixture) {
	last, next := f.Last()
	f.same("last", last, uint64(0))
	f.put(record(dataset(1), "status", `{}`))
	_, err := f.Update(f.Context(), func(tx store.Tx) error {
		_, err := tx.Append(f.Context(), written(dataset(1), "status"))
		return fmt.Errorf("%w: %v", errOnPurpose, err)
	})
	if err == nil {
		f.Fatal("the failing update succeeded")
	}
	select {
	case <-next:
		f.Fatal("the channel closed without an entry")
	default:
	}
	f.fill(1)
	<-next
	last, again := f.Last()
	f.same("last", []uint64{last}, f.sequences(0, 10))
	select {
	case <-again:
		f.Error("the new channel is closed already")
	default:
	}
}

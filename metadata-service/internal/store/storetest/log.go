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
	{"sequences have no gaps, also after failures", sequencesWithoutGaps},
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
		{Kind: store.Document, URN: dataset(2), Aspect: "datasetProfile", Value: json.RawMessage(`{"rowCount":5}`)},
		{Kind: store.DocumentsErased, Value: json.RawMessage(`{}`), RunID: strings.Repeat("r", store.MaxRunBytes)},
		{Kind: store.Restated, URN: urn.URN(strings.Repeat("u", store.MaxURNBytes)), Actor: urn.URN(strings.Repeat("a", 4000))},
	}
	commit := f.update(func(tx store.Tx) {
		for i, entry := range entries {
			entry.Sequence = 1000 // is ignored
			sequence, err := tx.Append(f.Context(), entry)
			f.same("append", []any{sequence, err}, []any{uint64(i + 1), nil})
			entries[i].Sequence = uint64(i + 1)
		}
	})
	f.same("commit", commit, store.Commit{First: 1, Last: uint64(len(entries))})
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

func sequencesWithoutGaps(f *fixture) {
	for round := range uint64(4) {
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
			f.same("last before", []any{last, err}, []any{2 * round, nil})
			for i := range uint64(2) {
				sequence, err := tx.Append(f.Context(), written(dataset(1), "status"))
				f.same("append", []any{sequence, err}, []any{2*round + i + 1, nil})
			}
		})
		f.same("commit", commit, store.Commit{First: 2*round + 1, Last: 2*round + 2})
	}
	f.same("sequences", f.sequences(0, 100), []uint64{1, 2, 3, 4, 5, 6, 7, 8})
}

func entriesPaged(f *fixture) {
	f.fill(7)
	f.same("first page", f.sequences(0, 3), []uint64{1, 2, 3})
	f.same("next page", f.sequences(3, 3), []uint64{4, 5, 6})
	f.same("last page", f.sequences(6, 3), []uint64{7})
	f.same("behind the end", f.sequences(7, 3), []uint64(nil))
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
	f.same("full", f.ends(), [2]uint64{1, 6})
	f.ok(f.Trim(f.Context(), 0))
	f.same("nothing trimmed", f.ends(), [2]uint64{1, 6})
	f.ok(f.Trim(f.Context(), 4))
	f.ok(f.Trim(f.Context(), 2))
	f.same("trimmed", f.ends(), [2]uint64{5, 6})
	f.same("greatest sequence trimmed", f.trimmed(), uint64(4))
	f.same("entries", f.sequences(0, 10), []uint64{5, 6})
	f.ok(f.Trim(f.Context(), 100))
	f.same("all trimmed", f.ends(), [2]uint64{0, 6})
	f.same("greatest sequence of all trimmed", f.trimmed(), uint64(6))
	f.fill(1)
	f.same("numbering goes on", f.ends(), [2]uint64{7, 7})
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
	f.ok(f.Trim(f.Context(), many-1))
	f.same("trimmed", f.ends(), [2]uint64{many, many})
	f.same("entries", f.sequences(0, 10), []uint64{many})
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
	f.same("last", last, uint64(1))
	select {
	case <-again:
		f.Error("the new channel is closed already")
	default:
	}
}

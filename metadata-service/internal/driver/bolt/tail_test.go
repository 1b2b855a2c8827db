package bolt_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// appendEntries adds entries of all kinds; one in three carries a value.
func appendEntries(tb testing.TB, s *bolt.Store, n int, value []byte) {
	tb.Helper()
	kinds := []store.EntryKind{store.Written, store.Touched, store.Document, store.Deleted, store.EntityDeleted}
	_, err := s.Update(tb.Context(), func(tx store.Tx) error {
		for i := range n {
			entry := store.Entry{
				Kind: kinds[i%len(kinds)], URN: urn.Make("tag", fmt.Sprint(i/3)), Aspect: "tagProperties", OldVersion: int64(i), NewVersion: int64(i + 1),
				Actor: "urn:li:corpuser:a", Time: int64(i), RunID: "run", Origin: "tests", TraceID: fmt.Sprintf("%032x", i),
			}
			if entry.Kind == store.Document {
				entry.Value = value
			}
			if _, err := tx.Append(context.Background(), entry); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func entriesAfter(t *testing.T, s *bolt.Store, after uint64) []store.Entry {
	t.Helper()
	entries, err := s.Entries(t.Context(), after, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestEntriesFromMemoryAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	value := []byte(`{"a":1}`)
	for range 100 {
		appendEntries(t, s, 50, value) // more than the tail holds
	}
	copy(value, "changed") // the caller may change its slice
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Append(context.Background(), store.Entry{Kind: store.Touched, URN: "urn:li:tag:lost", Aspect: "status"})
		return fmt.Errorf("does not count: %v", err)
	})
	if err == nil {
		t.Fatal("the failing update went well")
	}
	after := []uint64{0, 2999, 3000, 4900, 4998, 4999, 5000}
	got := map[uint64][]store.Entry{}
	for _, sequence := range after {
		got[sequence] = entriesAfter(t, s, sequence)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	for _, sequence := range after {
		want := entriesAfter(t, s, sequence)
		if len(want) != int(5000-sequence) {
			t.Fatalf("after %d the file has %d entries", sequence, len(want))
		}
		if len(want) > 0 && !reflect.DeepEqual(got[sequence], want) {
			t.Errorf("after %d: from memory %d entries to %+v, from the file %d to %+v", sequence,
				len(got[sequence]), got[sequence][len(got[sequence])-1], len(want), want[len(want)-1])
		}
	}
}

func TestTrimmedEntriesLeaveMemory(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	appendEntries(t, s, 100, []byte(`{}`))
	if err := s.Trim(t.Context(), 60); err != nil {
		t.Fatal(err)
	}
	if got := entriesAfter(t, s, 0); len(got) != 40 || got[0].Sequence != 61 {
		t.Errorf("got %d entries from %d", len(got), got[0].Sequence)
	}
	if err := s.Trim(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	appendEntries(t, s, 1, nil)
	if got := entriesAfter(t, s, 0); len(got) != 1 || got[0].Sequence != 101 {
		t.Errorf("after trimming all: got %+v", got)
	}
}

func TestLargeDocumentsAreNotKeptInMemory(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	large := bytes.Repeat([]byte("x"), 3<<20)
	appendEntries(t, s, 4, large)
	if got := entriesAfter(t, s, 0); len(got) != 4 || len(got[2].Value) != len(large) {
		t.Errorf("got %d entries", len(got))
	}
	if n := s.TailBytes(); n > 1<<20 {
		t.Errorf("%d bytes stay in memory", n)
	}
}

// BenchmarkEntriesOfAGroup reads the entries that a group of eight single writes appended, as each
// follower does.
func BenchmarkEntriesOfAGroup(b *testing.B) {
	s := openStore(b, filepath.Join(b.TempDir(), "store.db"))
	appendEntries(b, s, 1000, nil)
	b.ReportAllocs()
	for b.Loop() {
		if entries, err := s.Entries(b.Context(), 992, 1000); err != nil || len(entries) != 8 {
			b.Fatal(len(entries), err)
		}
	}
}

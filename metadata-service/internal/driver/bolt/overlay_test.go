package bolt_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// A batch that writes an aspect thousands of times creates versions and removes them. A version
// created and removed in one transaction must leave no deletion in the overlay; otherwise each
// removal would skip all earlier ones.
func TestVersionsThatATransactionRemovesLeaveNothing(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "catalog.db"))
	ctx := context.Background()
	key := store.Key{URN: "urn:li:tag:a", Aspect: "tagProperties"}
	put := func(tx store.Tx, row int64) {
		if err := tx.Put(ctx, model.Record{URN: key.URN, Aspect: key.Aspect, Row: row, Value: []byte(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(tx store.Tx, upTo int64, want int) {
		if n, err := tx.RemoveHistory(ctx, key, upTo); err != nil || n != want {
			t.Fatalf("%d rows went, want %d (%v)", n, want, err)
		}
	}
	const kept = 5
	for round := range 2 { // the second round also removes stored rows
		_, err := s.Update(ctx, func(tx store.Tx) error {
			before := int64(round * 1000)
			put(tx, 0)
			for row := before + 1; row <= before+1000; row++ {
				put(tx, row)
				if row > kept {
					remove(tx, row-kept, 1)
				}
			}
			if n := bolt.PendingHistory(tx); n > 2*kept {
				t.Errorf("round %d: %d writes of versions are pending, %d versions stay", round, n, kept)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []int64{}
		for i := range int64(kept) {
			want = append(want, int64(round+1)*1000-kept+1+i)
		}
		if rows, err := s.Rows(ctx, key); err != nil || !slices.Equal(rows, want) {
			t.Errorf("round %d: rows %v (%v), want %v", round, rows, err, want)
		}
	}
}

// A transaction must see its own writes; a plain map is the reference.
func TestATransactionReadsWhatItWroteAndRemoved(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "catalog.db"))
	ctx := context.Background()
	key := store.Key{URN: "urn:li:tag:a", Aspect: "tagProperties"}
	r := rand.New(rand.NewPCG(1, 2))
	there := map[int64]bool{}
	for range 20 {
		_, err := s.Update(ctx, func(tx store.Tx) error {
			for range 100 {
				row := 1 + r.Int64N(600)
				var err error
				if r.IntN(3) > 0 {
					err, there[row] = tx.Put(ctx, model.Record{URN: key.URN, Aspect: key.Aspect, Row: row, Value: []byte(`{}`)}), true
				} else {
					delete(there, row)
					err = tx.Remove(ctx, key, row)
				}
				if err != nil {
					return err
				}
			}
			rows, err := tx.Rows(ctx, key)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if !there[row] {
					t.Errorf("row %d is there", row)
				}
			}
			if len(rows) != len(there) {
				t.Errorf("%d rows, want %d", len(rows), len(there))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

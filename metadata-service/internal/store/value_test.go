package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// wantValueAt compares the value of an entry, counted from 1; "gone" means ErrGone, "" none.
func (f *fixture) wantValueAt(sequence uint64, want string) {
	f.Helper()
	f.wantNamed("after", store.ValueAt, sequence, want)
}

func (f *fixture) wantValueBefore(sequence uint64, want string) {
	f.Helper()
	f.wantNamed("before", store.ValueBefore, sequence, want)
}

func (f *fixture) wantNamed(when string, ask func(context.Context, store.Reader, store.Entry) (*model.Record, error), sequence uint64, want string) {
	f.Helper()
	entries, err := f.Entries(f.Context(), sequence-1, 1)
	if err != nil || len(entries) != 1 {
		f.Fatalf("entry %d: %v", sequence, err)
	}
	rec, err := ask(f.Context(), f.Store, entries[0])
	if got := named(rec, err); got != want {
		f.Errorf("the value %s entry %d (%s %d to %d) is %s, want %s", when, sequence, entries[0].Kind, entries[0].OldVersion, entries[0].NewVersion, got, want)
	}
}

func named(rec *model.Record, err error) string {
	switch {
	case errors.Is(err, store.ErrGone) && fault.KindOf(err) == fault.NotFound:
		return "gone"
	case err != nil:
		return err.Error()
	case rec == nil:
		return ""
	}
	return string(rec.Value)
}

func TestTheValueAnEntryNamesIsFoundInItsVersion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(write(1))
	f.put(write(2))
	f.put(write(2)) // writes the same value again
	f.put(write(3))
	f.wantValueAt(1, `{"n":1}`)
	f.wantValueAt(2, `{"n":2}`)
	f.wantValueAt(3, `{"n":2}`)
	f.wantValueAt(4, `{"n":3}`)
	f.wantValueBefore(1, "")
	f.wantValueBefore(2, `{"n":1}`)
	f.wantValueBefore(3, `{"n":2}`)
	f.wantValueBefore(4, `{"n":2}`)
}

func TestAValueBeyondRetentionIsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 4; n++ {
		w := write(n)
		w.Retention = store.Retention{MaxVersions: 2}
		f.put(w)
	}
	f.wantValueAt(1, "gone")
	f.wantValueAt(2, "gone")
	f.wantValueAt(3, `{"n":3}`)
	f.wantValueAt(4, `{"n":4}`)
	f.wantValueBefore(3, "gone")
	f.wantValueBefore(4, `{"n":3}`)
}

func TestAValueThatWasDeletedIsGoneThoughItsVersionIsWrittenAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(write(1))
	f.delete(nil)
	f.wantValueAt(1, "gone")
	f.wantValueAt(2, "")
	f.wantValueBefore(2, "gone")
	f.put(write(9)) // is version 1 as well
	f.wantValueAt(1, "gone")
	f.wantValueAt(3, `{"n":9}`)
	f.wantValueBefore(3, "")
	f.update(func(tx store.Tx) error {
		_, err := store.DeleteEntity(t.Context(), tx, table, "datasetKey", store.Removal{Actor: bob, Now: 100})
		return err
	})
	f.put(write(10))
	f.wantValueAt(3, "gone")
	f.wantValueAt(4, "")
	f.wantValueAt(5, `{"n":10}`)
}

func TestAValueThatWasRolledBackIsGoneAndTheRestoredOneIsTheRollbacks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 3; n++ {
		f.put(write(n))
	}
	f.delete(ofRun("r3"))
	f.wantValueAt(3, "gone")
	f.wantValueAt(4, `{"n":2}`)
	f.wantValueAt(2, "gone") // version 2 now belongs to the entry of the rollback
	f.wantValueBefore(4, "gone")
	f.put(write(7)) // is version 3 as well
	f.wantValueAt(3, "gone")
	f.wantValueAt(4, `{"n":2}`)
	f.wantValueAt(5, `{"n":7}`)
	f.wantValueBefore(5, `{"n":2}`)
}

func TestEntriesThatLeaveNoRowNameNoValue(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.update(func(tx store.Tx) error {
		_, err := tx.Append(t.Context(), store.Entry{Kind: store.Document, URN: table, Aspect: "datasetProfile", Value: []byte(`{}`)})
		return err
	})
	f.wantValueAt(1, "")
	f.wantValueBefore(1, "")
}

// After any change of an aspect an entry returns the value that it wrote, or ErrGone.
func TestAnEntryNeverGivesTheValueOfAnotherWrite(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		f := newFixture(t)
		after := map[uint64]string{0: ""} // latest value by sequence
		for step := range 40 {
			f.change(random, step)
			last, _ := f.Last()
			if _, told := after[last]; !told {
				after[last] = f.latestValue()
			}
		}
		entries, err := f.Entries(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if got := named(store.ValueAt(t.Context(), f.Store, e)); got != "gone" && got != after[e.Sequence] {
				t.Errorf("the value at entry %d is %q, want %q", e.Sequence, got, after[e.Sequence])
			}
			if got := named(store.ValueBefore(t.Context(), f.Store, e)); got != "gone" && got != after[e.Sequence-1] {
				t.Errorf("the value before entry %d is %q, want %q", e.Sequence, got, after[e.Sequence-1])
			}
		}
		if rec, err := store.ValueAt(t.Context(), f.Store, entries[len(entries)-1]); err != nil || named(rec, nil) != f.latestValue() {
			t.Errorf("the last entry gives %v, %v, want the latest value", rec, err)
		}
	}
}

func (f *fixture) latestValue() string {
	f.Helper()
	rec, err := f.Row(f.Context(), statusKey, 0)
	if err != nil {
		f.Fatal(err)
	}
	return named(rec, nil)
}

// change writes, writes again, rolls back, deletes, or trims.
func (f *fixture) change(random *rand.Rand, step int) {
	f.Helper()
	switch random.IntN(8) {
	case 0:
		f.delete(ofRun(fmt.Sprint("r", step-1), fmt.Sprint("r", step-2)))
	case 1:
		f.delete(func(*model.Record) bool { return random.IntN(2) == 0 })
	case 2:
		if random.IntN(3) == 0 {
			f.delete(nil)
		}
	case 3:
		f.update(func(tx store.Tx) error {
			_, err := store.Retain(f.Context(), tx, statusKey, store.Retention{MaxVersions: 3}, 0)
			return err
		})
	case 4:
		w := write(step)
		if rec, err := f.Row(f.Context(), statusKey, 0); err == nil && rec != nil {
			w.Value = rec.Value
		}
		f.put(w)
	default:
		f.put(write(step))
	}
}

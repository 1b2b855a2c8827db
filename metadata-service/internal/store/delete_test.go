package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

func ofRun(runs ...string) func(*model.Record) bool {
	return func(rec *model.Record) bool { return slices.Contains(runs, rec.System.RunID) }
}

func TestDeleteOfVersions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		match   func(*model.Record) bool
		rows    map[int64]string
		removed int
		changed bool
	}{
		{"all without a condition", nil, map[int64]string{}, 4, true},
		{"all by condition", ofRun("r1", "r2", "r3", "r4"), map[int64]string{}, 4, true},
		{"the latest goes, the one before takes its place", ofRun("r4"), map[int64]string{0: `{"n":3} v3`, 1: `{"n":1} v1`, 2: `{"n":2} v2`}, 1, true},
		{"the latest and the one before go", ofRun("r3", "r4"), map[int64]string{0: `{"n":2} v2`, 1: `{"n":1} v1`}, 2, true},
		{"only the first stays", ofRun("r2", "r3", "r4"), map[int64]string{0: `{"n":1} v1`}, 3, true},
		{"one in the middle goes", ofRun("r2"), map[int64]string{0: `{"n":4} v4`, 1: `{"n":1} v1`, 3: `{"n":3} v3`}, 1, false},
		{"the history goes", ofRun("r1", "r2", "r3"), map[int64]string{0: `{"n":4} v4`}, 3, false},
		{"nothing matches", ofRun("r9"), map[int64]string{0: `{"n":4} v4`, 1: `{"n":1} v1`, 2: `{"n":2} v2`, 3: `{"n":3} v3`}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			for n := 1; n <= 4; n++ {
				f.put(write(n))
			}
			out := f.delete(tt.match)
			f.wantRows(tt.rows)
			if out.Rows != tt.removed || out.Changed != tt.changed || out.Old == nil || string(out.Old.Value) != string(value(4)) {
				t.Errorf("got %+v", out)
			}
			latest, there := tt.rows[0]
			if there != (out.New != nil) || there && string(out.New.Value)+" v"+out.New.System.Version != latest {
				t.Errorf("New is %+v, want %s", out.New, latest)
			}
			f.checkDeletionLogged(out)
		})
	}
}

// checkDeletionLogged compares the last entry with the result of a deletion.
func (f *fixture) checkDeletionLogged(out store.Stored) {
	f.Helper()
	entry := f.lastEntry()
	switch {
	case !out.Changed:
		if entry.Sequence != 4 {
			f.Errorf("entry %+v for a latest row that stayed", entry)
		}
	case out.New == nil:
		if entry.Kind != store.Deleted || entry.OldVersion != 4 || entry.NewVersion != 0 || entry.Sequence != 5 {
			f.Errorf("entry is %+v", entry)
		}
	default:
		if entry.Kind != store.Written || entry.OldVersion != 4 || entry.NewVersion != store.LogicalVersion(out.New) || out.New.Sequence != 5 {
			f.Errorf("entry is %+v, the restored row %+v", entry, out.New)
		}
	}
	if out.Changed && (entry.Actor != bob || entry.Time != 99 || entry.RunID != "rollback" || entry.TraceID != "t" || entry.Aspect != "status") {
		f.Errorf("entry is %+v", entry)
	}
}

func TestDeleteOfNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if out := f.delete(nil); out.Old != nil || out.New != nil || out.Changed || out.Rows != 0 {
		t.Errorf("got %+v", out)
	}
	if last, _ := f.Last(); last != 0 {
		t.Errorf("%d entries were logged", last)
	}
}

func TestVersionsGoOnAfterARestoredOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 3; n++ {
		f.put(write(n))
	}
	f.delete(ofRun("r3"))
	f.put(write(4))
	f.wantRows(map[int64]string{0: `{"n":4} v3`, 1: `{"n":1} v1`, 2: `{"n":2} v2`})
	f.delete(nil)
	f.put(write(5))
	f.wantRows(map[int64]string{0: `{"n":5} v1`})
	if s := f.latest().System; s.AspectCreated.Time != 5 || s.LastRunID != model.DefaultRunID {
		t.Errorf("a new life starts with %+v", s)
	}
}

func TestRunsFollowARollback(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 3; n++ {
		f.put(write(n))
	}
	f.delete(ofRun("r3", "r1"))
	runs, err := f.Runs(t.Context())
	if err != nil || len(runs) != 1 || runs[0].ID != "r2" || runs[0].Rows != 1 {
		t.Errorf("runs are %+v, %v", runs, err)
	}
}

func TestDeleteEntity(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, aspect := range []string{"datasetKey", "status", "ownership"} {
		for n := 1; n <= 3; n++ {
			w := write(n)
			w.Aspect = aspect
			f.put(w)
		}
	}
	other := write(1)
	other.URN += "x"
	f.put(other)
	before, _ := f.Last()
	gone := 0
	removeAll := func(tx store.Tx) (err error) {
		gone, err = store.DeleteEntity(t.Context(), tx, table, "datasetKey", store.Removal{Actor: bob, Now: 99})
		return err
	}
	if commit := f.update(removeAll); gone != 9 || commit.First != before+1 || commit.Last != before+1 {
		t.Errorf("%d rows went, commit %+v", gone, commit)
	}
	if entry := f.lastEntry(); entry.Kind != store.EntityDeleted || entry.Aspect != "datasetKey" || entry.URN != table || entry.Actor != bob {
		t.Errorf("entry is %+v", entry)
	}
	f.wantRows(map[int64]string{})
	urns, err := f.Scan(t.Context(), store.Scan{})
	if err != nil || len(urns) != 1 || urns[0] != other.URN {
		t.Errorf("left are %v, %v", urns, err)
	}
	if commit := f.update(removeAll); gone != 0 || commit.Last != 0 {
		t.Errorf("again: %d rows went, commit %+v", gone, commit)
	}
}

func TestTheEntryOfADeletedEntityCarriesWhatIsToldOfIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	large := json.RawMessage(`"` + strings.Repeat("x", store.MaxToldWithEntity-10) + `"`)
	for aspect, value := range map[string]json.RawMessage{"a": large, "b": json.RawMessage(`{"n":1}`), "c": json.RawMessage(`{"n":2,"long":"too long for the rest"}`), "datasetKey": json.RawMessage(`{}`)} {
		w := write(1)
		w.Aspect, w.Value = aspect, value
		f.put(w)
	}
	f.update(func(tx store.Tx) error {
		_, err := store.DeleteEntity(t.Context(), tx, table, "datasetKey", store.Removal{Actor: bob, Now: 99, ToldWithEntity: func(gone *model.Record) bool { return gone.Aspect != "datasetKey" }})
		return err
	})
	entry := f.lastEntry()
	gone, err := entry.AspectsGone()
	if err != nil || len(gone) != 2 || gone[0].Name != "a" || string(gone[1].Value) != `{"n":1}` || entry.Gone(1) != nil {
		t.Errorf("%d aspects are told, %v, %v", len(gone), err, entry.Kind)
	}
}

// Any failure of the driver ends the write with that error.
func TestErrorsOfTheDriverAreHandedOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	calls := []struct {
		name string
		do   func(tx store.Tx) error
	}{
		{"new value", func(tx store.Tx) error { _, err := put(t.Context(), tx, write(3)); return err }},
		{"same value", func(tx store.Tx) error { _, err := put(t.Context(), tx, write(2)); return err }},
		{"value with retention by age", func(tx store.Tx) error {
			w := write(3)
			w.Retention = store.Retention{MaxVersions: 2, MaxAge: 1}
			_, err := put(t.Context(), tx, w)
			return err
		}},
		{"retain", func(tx store.Tx) error {
			_, err := store.Retain(t.Context(), tx, statusKey, store.Retention{MaxVersions: 1, MaxAge: 1}, 50)
			return err
		}},
		{"delete all", func(tx store.Tx) error {
			_, err := remove(t.Context(), tx, statusKey, nil, store.Removal{})
			return err
		}},
		{"delete the latest", func(tx store.Tx) error {
			_, err := remove(t.Context(), tx, statusKey, ofRun("r2"), store.Removal{})
			return err
		}},
		{"delete entity", func(tx store.Tx) error {
			_, err := store.DeleteEntity(t.Context(), tx, table, "datasetKey", store.Removal{})
			return err
		}},
	}
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for failAt := 1; ; failAt++ {
				f := newFixture(t)
				f.put(write(1))
				f.put(write(2))
				left := failAt
				_, err := f.Update(t.Context(), func(tx store.Tx) error {
					return c.do(&failingTx{Tx: tx, left: &left, err: broken})
				})
				if left > 0 { // no call failed: each has failed once by now
					if err != nil || failAt < 3 {
						t.Errorf("%d calls, then %v", failAt, err)
					}
					return
				}
				if !errors.Is(err, broken) {
					t.Fatalf("call %d failed, the result is %v", failAt, err)
				}
			}
		})
	}
}

// failingTx fails one of the calls.
type failingTx struct {
	store.Tx
	left *int // calls until the failing one
	err  error
}

func (f *failingTx) fail() error {
	if *f.left--; *f.left == 0 {
		return f.err
	}
	return nil
}

func (f *failingTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Tx.Get(ctx, keys...)
}

func (f *failingTx) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Tx.Row(ctx, key, row)
}

func (f *failingTx) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Tx.Rows(ctx, key)
}

func (f *failingTx) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Tx.Aspects(ctx, urns, names...)
}

func (f *failingTx) Put(ctx context.Context, rec model.Record) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Tx.Put(ctx, rec)
}

func (f *failingTx) Remove(ctx context.Context, key store.Key, row int64) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Tx.Remove(ctx, key, row)
}

func (f *failingTx) RemoveHistory(ctx context.Context, key store.Key, upTo int64) (int, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	return f.Tx.RemoveHistory(ctx, key, upTo)
}

func (f *failingTx) RemoveOlder(ctx context.Context, key store.Key, before int64) (int, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	return f.Tx.RemoveOlder(ctx, key, before)
}

func (f *failingTx) PutEdges(ctx context.Context, owner store.Key, edges []model.Edge) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Tx.PutEdges(ctx, owner, edges)
}

func (f *failingTx) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	return f.Tx.Append(ctx, entry)
}

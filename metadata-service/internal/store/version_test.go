package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"
	alice urn.URN = "urn:li:corpuser:alice"
	bob   urn.URN = "urn:li:corpuser:bob"
)

var statusKey = store.Key{URN: table, Aspect: "status"}

// value returns a canonical value that depends on n.
func value(n int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)) }

type fixture struct {
	*testing.T
	store.Store
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s := memory.NewStore()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &fixture{T: t, Store: s}
}

func (f *fixture) update(fn func(tx store.Tx) error) store.Commit {
	f.Helper()
	commit, err := f.Update(f.Context(), fn)
	if err != nil {
		f.Fatal(err)
	}
	return commit
}

// put reads the latest record, as callers of store.Put do, and writes.
func put(ctx context.Context, tx store.Tx, w store.Write) (store.Stored, error) {
	old, err := store.Latest(ctx, tx, w.Key)
	if err != nil {
		return store.Stored{}, err
	}
	return store.Put(ctx, tx, old, w)
}

// remove reads the records and deletes the versions for which match is true, as callers do; a nil
// match deletes all.
func remove(ctx context.Context, tx store.Tx, key store.Key, match func(*model.Record) bool, by store.Removal) (store.Stored, error) {
	latest, err := store.Latest(ctx, tx, key)
	if err != nil {
		return store.Stored{}, err
	}
	if match == nil {
		return store.Delete(ctx, tx, latest, by)
	}
	rows, err := tx.Rows(ctx, key)
	if err != nil {
		return store.Stored{}, err
	}
	var history []model.Record
	for _, row := range rows {
		rec, err := tx.Row(ctx, key, row)
		if err != nil {
			return store.Stored{}, err
		}
		history = append(history, *rec)
	}
	return store.DeleteVersions(ctx, tx, latest, store.Match(latest, history, match), by)
}

func (f *fixture) put(w store.Write) (out store.Stored) {
	f.Helper()
	f.update(func(tx store.Tx) (err error) {
		out, err = put(f.Context(), tx, w)
		return err
	})
	return out
}

func (f *fixture) delete(match func(*model.Record) bool) (out store.Stored) {
	f.Helper()
	f.update(func(tx store.Tx) (err error) {
		out, err = remove(f.Context(), tx, statusKey, match, store.Removal{Actor: bob, Now: 99, RunID: "rollback", TraceID: "t"})
		return err
	})
	return out
}

// rows reads all records of statusKey: value by row number, 0 for the latest.
func (f *fixture) rows() map[int64]string {
	f.Helper()
	numbers, err := f.Rows(f.Context(), statusKey)
	if err != nil {
		f.Fatal(err)
	}
	found := map[int64]string{}
	for _, n := range append(numbers, 0) {
		rec, err := f.Row(f.Context(), statusKey, n)
		if err != nil {
			f.Fatal(err)
		}
		if rec != nil {
			found[n] = string(rec.Value) + " v" + rec.System.Version
		}
	}
	return found
}

func (f *fixture) wantRows(want map[int64]string) {
	f.Helper()
	if got := f.rows(); !maps.Equal(got, want) {
		f.Errorf("rows are %v, want %v", got, want)
	}
}

func (f *fixture) latest() model.Record {
	f.Helper()
	rec, err := f.Row(f.Context(), statusKey, 0)
	if err != nil || rec == nil {
		f.Fatalf("no latest row: %v", err)
	}
	return *rec
}

func (f *fixture) lastEntry() store.Entry {
	f.Helper()
	entries, err := f.Entries(f.Context(), 0, 0)
	if err != nil || len(entries) == 0 {
		f.Fatalf("no entries: %v", err)
	}
	return entries[len(entries)-1]
}

// write returns a write of value n at time n by run r<n>.
func write(n int) store.Write {
	return store.Write{
		Key: statusKey, Value: value(n), SchemaVersion: 1, Actor: alice, Now: int64(n),
		System: model.SystemMetadata{RunID: fmt.Sprintf("r%d", n)}, Retention: store.Retention{MaxVersions: 20},
	}
}

func TestFirstWrite(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := store.Write{Key: statusKey, Value: value(1), SchemaVersion: 3, Actor: alice, Impersonator: bob, Now: 10, TraceID: "trace"}
	out := f.put(w)
	if out.Old != nil || !out.Changed || out.New == nil || out.Rows != 0 {
		t.Fatalf("got %+v", out)
	}
	rec := f.latest()
	if rec.CreatedOn != 10 || rec.CreatedBy != alice || rec.CreatedFor != bob || rec.Sequence != 1 {
		t.Errorf("got %+v", rec)
	}
	stamp := model.AuditStamp{Time: 10, Actor: alice, Impersonator: bob}
	s := rec.System
	if s.LastObserved != 10 || s.RunID != model.DefaultRunID || s.LastRunID != model.DefaultRunID || s.Version != "1" || s.SchemaVersion != 3 {
		t.Errorf("got %+v", s)
	}
	if *s.AspectCreated != stamp || *s.AspectModified != stamp || s.Properties[model.PropertyTraceID] != "trace" || len(s.Properties) != 1 {
		t.Errorf("got %+v", s)
	}
	want := store.Entry{Sequence: 1, Kind: store.Written, URN: table, Aspect: "status", NewVersion: 1, Actor: alice, Time: 10, RunID: model.DefaultRunID, TraceID: "trace"}
	if got := f.lastEntry(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("entry is %+v, want %+v", got, want)
	}
	f.wantRows(map[int64]string{0: `{"n":1} v1`})
}

func TestNewValuesMakeHistory(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 3; n++ {
		f.put(write(n))
	}
	f.wantRows(map[int64]string{0: `{"n":3} v3`, 1: `{"n":1} v1`, 2: `{"n":2} v2`})
	s := f.latest().System
	if s.RunID != "r3" || s.LastRunID != "r2" || s.AspectCreated.Time != 1 || s.AspectModified.Time != 3 {
		t.Errorf("got %+v", s)
	}
	if entry := f.lastEntry(); entry.OldVersion != 2 || entry.NewVersion != 3 || entry.RunID != "r3" {
		t.Errorf("entry is %+v", entry)
	}
	old, err := f.Row(t.Context(), statusKey, 2)
	if err != nil || old.CreatedOn != 2 || old.Row != 2 || old.System.RunID != "r2" || old.Sequence != 2 {
		t.Errorf("history row is %+v, %v", old, err)
	}
}

func TestSameValueIsOnlyNoted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := write(1)
	first.System = model.SystemMetadata{RunID: "r1", PipelineName: "p", Properties: map[string]string{"appSource": "ui"}}
	f.put(first)
	again := write(1)
	again.Now, again.Actor, again.TraceID, again.SchemaVersion = 50, bob, "trace", 9
	again.System = model.SystemMetadata{RunID: "r9", PipelineName: "other", Properties: map[string]string{"a": "b"}}
	out := f.put(again)
	if out.Changed || out.Old == nil || out.New == nil {
		t.Fatalf("got %+v", out)
	}
	rec := f.latest()
	if rec.CreatedOn != 1 || rec.CreatedBy != alice || rec.Sequence != 1 {
		t.Errorf("the row is another: %+v", rec)
	}
	s := rec.System
	if s.LastObserved != 50 || s.RunID != "r9" || s.LastRunID != "r1" || s.Version != "1" || s.SchemaVersion != 1 ||
		s.PipelineName != "p" || s.AspectCreated.Actor != alice || s.AspectModified.Time != 1 {
		t.Errorf("got %+v", s)
	}
	want := map[string]string{"a": "b", model.PropertyNoOp: "true", model.PropertyTraceID: "trace"}
	if !maps.Equal(s.Properties, want) {
		t.Errorf("properties are %v, want %v", s.Properties, want)
	}
	if len(again.System.Properties) != 1 {
		t.Errorf("the writer's properties were changed to %v", again.System.Properties)
	}
	if entry := f.lastEntry(); entry.Kind != store.Touched || entry.OldVersion != 1 || entry.NewVersion != 1 || entry.Sequence != 2 {
		t.Errorf("entry is %+v", entry)
	}
	f.wantRows(map[int64]string{0: `{"n":1} v1`})
	f.put(write(2))
	if s := f.latest().System; s.Properties[model.PropertyNoOp] != "" || s.LastRunID != "r9" || s.Version != "2" {
		t.Errorf("after a real change: %+v", s)
	}
}

func TestWhatTheWriterSays(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := write(1)
	w.System = model.SystemMetadata{
		LastObserved: 5, RunID: "mine", LastRunID: "not mine to say", PipelineName: "p", RegistryName: "n", RegistryVersion: "1.0",
		Version: "77", SchemaVersion: 4, AspectCreated: &model.AuditStamp{Time: 1000},
		Properties: map[string]string{model.PropertyNoOp: "true", "k": "v"},
	}
	f.put(w)
	s := f.latest().System
	if s.LastObserved != 5 || s.RunID != "mine" || s.LastRunID != model.DefaultRunID || s.Version != "1" || s.SchemaVersion != 4 || s.AspectCreated.Time != 1 {
		t.Errorf("got %+v", s)
	}
	if !maps.Equal(s.Properties, map[string]string{"k": "v"}) {
		t.Errorf("properties are %v", s.Properties)
	}
	w = write(2)
	w.System = model.SystemMetadata{RunID: "r2", PipelineName: "q", RegistryName: "m", RegistryVersion: "2.0"}
	f.put(w)
	s = f.latest().System
	if s.PipelineName != "p" || s.RegistryName != "n" || s.RegistryVersion != "1.0" || s.SchemaVersion != 1 || s.LastObserved != 2 {
		t.Errorf("got %+v", s)
	}
}

func TestSystemActorModifiesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := write(1)
	first.Actor = model.SystemActor
	f.put(first)
	if s := f.latest().System; s.AspectModified != nil || s.AspectCreated.Actor != model.SystemActor {
		t.Errorf("got %+v", s)
	}
	f.put(write(2))
	third := write(3)
	third.Actor = model.SystemActor
	f.put(third)
	if s := f.latest().System; s.AspectModified.Time != 2 || s.AspectModified.Actor != alice || s.AspectCreated.Time != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestRowsWithoutSystemMetadataCountAsFirst(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.update(func(tx store.Tx) error {
		return tx.Put(f.Context(), model.Record{URN: table, Aspect: "status", Value: value(0), CreatedOn: 1, CreatedBy: alice})
	})
	f.put(write(2))
	f.wantRows(map[int64]string{0: `{"n":2} v2`, 1: `{"n":0} v`})
	for text, want := range map[string]int64{"": 1, "x": 1, "0": 1, "-3": 1, "7": 7} {
		if got := store.LogicalVersion(&model.Record{System: model.SystemMetadata{Version: text}}); got != want {
			t.Errorf("version %q counts as %d, want %d", text, got, want)
		}
	}
	if store.LogicalVersion(nil) != 0 {
		t.Error("no row counts as a version")
	}
}

func TestRetentionWhileWriting(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		retention store.Retention
		history   []int64 // row numbers after ten writes at times 1 to 10
	}{
		{"all", store.Retention{}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"one version has no history", store.Retention{MaxVersions: 1}, nil},
		{"two versions", store.Retention{MaxVersions: 2}, []int64{9}},
		{"four versions", store.Retention{MaxVersions: 4}, []int64{7, 8, 9}},
		{"more than there are", store.Retention{MaxVersions: 20}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"by age", store.Retention{MaxAge: 3}, []int64{7, 8, 9}},
		{"by age and number", store.Retention{MaxAge: 3, MaxVersions: 3}, []int64{8, 9}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			for n := 1; n <= 10; n++ {
				w := write(n)
				w.Retention = tt.retention
				f.put(w)
			}
			got, err := f.Rows(t.Context(), statusKey)
			if err != nil || !slices.Equal(got, tt.history) {
				t.Errorf("history is %v (%v), want %v", got, err, tt.history)
			}
			if v := f.latest().System.Version; v != "10" {
				t.Errorf("the latest version is %s", v)
			}
		})
	}
}

func TestRetainAppliesANewRule(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		retention store.Retention
		now       int64
		history   []int64
	}{
		{"nothing to drop", store.Retention{}, 1000, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"fewer versions", store.Retention{MaxVersions: 3}, 1000, []int64{8, 9}},
		{"only the latest", store.Retention{MaxVersions: 1}, 1000, nil},
		{"older than allowed", store.Retention{MaxAge: 5}, 10, []int64{5, 6, 7, 8, 9}},
		{"all older than allowed", store.Retention{MaxAge: 5}, 1000, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			for n := 1; n <= 10; n++ {
				f.put(write(n))
			}
			gone := 0
			f.update(func(tx store.Tx) (err error) {
				gone, err = store.Retain(f.Context(), tx, statusKey, tt.retention, tt.now)
				return err
			})
			got, err := f.Rows(t.Context(), statusKey)
			if err != nil || !slices.Equal(got, tt.history) || gone != 9-len(tt.history) {
				t.Errorf("history is %v (%v) after %d went, want %v", got, err, gone, tt.history)
			}
			if rec := f.latest(); string(rec.Value) != string(value(10)) {
				t.Errorf("the latest is %s", rec.Value)
			}
		})
	}
}

func TestRetainOfNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.update(func(tx store.Tx) error {
		gone, err := store.Retain(f.Context(), tx, statusKey, store.Retention{MaxVersions: 1}, 1)
		if gone != 0 {
			t.Errorf("%d went", gone)
		}
		return err
	})
}

// A smaller number of versions takes effect with the next write, including the history.
func TestSmallerRetentionTakesHoldWithTheNextWrite(t *testing.T) {
	t.Parallel()
	for _, keep := range []int{1, 3} {
		f := newFixture(t)
		for n := 1; n <= 10; n++ {
			f.put(write(n))
		}
		w := write(11)
		w.Retention.MaxVersions = keep
		f.put(w)
		if got, err := f.Rows(t.Context(), statusKey); err != nil || len(got) != keep-1 {
			t.Errorf("keeping %d versions leaves history %v (%v)", keep, got, err)
		}
	}
}

// Package storetest is the conformance suite of the store port: tests of the contract that every
// driver passes.
//
// A driver calls Run with a function that opens an empty store. The suite closes the stores it
// opens. Cases run in parallel, each with its own store. Each defect found in one driver becomes a
// case here.
package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Run tests a driver. open returns an empty store.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	groups := []struct {
		name  string
		cases []testCase
	}{
		{"rows", rowCases},
		{"transactions", transactionCases},
		{"scan", scanCases},
		{"runs", runCases},
		{"terms", termCases},
		{"log", logCases},
		{"lifecycle", lifecycleCases},
		{"concurrency", concurrencyCases},
		{"simulation", simulationCases},
	}
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					s := open(t)
					t.Cleanup(func() {
						if err := s.Close(); err != nil {
							t.Errorf("close: %v", err)
						}
					})
					c.run(&fixture{T: t, Store: s})
				})
			}
		})
	}
}

type testCase struct {
	name string
	run  func(f *fixture)
}

// fixture holds a test and its store, with helpers that fail the test.
type fixture struct {
	*testing.T
	store.Store
}

func (f *fixture) update(fn func(tx store.Tx)) store.Commit {
	f.Helper()
	commit, err := f.Update(f.Context(), func(tx store.Tx) error {
		fn(tx)
		return nil
	})
	f.ok(err)
	return commit
}

func (f *fixture) put(records ...model.Record) {
	f.Helper()
	f.update(func(tx store.Tx) { f.putIn(tx, records...) })
}

func (f *fixture) putIn(tx store.Tx, records ...model.Record) {
	f.Helper()
	for _, rec := range records {
		if err := tx.Put(f.Context(), rec); err != nil {
			f.Errorf("put %s: %v", rec.URN, err)
		}
	}
}

func (f *fixture) row(key store.Key, row int64) *model.Record {
	f.Helper()
	rec, err := f.Row(f.Context(), key, row)
	f.ok(err)
	return rec
}

func (f *fixture) scan(q store.Scan) []urn.URN {
	f.Helper()
	urns, err := f.Scan(f.Context(), q)
	f.ok(err)
	return urns
}

func (f *fixture) count(entityType string) int {
	f.Helper()
	n, err := f.Count(f.Context(), entityType)
	f.ok(err)
	return n
}

func (f *fixture) runs() []store.Run {
	f.Helper()
	runs, err := f.Runs(f.Context())
	f.ok(err)
	return runs
}

func (f *fixture) runKeys(run string, after store.Key, limit int) []store.Key {
	f.Helper()
	keys, err := f.RunKeys(f.Context(), run, after, limit)
	f.ok(err)
	return keys
}

func (f *fixture) entries(after uint64, limit int) []store.Entry {
	f.Helper()
	entries, err := f.Entries(f.Context(), after, limit)
	f.ok(err)
	return entries
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// same compares values. Empty lists are equal to nil.
func (f *fixture) same(what string, got, want any) {
	f.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && w.Kind() == reflect.Slice && g.Len()+w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		f.Errorf("%s:\n got %s\nwant %s", what, show(got), show(want))
	}
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const readable = 2000
	return string(text[:min(len(text), readable)])
}

func dataset(n int) urn.URN { return urn.Make("dataset", fmt.Sprintf("table%05d", n)) }

// record returns a latest record as the service writes it.
func record(u urn.URN, aspect, value string) model.Record {
	const time = 1700000000000
	return model.Record{
		URN:       u,
		Aspect:    aspect,
		Value:     json.RawMessage(value),
		CreatedOn: time,
		CreatedBy: model.RootUser,
		System: model.SystemMetadata{
			LastObserved:   time,
			RunID:          model.DefaultRunID,
			LastRunID:      model.DefaultRunID,
			Version:        "1",
			SchemaVersion:  1,
			AspectCreated:  &model.AuditStamp{Time: time, Actor: model.RootUser},
			AspectModified: &model.AuditStamp{Time: time, Actor: model.RootUser},
			Properties:     map[string]string{model.PropertyTraceID: "0123456789abcdef0123456789abcdef"},
		},
		Sequence: 1,
	}
}

// inRun returns a latest record written under a run at a time.
func inRun(u urn.URN, aspect, run string, time int64) model.Record {
	rec := record(u, aspect, `{}`)
	rec.System.RunID, rec.System.LastObserved = run, time
	return rec
}

// historic returns rec as the history record of a version.
func historic(rec model.Record, row int64) model.Record {
	rec.Row, rec.System.Version = row, strconv.FormatInt(row, 10)
	return rec
}

func written(u urn.URN, aspect string) store.Entry {
	return store.Entry{Kind: store.Written, URN: u, Aspect: aspect, NewVersion: 1, Actor: model.RootUser, Time: 5}
}

package metatest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

type event struct {
	TimestampMillis, DurationMillis           int64
	RunID                                     string
	Status, Trigger, TestDefinitionMd5, Error string
	Actor                                     urn.URN
	Assets, Passing, Failing, Changed         int
}

// history returns the time series of a test, newest first.
func (f *fixture) history(test urn.URN) (out []event) {
	f.Helper()
	found, err := f.Documents.Find(f.Context(), timeseries.IndexName("test", "testRunEvent"), timeseries.Query{URNs: []urn.URN{test}, Limit: 100})
	if err != nil && fault.KindOf(err) != fault.NotFound {
		f.Fatal(err)
	}
	for _, d := range found {
		var e event
		if err := json.Unmarshal(d.Event, &e); err != nil {
			f.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// evaluateAll starts a run of tests and waits for it.
func (f *fixture) evaluateAll(m *task.Manager, tests ...urn.URN) metatest.Run {
	f.Helper()
	root := f.As(f.T, servicetest.Root)
	run, err := f.tests.StartRun(root, tests)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := m.Wait(f.Context(), run.ID); err != nil {
		f.Fatal(err)
	}
	if run, err = f.tests.Run(root, run.ID); err != nil {
		f.Fatal(err)
	}
	return run
}

func (f *fixture) wantHistory(what string, test urn.URN, want ...event) {
	f.Helper()
	got := f.history(test)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		f.Errorf("%s: history of %s\n got %+v\nwant %+v", what, test, got, want)
	}
}

func TestARunIsInTheHistoryOfEachOfItsTests(t *testing.T) {
	f := newFixture(t)
	f.many(30)
	f.Put(t, "urn:li:chart:(looker,c)", "status", `{"removed":false}`)
	m := f.begin(memory.NewTaskStore(), &interrupted{Reader: f.Store, at: 4, then: func(context.Context) { f.Pass(1500 * time.Millisecond) }})
	a := f.create("owned", owned)
	b := f.create("described", `{"on":{"types":["dataset","chart"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["."]}}`)
	f.create("draft", `{}`)
	at := f.Now().UnixMilli()
	first := f.evaluateAll(m)
	md5 := func(u urn.URN) string { return f.history(u)[0].TestDefinitionMd5 }
	wantA := event{TimestampMillis: at, DurationMillis: 1500, RunID: string(first.ID), Status: "COMPLETE", Trigger: "REQUEST", Actor: servicetest.Root, TestDefinitionMd5: md5(a), Assets: 32, Passing: 11, Failing: 21, Changed: 32}
	wantB := event{TimestampMillis: at, DurationMillis: 1500, RunID: string(first.ID), Status: "COMPLETE", Trigger: "REQUEST", Actor: servicetest.Root, TestDefinitionMd5: md5(b), Assets: 33, Passing: 32, Failing: 1, Changed: 33}
	f.wantHistory("first run", a, wantA)
	f.wantHistory("first run", b, wantB)
	f.wantHistory("a draft", "urn:li:test:draft")
	if md5(a) == md5(b) || len(md5(a)) != 32 {
		t.Errorf("fingerprints %q, %q", md5(a), md5(b))
	}

	f.Pass(time.Hour)
	f.Put(t, invoices, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	f.Put(t, orders, "status", `{"removed":true}`)
	at = f.Now().UnixMilli()
	second := f.evaluateAll(m, a)
	next := event{TimestampMillis: at, RunID: string(second.ID), Status: "COMPLETE", Trigger: "REQUEST", Actor: servicetest.Root, TestDefinitionMd5: md5(a), Assets: 32, Passing: 11, Failing: 20, Changed: 2}
	f.wantHistory("second run", a, next, wantA)
	f.wantHistory("a run of another test", b, wantB)

	f.Pass(time.Hour)
	third := next
	third.TimestampMillis, third.RunID, third.Changed = f.Now().UnixMilli(), string(f.evaluateAll(m, a).ID), 0
	f.wantHistory("a run that finds nothing new", a, third, next, wantA)

	if err := f.tests.Delete(f.As(t, servicetest.Root), a); err != nil {
		t.Fatal(err)
	}
	f.wantHistory("the test is gone", a)
	f.wantHistory("another test stays", b, wantB)
}

func TestTheHistoryTellsWhyARunBegan(t *testing.T) {
	f := newFixture(t)
	m := f.begin(memory.NewTaskStore(), f.Store)
	a := f.create("owned", `{"on":{"types":["dataset"]},"every":"2h"}`)
	sink := metatest.NewOnChange(f.tests, false)
	ctx, stop := context.WithCancel(f.As(t, model.SystemActor))
	defer stop()
	tick, ended := make(chan time.Time), make(chan error, 1)
	go func() { ended <- sink.Schedule(ctx, 24*time.Hour, tick) }()
	start := f.Now()
	at := func(passed time.Duration) {
		f.Pass(start.Add(passed).Sub(f.Now()))
		for range 2 { // the second tick is accepted once the first has been processed
			tick <- f.Now()
		}
	}
	follow := func(from uint64) uint64 {
		t.Helper()
		last, _ := f.Store.Last()
		entries, err := f.Store.Entries(t.Context(), from, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if err := sink.Apply(store.WithOrigin(ctx, sink.Name()), entries); err != nil {
			t.Fatal(err)
		}
		return last
	}
	before, _ := f.Store.Last()
	at(0)
	at(time.Minute)
	at(2*time.Hour + time.Minute)
	if err := f.tests.Update(f.As(t, servicetest.Root), a, metatest.Info{Name: "n", Category: "c", Definition: owned}); err != nil {
		t.Fatal(err)
	}
	seen := follow(before)
	at(3 * time.Hour)
	for range 3 { // run events do not start another run
		seen = follow(seen)
		at(3*time.Hour + time.Minute)
	}
	f.Pass(time.Second)
	f.evaluateAll(m, a)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var got []string
	for _, e := range f.history(a) {
		got = append(got, e.Trigger+" "+e.Actor.Key())
	}
	if want := "REQUEST datahub, CHANGE __datahub_system, SCHEDULE __datahub_system, SCHEDULE __datahub_system"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestARunThatGoesOnAfterACrashIsOnceInTheHistory kills the process at two moments of a run: before
// its end, and after its last write.
func TestARunThatGoesOnAfterACrashIsOnceInTheHistory(t *testing.T) {
	f := newFixture(t)
	f.many(2_400)
	a := f.create("owned", owned)
	b := f.create("described", `{"on":{"types":["dataset"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["1"]}}`)
	tasks := memory.NewTaskStore()
	var run metatest.Run
	for i, at := range []int64{21, 1_000} { // reads
		dead := &dying{Store: tasks}
		reader := &interrupted{Reader: f.Store, at: at, then: func(context.Context) { dead.dead.Store(true) }}
		if i == 1 {
			reader.at = 0
			reader.Reader = &keyReader{Reader: f.Store, before: func() { dead.dead.Store(true) }}
		}
		m := f.begin(dead, reader)
		if i == 0 {
			var err error
			if run, err = f.tests.StartRun(f.As(t, servicetest.Root), nil); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = m.Wait(t.Context(), run.ID)
		_ = m.Close()
	}
	m := f.begin(tasks, f.Store)
	if _, err := m.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	for u, want := range map[urn.URN][3]int{a: {801, 1601, 2402}, b: {1428, 974, 2402}} {
		got := f.history(u)
		if len(got) != 1 || got[0].RunID != string(run.ID) || [3]int{got[0].Passing, got[0].Failing, got[0].Assets} != want {
			t.Errorf("history of %s: %+v, want %v", u, got, want)
		}
	}
}

func TestATestThatIsDeletedDuringARunStaysDeleted(t *testing.T) {
	f := newFixture(t)
	var a, b urn.URN
	deleted := false
	m := f.begin(memory.NewTaskStore(), &keyReader{Reader: f.Store, after: func() {
		if !deleted {
			deleted = true
			if err := f.tests.Delete(f.As(t, servicetest.Root), a); err != nil {
				t.Error(err)
			}
		}
	}})
	a, b = f.create("a", owned), f.create("b", owned)
	if got := f.evaluateAll(m); got.State != task.Succeeded {
		t.Errorf("%+v", got)
	}
	if got := f.Get(t, a, "testKey"); !deleted || got != "" {
		t.Errorf("the test is there again: %s", got)
	}
	f.wantHistory("deleted", a)
	if got := f.history(b); len(got) != 1 || got[0].Passing != 1 {
		t.Errorf("history of the other one: %+v", got)
	}
}

// keyReader calls functions before and after the keys of tests are read. The read precedes the
// write of their history.
type keyReader struct {
	document.Reader
	before, after func()
}

func (r *keyReader) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	isKey := len(names) == 1 && names[0] == "testKey"
	if isKey && r.before != nil {
		r.before()
	}
	out, err := r.Reader.Aspects(ctx, urns, names...)
	if isKey && r.after != nil {
		r.after()
	}
	return out, err
}

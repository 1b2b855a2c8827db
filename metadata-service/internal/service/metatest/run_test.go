package metatest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// interrupted reads aspects, and calls a function at one of the reads.
type interrupted struct {
	document.Reader
	reads atomic.Int64
	at    int64
	then  func(ctx context.Context)
}

func (i *interrupted) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	if n := i.reads.Add(1); n == i.at && i.then != nil {
		i.then(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return i.Reader.Aspects(ctx, urns, names...)
}

// dying is a task store that drops all writes from one moment on, like that of a killed process.
type dying struct {
	task.Store
	dead atomic.Bool
}

func (d *dying) Put(ctx context.Context, t task.Task) error {
	if d.dead.Load() {
		return errors.New("the process is gone")
	}
	return d.Store.Put(ctx, t)
}

func (d *dying) Close() error { return nil }

// begin runs the tests of a fixture as tasks of a store.
func (f *fixture) begin(store task.Store, reader document.Reader) *task.Manager {
	f.Helper()
	m := task.New(task.Config{Store: store, Now: f.Now, Log: f.Log})
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: reader, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Tasks: m, Log: f.Log})
	if err := m.Begin(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = m.Close() })
	return m
}

// many creates datasets, a third of them with an owner.
func (f *fixture) many(n int) {
	f.Helper()
	for i := range n {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%04d,PROD)", i))
		f.Put(f.T, u, "datasetProperties", fmt.Sprintf(`{"description":"x%d","customProperties":{},"tags":[]}`, i))
		if i%3 == 0 {
			f.Put(f.T, u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
		}
	}
}

func TestARunEvaluatesAllAssetsAndTellsHowFarItIs(t *testing.T) {
	f := newFixture(t)
	f.many(30)
	m := f.begin(memory.NewTaskStore(), f.Store)
	a, b := f.create("owned", owned), f.create("described", `{"on":{"types":["dataset"]},"rules":{"property":"description","operator":"exists"}}`)
	root := f.As(t, servicetest.Root)
	all, err := f.tests.StartRun(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Wait(t.Context(), all.ID); err != nil {
		t.Fatal(err)
	}
	got, err := f.tests.Run(f.As(t, servicetest.Jo), all.ID)
	if err != nil || got.State != task.Succeeded || got.Progress.Done != 32 || got.Progress.Total != 32 || got.Counts != (metatest.Sweep{Assets: 32, Passing: 43, Failing: 21, Changed: 32}) || len(got.Tests) != 0 || got.Actor.URN != servicetest.Root {
		t.Errorf("%+v, %v", got, err)
	}
	if got := f.Get(t, orders, "testResults"); strings.Count(got, "SUCCESS") != 2 {
		t.Errorf("kept %s", got)
	}
	one, err := f.tests.StartRun(root, []urn.URN{b, b})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Wait(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	list := func(test urn.URN, states ...task.State) string {
		t.Helper()
		runs, total, err := f.tests.Runs(root, test, states, 0, 10)
		if err != nil || total != len(runs) {
			t.Fatalf("%d of %d, %v", len(runs), total, err)
		}
		var out []string
		for _, r := range runs {
			out = append(out, fmt.Sprint(r.ID, r.Tests, r.Counts.Changed))
		}
		return strings.Join(out, " ")
	}
	if got, want := list(""), fmt.Sprint(one.ID, []urn.URN{b}, 0)+" "+fmt.Sprint(all.ID, []urn.URN{}, 32); got != want {
		t.Errorf("runs: %s, want %s", got, want)
	}
	if got := list(b, task.Succeeded); got != fmt.Sprint(one.ID, []urn.URN{b}, 0) {
		t.Errorf("runs of a test: %s", got)
	}
	if got := list(a) + list("", task.Running, task.Queued); got != "" {
		t.Errorf("runs of others: %s", got)
	}
}

func TestWhatCannotRunIsToldApart(t *testing.T) {
	f := newFixture(t)
	m := f.begin(memory.NewTaskStore(), f.Store)
	m.Register(task.Kind{Name: "other", Run: func(context.Context, *task.Run) error { return nil }})
	root, jo := f.As(t, servicetest.Root), f.As(t, servicetest.Jo)
	other, err := m.Start(root, "other", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		kind fault.Kind
	}{
		"starting without the right":   {second(f.tests.StartRun(jo, nil)), fault.Forbidden},
		"an unknown test":              {second(f.tests.StartRun(root, []urn.URN{"urn:li:test:none"})), fault.NotFound},
		"too many tests":               {second(f.tests.StartRun(root, make([]urn.URN, metatest.MaxTests+1))), fault.TooLarge},
		"cancelling without the right": {second(f.tests.CancelRun(jo, other.ID)), fault.Forbidden},
		"reading an unknown run":       {second(f.tests.Run(root, task.NewID("memory", 99))), fault.NotFound},
		"reading what is no id":        {second(f.tests.Run(root, "x")), fault.Malformed},
		"reading another task":         {second(f.tests.Run(root, other.ID)), fault.NotFound},
		"cancelling another task":      {second(f.tests.CancelRun(root, other.ID)), fault.NotFound},
	} {
		if fault.KindOf(c.err) != c.kind {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestARunThatIsKilledGoesOnWithTheSameResults(t *testing.T) {
	f := newFixture(t)
	f.many(2_400)
	tasks := &dying{Store: memory.NewTaskStore()}
	var first *task.Manager
	closed := make(chan error, 1)
	// The definition is decided by facts, so each page of 100 assets takes two reads. The
	// interruption is in the second half, a few pages after a checkpoint.
	reader := &interrupted{Reader: f.Store, at: 2*17 + 5}
	reader.then = func(ctx context.Context) {
		tasks.dead.Store(true)
		go func() { closed <- first.Close() }()
		<-ctx.Done()
	}
	first = f.begin(tasks, reader)
	f.create("odd", `{"on":{"types":["dataset"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["[13579]$"]}}`)
	f.create("owned", owned)
	root := f.As(t, servicetest.Root)
	run, err := f.tests.StartRun(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.tests.StartRun(root, nil); fault.KindOf(err) != fault.Conflict {
		t.Errorf("the same twice at once: %v", err)
	}
	began := f.Now().UnixMilli()
	<-closed
	stored, err := tasks.Get(t.Context(), run.ID)
	if err != nil || stored.State != task.Running || stored.Progress.Done != 1000 {
		t.Fatalf("killed as %+v, %v", stored, err)
	}
	f.Pass(time.Hour)
	tasks.dead.Store(false)
	second := f.begin(tasks, f.Store)
	if _, err := second.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	got, err := f.tests.Run(root, run.ID)
	if err != nil || got.State != task.Succeeded || got.Counts.Assets != 2_402 || got.Counts.Passing != 1_200+801 || got.Counts.Passing+got.Counts.Failing != 2*2_402 {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range 2_400 {
		text := f.Get(t, urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%04d,PROD)", i)), "testResults")
		if strings.Count(text, fmt.Sprintf(`"time":%d`, began)) != 2 {
			t.Fatalf("asset %d: %s, want both as of %d", i, text, began)
		}
	}
	again, err := f.tests.EvaluateAll(root, nil, nil)
	if err != nil || again.Changed != 0 || again.Passing != got.Counts.Passing {
		t.Errorf("evaluated again without interruption: %+v, %v", again, err)
	}
}

func TestARunIsCancelled(t *testing.T) {
	f := newFixture(t)
	f.many(300)
	reached, goOn := make(chan struct{}), make(chan struct{})
	reader := &interrupted{Reader: f.Store, at: 5, then: func(ctx context.Context) {
		close(reached)
		select {
		case <-ctx.Done():
		case <-goOn:
		}
	}}
	m := f.begin(memory.NewTaskStore(), reader)
	f.create("owned", owned)
	root := f.As(t, servicetest.Root)
	run, err := f.tests.StartRun(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	if _, err := f.tests.CancelRun(root, run.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if got, err := f.tests.Run(root, run.ID); err != nil || got.State != task.Cancelled || got.Counts.Assets >= 302 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnAssetThatIsDeletedDuringARunStaysDeleted(t *testing.T) {
	f := newFixture(t)
	reader := &interrupted{Reader: f.Store}
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: reader, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Log: f.Log})
	f.Put(t, "urn:li:tag:good", "tagProperties", `{"name":"good"}`)
	f.create("facts", `{"on":{"types":["dataset"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["x"]},"actions":{"passing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:good"]}}]}}`)
	root := f.As(t, servicetest.Root)
	for name, read := range map[string]int64{"before facts are read": 2, "before results are read": 3} {
		f.Put(t, invoices, "datasetProperties", `{"description":"x","customProperties":{},"tags":[]}`)
		reader.reads.Store(0)
		reader.at, reader.then = read, func(context.Context) {
			if _, err := f.Catalog.DeleteEntity(root, invoices); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.tests.EvaluateAll(root, nil, nil); err != nil {
			t.Fatal(err)
		}
		if reader.reads.Load() < read {
			t.Fatalf("%s: only %d reads", name, reader.reads.Load())
		}
		for _, aspect := range []string{"datasetKey", "testResults", "globalTags"} {
			if got := f.Get(t, invoices, aspect); got != "" {
				t.Errorf("%s: it is there again with %s %s", name, aspect, got)
			}
		}
		if got := f.Get(t, orders, "testResults"); !strings.Contains(got, "SUCCESS") {
			t.Errorf("%s: another asset has %q", name, got)
		}
	}
}

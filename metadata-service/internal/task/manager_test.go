package task_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// counting is a kind that counts to a number, with a checkpoint for each count. It sends each count
// to steps, and continues when the test sends to goOn.
type counting struct {
	steps chan int
	goOn  chan struct{}
}

func newCounting() *counting { return &counting{steps: make(chan int), goOn: make(chan struct{})} }

func (c *counting) kind() task.Kind {
	return task.Kind{Name: "counting", Run: func(ctx context.Context, run *task.Run) error {
		var to, at int
		if err := run.Params(&to); err != nil {
			return err
		}
		if _, err := run.Checkpoint(&at); err != nil {
			return err
		}
		for at < to {
			at++
			select {
			case c.steps <- at:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case <-c.goOn:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := run.Save(ctx, task.Progress{Done: int64(at), Total: int64(to), Message: "counting"}, at); err != nil {
				return err
			}
		}
		return run.SetResult(map[string]int{"counted": at})
	}}
}

// step lets it count once and returns the count.
func (c *counting) step() int {
	at := <-c.steps
	c.goOn <- struct{}{}
	return at
}

type fixture struct {
	t     *testing.T
	path  string
	cfg   task.Config
	kinds []task.Kind
	*task.Manager
}

// newFixture returns a manager over a file. It is closed at the end of the test.
func newFixture(t *testing.T, kinds ...task.Kind) *fixture {
	t.Helper()
	f := &fixture{t: t, path: filepath.Join(t.TempDir(), "tasks.db"), kinds: kinds, cfg: task.Config{Now: time.Now, Log: logging.Discard()}}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f.open()
}

func (f *fixture) open() *fixture {
	f.t.Helper()
	store, err := tasks.Open(tasks.Config{Path: f.path, Now: time.Now, Log: logging.Discard()})
	if err != nil {
		f.t.Fatal(err)
	}
	f.cfg.Store = store
	f.Manager = task.New(f.cfg)
	f.Register(f.kinds...)
	if err := f.Begin(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return f
}

// restart closes the manager as a shutdown does and opens another one.
func (f *fixture) restart() {
	f.t.Helper()
	if err := f.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.open()
}

func (f *fixture) start(kind string, params any, key string) task.Task {
	f.t.Helper()
	started, err := f.Start(authtest.As(f.t, authtest.Jo), kind, params, key)
	if err != nil {
		f.t.Fatal(err)
	}
	return started
}

func (f *fixture) wait(id task.ID) task.Task {
	f.t.Helper()
	ended, err := f.Wait(f.t.Context(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return ended
}

func (f *fixture) cancel(id task.ID) task.Task {
	f.t.Helper()
	got, err := f.Cancel(f.t.Context(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return got
}

func expect(t *testing.T, got task.Task, state task.State, says string) {
	t.Helper()
	if got.State != state || !strings.Contains(got.Error, says) || (says == "") != (got.Error == "") {
		t.Errorf("task is %s with the error %q, want %s with %q", got.State, got.Error, state, says)
	}
	if got.State.Ended() != (got.Ended > 0) {
		t.Errorf("task is %s and ended at %d", got.State, got.Ended)
	}
}

func TestATaskTellsItsProgressAndResult(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t, c.kind())
	id := f.start("counting", 2, "").ID
	c.step()
	<-c.steps // the first count is saved by now
	got, err := f.Get(t.Context(), id)
	if err != nil || got.State != task.Running || got.Progress != (task.Progress{Done: 1, Total: 2, Message: "counting"}) || got.Started == 0 || got.Saved == 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	c.goOn <- struct{}{}
	got = f.wait(id)
	expect(t, got, task.Succeeded, "")
	if string(got.Result) != `{"counted":2}` || got.Actor.URN != authtest.Jo || got.Checkpoint != nil {
		t.Errorf("got %+v", got)
	}
}

func TestATaskGoesOnFromItsCheckpointAfterARestart(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t, c.kind())
	running, waiting := f.start("counting", 3, "").ID, make([]task.ID, 0, 2)
	c.step()
	if at := <-c.steps; at != 2 {
		t.Fatalf("counts %d", at)
	}
	f.cfg.Running = 1
	f.restart() // during the second count
	for range 2 {
		waiting = append(waiting, f.start("counting", 1, "").ID)
	}
	f.restart()
	got := []int{c.step(), c.step()}
	expect(t, f.wait(running), task.Succeeded, "")
	for _, id := range waiting {
		got = append(got, c.step())
		expect(t, f.wait(id), task.Succeeded, "")
	}
	if !slices.Equal(got, []int{2, 3, 1, 1}) {
		t.Errorf("after the restarts it counted %v", got)
	}
}

func TestWhatWasSavedWhileTheServiceStopsIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	var begun atomic.Int32
	saved, stopped := make(chan struct{}), make(chan error, 1)
	f := newFixture(t, task.Kind{Name: "k", Run: func(ctx context.Context, run *task.Run) error {
		var at string
		if found, err := run.Checkpoint(&at); err != nil || found {
			return errors.Join(err, run.SetResult(at))
		}
		begun.Add(1)
		close(saved)
		<-ctx.Done()
		stopped <- run.Save(ctx, task.Progress{}, "done at the end")
		return ctx.Err()
	}})
	id := f.start("k", nil, "").ID
	<-saved
	f.restart()
	if err := <-stopped; !errors.Is(err, fault.Unavailable) {
		t.Errorf("saving during the shutdown gave %v", err)
	}
	if got := f.wait(id); string(got.Result) != `"done at the end"` || begun.Load() != 1 {
		t.Errorf("got %+v after %d beginnings", got, begun.Load())
	}
}

func TestASecondTaskWithTheSameKeyIsRefused(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t, c.kind())
	id := f.start("counting", 1, "all").ID
	_, err := f.Start(authtest.As(t, authtest.Jo), "counting", 1, "all")
	if !errors.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(id)) {
		t.Errorf("got %v", err)
	}
	c.step()
	f.wait(id)
	c2 := f.start("counting", 1, "all")
	c.step()
	f.wait(c2.ID)
}

func TestSomeTasksRunAndSomeWaitAndTheOthersAreRefused(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t)
	f.kinds, f.cfg.Running, f.cfg.Waiting = []task.Kind{c.kind()}, 2, 1
	f.restart()
	var ids []task.ID
	for range 3 {
		ids = append(ids, f.start("counting", 1, "").ID)
	}
	if _, err := f.Start(authtest.As(t, authtest.Jo), "counting", 1, ""); !errors.Is(err, fault.Unavailable) {
		t.Errorf("a fourth one: %v", err)
	}
	<-c.steps
	<-c.steps
	page, total, err := f.List(t.Context(), task.Query{States: []task.State{task.Queued}})
	if err != nil || total != 1 || page[0].ID != ids[2] {
		t.Errorf("waiting: %+v, %v", page, err)
	}
	c.goOn <- struct{}{}
	c.goOn <- struct{}{}
	c.step()
	for _, id := range ids {
		expect(t, f.wait(id), task.Succeeded, "")
	}
}

func TestRunningAndWaitingTasksAreCancelled(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t)
	f.kinds, f.cfg.Running = []task.Kind{c.kind()}, 1
	f.restart()
	running, waiting := f.start("counting", 5, "").ID, f.start("counting", 5, "").ID
	c.step()
	<-c.steps
	expect(t, f.cancel(waiting), task.Cancelled, "")
	if got := f.cancel(running); got.State.Ended() && got.State != task.Cancelled || !got.CancelRequested {
		t.Errorf("got %+v", got)
	}
	got := f.wait(running)
	expect(t, got, task.Cancelled, "")
	if got.Progress.Done != 1 {
		t.Errorf("progress is %+v", got.Progress)
	}
	expect(t, f.cancel(running), task.Cancelled, "") // again
	expect(t, f.wait(waiting), task.Cancelled, "")
}

func TestACancelledTaskDoesNotGoOnAfterARestart(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t, c.kind())
	id := f.start("counting", 5, "").ID
	<-c.steps
	f.kinds = nil
	if got := f.cancel(id); !got.CancelRequested {
		t.Errorf("got %+v", got)
	}
	f.restart()
	expect(t, f.wait(id), task.Cancelled, "")
}

func TestAPanicFailsTheTaskAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, task.Kind{Name: "panics", Run: func(context.Context, *task.Run) error { panic("secret") }},
		task.Kind{Name: "works", Run: func(context.Context, *task.Run) error { return nil }},
		task.Kind{Name: "fails", Run: func(context.Context, *task.Run) error { return fault.New(fault.Invalid, "urn: is none") }})
	expect(t, f.wait(f.start("panics", nil, "").ID), task.Failed, "Internal server error occurred")
	expect(t, f.wait(f.start("fails", nil, "").ID), task.Failed, "urn: is none")
	expect(t, f.wait(f.start("works", nil, "").ID), task.Succeeded, "")
}

func TestTheErrorOfATaskKeepsItsKind(t *testing.T) {
	t.Parallel()
	f := newFixture(t, task.Kind{Name: "full", Run: func(context.Context, *task.Run) error { return fault.New(fault.StorageFull, "no room") }},
		task.Kind{Name: "broken", Run: func(context.Context, *task.Run) error { return errors.New("secret") }},
		task.Kind{Name: "works", Run: func(context.Context, *task.Run) error { return nil }})
	for kind, want := range map[string]error{"full": fault.StorageFull, "broken": fault.Internal, "works": nil} {
		got := f.wait(f.start(kind, nil, "").ID)
		if err := got.Err(); !errors.Is(err, want) || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %v", kind, err, want)
		}
	}
}

func TestATaskThatEndsTheProcessAgainAndAgainIsGivenUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	started := task.Task{Kind: "k", State: task.Running, Attempts: 5, Actor: task.Actor{URN: authtest.Jo}}
	id, err := f.cfg.Store.Add(t.Context(), started)
	if err != nil {
		t.Fatal(err)
	}
	f.kinds = []task.Kind{{Name: "k", Run: func(context.Context, *task.Run) error { return nil }}}
	f.restart()
	expect(t, f.wait(id), task.Failed, "ended 5 times while the task was running")
}

func TestATaskOfAKindThatIsGoneFails(t *testing.T) {
	t.Parallel()
	c := newCounting()
	f := newFixture(t, c.kind())
	id := f.start("counting", 1, "").ID
	<-c.steps
	f.kinds = nil
	f.restart()
	expect(t, f.wait(id), task.Failed, "knows no tasks of the kind counting")
}

func TestATaskActsForWhoStartedItWithTheRightsOfNow(t *testing.T) {
	t.Parallel()
	var lost, suspended atomic.Bool
	begun, acted := make(chan struct{}), make(chan auth.Actor, 1)
	f := newFixture(t)
	f.cfg.MayAct = func(_ context.Context, u urn.URN) error {
		if suspended.Load() {
			return fault.New(fault.Forbidden, "%s: the user is suspended", u)
		}
		return nil
	}
	f.kinds = []task.Kind{{
		Name: "k",
		Allow: func(ctx context.Context, _ json.RawMessage) error {
			if actor, _ := auth.ActorFrom(ctx); lost.Load() {
				return fault.New(fault.Forbidden, "%s is unauthorized", actor.URN)
			}
			return nil
		},
		Run: func(ctx context.Context, run *task.Run) error {
			if ended, err := run.Checkpoint(new(bool)); err != nil || ended {
				actor, _ := auth.ActorFrom(ctx)
				acted <- actor
				return err
			}
			if err := run.Save(ctx, task.Progress{}, true); err != nil {
				return err
			}
			begun <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		},
	}}
	f.restart()
	scope := &auth.Scope{Privileges: []auth.Privilege{auth.ManageSystem}}
	for _, c := range []struct {
		name  string
		state task.State
		says  string
		set   func()
	}{
		{"who may still", task.Succeeded, "", func() {}},
		{"who lost the privilege", task.Failed, "urn:li:corpuser:jo is unauthorized", func() { lost.Store(true) }},
		{"who was suspended", task.Failed, "the user is suspended", func() { lost.Store(false); suspended.Store(true) }},
	} {
		suspended.Store(false)
		lost.Store(false)
		started, err := f.Start(auth.WithActor(t.Context(), auth.Actor{URN: authtest.Jo, Scope: scope, TokenID: "x"}), "k", nil, "")
		if err != nil {
			t.Fatal(err)
		}
		<-begun
		c.set()
		f.restart()
		expect(t, f.wait(started.ID), c.state, c.says)
	}
	if actor := <-acted; actor.URN != authtest.Jo || actor.System || actor.Scope == nil || !slices.Equal(actor.Scope.Privileges, scope.Privileges) {
		t.Errorf("it acted as %+v", actor)
	}
	lost.Store(true)
	if _, err := f.Start(authtest.As(t, authtest.Jo), "k", nil, ""); !errors.Is(err, fault.Forbidden) {
		t.Errorf("who may not start it: %v", err)
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, task.Kind{Name: "k", Run: func(context.Context, *task.Run) error { return nil }})
	jo := authtest.As(t, authtest.Jo)
	for _, c := range []struct {
		name   string
		ctx    context.Context
		kind   string
		params any
		key    string
		want   fault.Kind
	}{
		{"somebody unknown", t.Context(), "k", nil, "", fault.Unauthenticated},
		{"an unknown kind", jo, "j", nil, "", fault.Invalid},
		{"a long key", jo, "k", nil, strings.Repeat("x", task.MaxKey+1), fault.Invalid},
		{"large parameters", jo, "k", strings.Repeat("x", task.MaxParams), "", fault.TooLarge},
	} {
		if _, err := f.Start(c.ctx, c.kind, c.params, c.key); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	if _, total, err := f.List(t.Context(), task.Query{}); total != 0 || err != nil {
		t.Errorf("%d tasks were made, %v", total, err)
	}
}

func TestIDsHaveOneForm(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, id := range []task.ID{"", "1", ":1", "node:", "node:x", "node:-1", "node:01", "node:+1", "no de:1", "node:1:2", "node:18446744073709551616", task.ID(strings.Repeat("n", 101) + ":1")} {
		if _, err := f.Get(t.Context(), id); !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := f.Cancel(t.Context(), "node:7"); !errors.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := f.Wait(t.Context(), "node:7"); !errors.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
	for _, q := range []task.Query{{Start: -1}, {Count: -1}, {Count: task.MaxCount + 1}, {States: []task.State{"done"}}} {
		if _, _, err := f.List(t.Context(), q); !errors.Is(err, fault.Malformed) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestEndedTasksAreForgottenByAgeAndNumber(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	f := newFixture(t)
	f.cfg.Now = func() time.Time { return time.UnixMilli(now.Load()) }
	f.cfg.Keep = 3
	f.kinds = []task.Kind{{Name: "k", Run: func(context.Context, *task.Run) error { return nil }}}
	f.restart()
	for range 5 {
		f.wait(f.start("k", nil, "").ID)
	}
	if _, total, err := f.List(t.Context(), task.Query{}); total != 3 || err != nil {
		t.Errorf("%d are kept, %v", total, err)
	}
	now.Add((31 * 24 * time.Hour).Milliseconds())
	last := f.start("k", nil, "").ID
	f.wait(last)
	if left, _, err := f.List(t.Context(), task.Query{}); err != nil || len(left) != 1 || left[0].ID != last {
		t.Errorf("a month later there are %+v, %v", left, err)
	}
}

func TestLargeMessagesAreCutAndLargeCheckpointsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, task.Kind{Name: "k", Run: func(ctx context.Context, run *task.Run) error {
		if err := run.Save(ctx, task.Progress{Message: strings.Repeat("ä", task.MaxMessage)}, nil); err != nil {
			return err
		}
		if err := run.SetResult(strings.Repeat("x", task.MaxResult)); !errors.Is(err, fault.TooLarge) {
			return errors.New("a large result was taken")
		}
		return run.Save(ctx, task.Progress{}, strings.Repeat("x", task.MaxCheckpoint))
	}})
	got := f.wait(f.start("k", nil, "").ID)
	expect(t, got, task.Failed, "checkpoint: has 1048578 bytes")
	if got.Progress.Message != strings.Repeat("ä", task.MaxMessage/2) {
		t.Errorf("message is %q", got.Progress.Message)
	}
}

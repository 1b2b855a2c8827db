// Package tasktest is the conformance suite for drivers of the task store.
package tasktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Run runs all cases on a driver. open returns an empty store; Run closes it.
func Run(t *testing.T, open func(t *testing.T) task.Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s task.Store)
	}{
		{"what is added is got as it was", added},
		{"ids rise and name the node", ids},
		{"a key is taken until its task has ended", keys},
		{"one of many starters gets a key", parallelKeys},
		{"put replaces all but the parameters", replaced},
		{"an ended task keeps what is small", ended},
		{"lists are newest first, filtered and paged", lists},
		{"trimming forgets ended tasks by age and number", trimmed},
		{"a task that is not there is not found", absent},
		{"a cancelled context and a closed store refuse", refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			c.run(t, s)
		})
	}
}

// Add adds a task, which must succeed.
func Add(t testing.TB, s task.Store, one task.Task) task.ID {
	t.Helper()
	if one.State == "" {
		one.State = task.Queued
	}
	id, err := s.Add(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func get(t *testing.T, s task.Store, id task.ID) task.Task {
	t.Helper()
	got, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func put(t *testing.T, s task.Store, one task.Task) {
	t.Helper()
	if err := s.Put(t.Context(), one); err != nil {
		t.Fatal(err)
	}
}

func full() task.Task {
	return task.Task{
		Kind: "reindex", Key: "all", State: task.Running, Progress: task.Progress{Done: 3, Total: 10, Message: "häuser"}, Error: "no", Fault: "invalid",
		Actor:  task.Actor{URN: "urn:li:corpuser:jo", Scope: &auth.Scope{ReadOnly: true, Privileges: []auth.Privilege{auth.ManageSystem}}},
		Result: json.RawMessage(`{"rows":3}`), Created: 1, Started: 2, Saved: 3, Ended: 0, CancelRequested: true, Attempts: 2,
		Params: json.RawMessage(`{"urn":"x"}`), Checkpoint: json.RawMessage(`{"after":"x"}`),
	}
}

func same(t *testing.T, got, want task.Task) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func added(t *testing.T, s task.Store) {
	want := full()
	want.ID = Add(t, s, want)
	same(t, get(t, s, want.ID), want)
	least := task.Task{Kind: "k", State: task.Queued, Actor: task.Actor{URN: "urn:li:corpuser:s", System: true}}
	least.ID = Add(t, s, least)
	same(t, get(t, s, least.ID), least)
}

func ids(t *testing.T, s task.Store) {
	last := uint64(0)
	for range 5 {
		node, number, err := Add(t, s, task.Task{Kind: "k", State: task.Succeeded, Ended: 1}).Parse()
		if err != nil || node != s.Node() || number <= last {
			t.Errorf("%s:%d after %d, node %s: %v", node, number, last, s.Node(), err)
		}
		last = number
		if _, err := s.Trim(t.Context(), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
}

func keys(t *testing.T, s task.Store) {
	first := Add(t, s, task.Task{Kind: "k", Key: "a"})
	for _, key := range []string{"", "", "b"} {
		Add(t, s, task.Task{Kind: "k", Key: key})
	}
	_, err := s.Add(t.Context(), task.Task{Kind: "other", Key: "a", State: task.Queued})
	if !errors.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(first)) {
		t.Errorf("got %v", err)
	}
	one := get(t, s, first)
	one.State = task.Running
	put(t, s, one)
	if _, err := s.Add(t.Context(), task.Task{Kind: "k", Key: "a", State: task.Queued}); !errors.Is(err, fault.Conflict) {
		t.Errorf("got %v while it runs", err)
	}
	one.State, one.Ended = task.Failed, 5
	put(t, s, one)
	Add(t, s, task.Task{Kind: "k", Key: "a"})
}

func parallelKeys(t *testing.T, s task.Store) {
	var work sync.WaitGroup
	won := make(chan task.ID, 20)
	for range cap(won) {
		work.Go(func() {
			if id, err := s.Add(t.Context(), task.Task{Kind: "k", Key: "a", State: task.Queued}); err == nil {
				won <- id
			} else if !errors.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if len(won) != 1 {
		t.Errorf("%d have the key", len(won))
	}
}

func replaced(t *testing.T, s task.Store) {
	want := full()
	want.ID = Add(t, s, want)
	want.Progress, want.Checkpoint, want.Attempts = task.Progress{Done: 4, Total: 10}, json.RawMessage(`{"after":"y"}`), 0
	given := want
	given.Params = nil
	put(t, s, given)
	same(t, get(t, s, want.ID), want)
	given.Checkpoint, want.Checkpoint = nil, nil
	put(t, s, given)
	same(t, get(t, s, want.ID), want)
}

func ended(t *testing.T, s task.Store) {
	for _, size := range []int{10, task.MaxKeptParams + 1} {
		one := full()
		one.Key, one.Params = "", json.RawMessage(`"`+string(bytes.Repeat([]byte("x"), size))+`"`)
		one.ID = Add(t, s, one)
		one.State, one.Ended = task.Succeeded, 9
		put(t, s, one)
		got := get(t, s, one.ID)
		if got.Checkpoint != nil || got.Ended != 9 || len(got.Params) > task.MaxKeptParams || size < task.MaxKeptParams && len(got.Params) != size+2 {
			t.Errorf("%d bytes of parameters became %d, checkpoint %s", size, len(got.Params), got.Checkpoint)
		}
	}
}

func lists(t *testing.T, s task.Store) {
	var all []task.ID
	for i := range 7 {
		one := task.Task{Kind: []string{"even", "odd"}[i%2], State: task.Succeeded, Ended: 1, Params: json.RawMessage(`1`), Checkpoint: json.RawMessage(`1`)}
		if i == 6 {
			one.State, one.Ended, one.Key = task.Running, 0, "k"
		}
		all = append(all, Add(t, s, one))
	}
	slices.Reverse(all)
	for _, c := range []struct {
		name  string
		q     task.Query
		want  []task.ID
		total int
	}{
		{"all", task.Query{}, all, 7},
		{"a page", task.Query{Start: 2, Count: 3}, all[2:5], 7},
		{"beyond the end", task.Query{Start: 9}, nil, 7},
		{"a kind", task.Query{Kinds: []string{"odd"}}, []task.ID{all[1], all[3], all[5]}, 3},
		{"a state", task.Query{States: []task.State{task.Running, task.Queued}}, all[:1], 1},
		{"a key", task.Query{Key: "k"}, all[:1], 1},
		{"a page of a kind", task.Query{Kinds: []string{"even"}, Start: 1, Count: 1}, []task.ID{all[2]}, 4},
	} {
		got, total, err := s.List(t.Context(), c.q)
		var found []task.ID
		for _, one := range got {
			found = append(found, one.ID)
			if one.Params != nil || one.Checkpoint != nil {
				t.Errorf("%s: %s has parameters or a checkpoint", c.name, one.ID)
			}
		}
		if err != nil || total != c.total || !slices.Equal(found, c.want) {
			t.Errorf("%s: got %v of %d, %v; want %v of %d", c.name, found, total, err, c.want, c.total)
		}
	}
}

func trimmed(t *testing.T, s task.Store) {
	Add(t, s, task.Task{Kind: "k", State: task.Running})
	for i := range 10 {
		Add(t, s, task.Task{Kind: "k", State: task.Succeeded, Ended: int64(100 + i)})
	}
	for _, c := range []struct {
		before int64
		keep   int
		gone   int
	}{{0, 100, 0}, {103, 100, 3}, {103, 100, 0}, {0, 5, 2}, {1000, 100, 5}} {
		if n, err := s.Trim(t.Context(), c.before, c.keep); n != c.gone || err != nil {
			t.Errorf("before %d, keep %d: %d went, want %d (%v)", c.before, c.keep, n, c.gone, err)
		}
	}
	if left, _, err := s.List(t.Context(), task.Query{}); err != nil || len(left) != 1 || left[0].State != task.Running {
		t.Errorf("left: %+v, %v", left, err)
	}
}

func absent(t *testing.T, s task.Store) {
	id := Add(t, s, task.Task{Kind: "k"})
	_, number, err := id.Parse()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []task.ID{task.NewID(s.Node(), number+1), task.NewID("elsewhere", number)} {
		if _, err := s.Get(t.Context(), other); !errors.Is(err, fault.NotFound) {
			t.Errorf("get %s: %v", other, err)
		}
		if err := s.Put(t.Context(), task.Task{ID: other, State: task.Running}); !errors.Is(err, fault.NotFound) {
			t.Errorf("put %s: %v", other, err)
		}
	}
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	if n := s.Condition().Failures; n != 0 {
		t.Errorf("%d refusals count as failures of the disk", n)
	}
}

func refused(t *testing.T, s task.Store) {
	id := Add(t, s, task.Task{Kind: "k"})
	calls := func(ctx context.Context) map[string]error {
		_, err1 := s.Add(ctx, task.Task{Kind: "k", State: task.Queued})
		_, err2 := s.Get(ctx, id)
		_, _, err3 := s.List(ctx, task.Query{})
		_, err4 := s.Trim(ctx, 1, 0)
		return map[string]error{"add": err1, "get": err2, "list": err3, "trim": err4, "put": s.Put(ctx, task.Task{ID: id, State: task.Running}), "probe": s.Probe(ctx)}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range calls(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
		}
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(fmt.Errorf("close: %w", err))
	}
	for name, err := range calls(t.Context()) {
		if !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
}

package task_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/task/tasktest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func TestDeferredStore(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(*testing.T) task.Store {
		return task.Deferred(func() (task.Store, error) { return memory.NewTaskStore(), nil })
	})
}

func TestTasksBeginWhenThereIsRoomForTheirStore(t *testing.T) {
	t.Parallel()
	store, full := memory.NewTaskStore(), true
	left := tasktest.Add(t, store, task.Task{Kind: "k", State: task.Running, Actor: task.Actor{URN: authtest.Jo}})
	m := task.New(task.Config{Now: time.Now, Log: logging.Discard(), Store: task.Deferred(func() (task.Store, error) {
		if full {
			return nil, fault.New(fault.StorageFull, "the disk is full")
		}
		return store, nil
	})})
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	m.Register(task.Kind{Name: "k", Run: func(context.Context, *task.Run) error { return nil }})
	if err := m.Begin(t.Context()); !errors.Is(err, fault.StorageFull) || m.Condition().Err == nil {
		t.Errorf("got %v, condition %+v", err, m.Condition())
	}
	if _, err := m.Start(authtest.As(t, authtest.Jo), "k", nil, ""); !errors.Is(err, fault.StorageFull) {
		t.Errorf("a task on a full disk: %v", err)
	}
	if err := m.Probe(t.Context()); !errors.Is(err, fault.StorageFull) {
		t.Errorf("got %v", err)
	}
	full = false
	// Another use opens the store, and still no task runs.
	if _, err := m.Get(t.Context(), left); err != nil || m.Condition().Err == nil {
		t.Errorf("before the probe: %v, condition %+v", err, m.Condition())
	}
	if err := m.Probe(t.Context()); err != nil || m.Condition().Err != nil {
		t.Errorf("got %v, condition %+v", err, m.Condition())
	}
	if got, err := m.Wait(t.Context(), left); err != nil || got.State != task.Succeeded {
		t.Errorf("what was left: %+v, %v", got, err)
	}
}

package ops

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Task is the view of a task for operators. Times are in epoch milliseconds.
type Task struct {
	ID              task.ID         `json:"id"`
	Kind            string          `json:"kind"`
	State           task.State      `json:"state"`
	Actor           urn.URN         `json:"actor"`
	Progress        task.Progress   `json:"progress"`
	Error           string          `json:"error,omitempty"`
	Result          json.RawMessage `json:"result,omitempty"`
	Parameters      json.RawMessage `json:"parameters,omitempty"` // only up to task.MaxKeptParams bytes
	CancelRequested bool            `json:"cancelRequested,omitempty"`
	Created         int64           `json:"created"`
	Started         int64           `json:"started,omitempty"`
	Saved           int64           `json:"saved,omitempty"`
	Ended           int64           `json:"ended,omitempty"`
}

func taskOf(t *task.Task) Task {
	out := Task{
		ID: t.ID, Kind: t.Kind, State: t.State, Actor: t.Actor.URN, Progress: t.Progress, Error: t.Error, Result: t.Result,
		CancelRequested: t.CancelRequested, Created: t.Created, Started: t.Started, Saved: t.Saved, Ended: t.Ended,
	}
	if len(t.Params) <= task.MaxKeptParams {
		out.Parameters = t.Params
	}
	return out
}

// TaskPage is a page of tasks, newest first.
type TaskPage struct {
	Start int    `json:"start"`
	Count int    `json:"count"`
	Total int    `json:"total"`
	Tasks []Task `json:"tasks"`
}

// ListTasks lists tasks of all actors. Like GetTask, WaitTask and CancelTask it requires
// auth.ManageSystem.
func (s *Service) ListTasks(ctx context.Context, q task.Query) (TaskPage, error) {
	if err := s.MayManage(ctx); err != nil {
		return TaskPage{}, err
	}
	list, total, err := s.Tasks.List(ctx, q)
	if err != nil {
		return TaskPage{}, err
	}
	page := TaskPage{Start: q.Start, Count: len(list), Total: total, Tasks: make([]Task, len(list))}
	for i := range list {
		page.Tasks[i] = taskOf(&list[i])
	}
	return page, nil
}

// GetTask returns one task.
func (s *Service) GetTask(ctx context.Context, id task.ID) (Task, error) {
	if err := s.MayManage(ctx); err != nil {
		return Task{}, err
	}
	t, err := s.Tasks.Get(ctx, id)
	return taskOf(&t), err
}

// WaitTask returns when a task has ended. It requires auth.ManageSystem.
func (s *Service) WaitTask(ctx context.Context, id task.ID) error {
	if err := s.MayManage(ctx); err != nil {
		return err
	}
	_, err := s.Tasks.Wait(ctx, id)
	return err
}

// CancelTask requests the end of a task and returns its current state.
func (s *Service) CancelTask(ctx context.Context, id task.ID) (Task, error) {
	if err := s.MayManage(ctx); err != nil {
		return Task{}, err
	}
	t, err := s.Tasks.Cancel(ctx, id)
	return taskOf(&t), err
}

// TaskStatus has the form of the task status of a search engine, which clients expect.
type TaskStatus struct {
	Completed bool           `json:"completed"`
	TaskID    task.ID        `json:"taskId"`
	RunTime   int64          `json:"runTimeNanos"`
	Status    map[string]any `json:"status"`
}

// GetTaskStatus returns the status of a task. It requires auth.GetTaskStatus or auth.ManageSystem.
// A task that does not exist is fault.NotFound, an id of another form is fault.Malformed.
func (s *Service) GetTaskStatus(ctx context.Context, id task.ID) (TaskStatus, error) {
	if err := s.require(ctx, auth.GetTaskStatus, auth.ManageSystem); err != nil {
		return TaskStatus{}, err
	}
	t, err := s.Tasks.Get(ctx, id)
	if err != nil {
		return TaskStatus{}, err
	}
	out := TaskStatus{
		Completed: t.State.Ended(), TaskID: t.ID,
		Status: map[string]any{"kind": t.Kind, "state": t.State, "done": t.Progress.Done, "total": t.Progress.Total},
	}
	if t.Started > 0 {
		end := t.Ended
		if end == 0 {
			end = s.Now().UnixMilli()
		}
		out.RunTime = max(end-t.Started, 0) * int64(time.Millisecond)
	}
	for name, text := range map[string]string{"message": t.Progress.Message, "error": t.Error} {
		if text != "" {
			out.Status[name] = text
		}
	}
	if t.Result != nil {
		out.Status["result"] = t.Result
	}
	return out, nil
}

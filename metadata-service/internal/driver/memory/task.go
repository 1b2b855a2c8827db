package memory

import (
	"context"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

var _ task.Store = (*TaskStore)(nil)

// TaskStore keeps tasks in memory, for tests.
type TaskStore struct {
	mu    sync.Mutex
	last  uint64
	tasks []task.Task // in the order of their numbers
	shut  bool
}

// NewTaskStore returns an empty store.
func NewTaskStore() *TaskStore { return &TaskStore{} }

const memoryNode = "memory"

// Node implements task.Store.
func (s *TaskStore) Node() string { return memoryNode }

// enter acquires the lock, which the caller must release, unless it returns an error.
func (s *TaskStore) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.shut {
		s.mu.Unlock()
		return fault.New(fault.Unavailable, "the store of tasks is closed")
	}
	return nil
}

// Add implements task.Store.
func (s *TaskStore) Add(ctx context.Context, t task.Task) (task.ID, error) {
	if err := s.enter(ctx); err != nil {
		return "", err
	}
	defer s.mu.Unlock()
	for i := range s.tasks {
		if other := &s.tasks[i]; t.Key != "" && other.Key == t.Key && !other.State.Ended() {
			return "", task.Busy(other)
		}
	}
	s.last++
	t.ID = task.NewID(memoryNode, s.last)
	s.tasks = append(s.tasks, cloneTask(t))
	return t.ID, nil
}

// Put implements task.Store.
func (s *TaskStore) Put(ctx context.Context, t task.Task) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	at, err := s.find(t.ID)
	if err != nil {
		return err
	}
	t.Params = s.tasks[at].Params
	if t.State.Ended() {
		t.Checkpoint = nil
		if len(t.Params) > task.MaxKeptParams {
			t.Params = nil
		}
	}
	s.tasks[at] = cloneTask(t)
	return nil
}

func (s *TaskStore) find(id task.ID) (int, error) {
	at := slices.IndexFunc(s.tasks, func(t task.Task) bool { return t.ID == id })
	if at < 0 {
		return 0, task.Absent(id)
	}
	return at, nil
}

// Get implements task.Store.
func (s *TaskStore) Get(ctx context.Context, id task.ID) (task.Task, error) {
	if err := s.enter(ctx); err != nil {
		return task.Task{}, err
	}
	defer s.mu.Unlock()
	at, err := s.find(id)
	if err != nil {
		return task.Task{}, err
	}
	return cloneTask(s.tasks[at]), nil
}

// List implements task.Store.
func (s *TaskStore) List(ctx context.Context, q task.Query) (page []task.Task, total int, err error) {
	if err := s.enter(ctx); err != nil {
		return nil, 0, err
	}
	defer s.mu.Unlock()
	for _, t := range slices.Backward(s.tasks) {
		if !q.Selects(&t) {
			continue
		}
		if q.Page(total) {
			t.Params, t.Checkpoint = nil, nil
			page = append(page, cloneTask(t))
		}
		total++
	}
	return page, total, nil
}

// Trim implements task.Store.
func (s *TaskStore) Trim(ctx context.Context, before int64, keep int) (int, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	kept, ended := make([]task.Task, 0, len(s.tasks)), 0
	for _, t := range slices.Backward(s.tasks) {
		if t.State.Ended() {
			if ended++; ended > keep || t.Ended < before {
				continue
			}
		}
		kept = append(kept, t)
	}
	removed := len(s.tasks) - len(kept)
	slices.Reverse(kept)
	s.tasks = kept
	return removed, nil
}

// Probe implements task.Store.
func (s *TaskStore) Probe(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	s.mu.Unlock()
	return nil
}

// Condition implements task.Store.
func (s *TaskStore) Condition() disk.State { return disk.State{} }

// Close implements task.Store.
func (s *TaskStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	return nil
}

func cloneTask(t task.Task) task.Task {
	t.Params, t.Checkpoint, t.Result = slices.Clone(t.Params), slices.Clone(t.Checkpoint), slices.Clone(t.Result)
	return t
}

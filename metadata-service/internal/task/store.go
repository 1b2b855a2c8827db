package task

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Store is the port of what keeps tasks. All methods are safe for concurrent use; what
// they have stored is durable when they return. A task that is not there is fault.NotFound.
// After Close every call fails with an error of kind fault.Unavailable.
type Store interface {
	// Node is the name of the installation in ids: letters and digits, made with the store.
	Node() string
	// Add stores a new task and gives it an ID, whose numbers rise and are never given again.
	// While another task with the same key has not ended it is fault.Conflict and names that one.
	Add(ctx context.Context, t Task) (ID, error)
	// Put replaces what is stored of a task, all but its parameters, which never change. Once
	// the task has ended it forgets its checkpoint, and parameters of more than MaxKeptParams.
	Put(ctx context.Context, t Task) error
	// Get gives one task with its parameters and checkpoint.
	Get(ctx context.Context, id ID) (Task, error)
	// List gives a page of tasks, newest first, without parameters and checkpoints, and tells
	// how many the query selects.
	List(ctx context.Context, q Query) ([]Task, int, error)
	// Trim forgets ended tasks: those that ended before a time, in epoch milliseconds, and
	// those beyond the newest keep. It returns how many.
	Trim(ctx context.Context, before int64, keep int) (int, error)
	// Probe writes something of no consequence.
	Probe(ctx context.Context) error
	// Condition tells how the last write went.
	Condition() disk.State
	Close() error
}

// Query selects tasks. Empty members select all.
type Query struct {
	Kinds  []string
	States []State
	Key    string
	Start  int // so many are passed over
	Count  int // at most so many; 0 or less means DefaultCount
}

// Pages of a list.
const (
	DefaultCount = 100
	MaxCount     = 1000
)

// Check refuses a query that means nothing.
func (q *Query) Check() error {
	if q.Start < 0 || q.Count < 0 || q.Count > MaxCount {
		return fault.New(fault.Malformed, "start must not be negative and count be between 0 and %d, are %d and %d", MaxCount, q.Start, q.Count)
	}
	for _, s := range q.States {
		if !slices.Contains(States(), s) {
			return fault.New(fault.Malformed, "state: %.40q is not one of %v", s, States())
		}
	}
	return nil
}

// Selects tells whether a task fits, whatever its page.
func (q *Query) Selects(t *Task) bool {
	return has(q.Kinds, t.Kind) && has(q.States, t.State) && (q.Key == "" || q.Key == t.Key)
}

// Page tells whether the task that is the n-th selected one, from 0, belongs to the page.
func (q *Query) Page(n int) bool {
	count := q.Count
	if count == 0 {
		count = DefaultCount
	}
	return n >= q.Start && n-q.Start < count
}

func has[T comparable](list []T, value T) bool { return len(list) == 0 || slices.Contains(list, value) }

// CancelUnended cancels the tasks of a store that no Manager works with, and tells how many.
func CancelUnended(ctx context.Context, s Store, at time.Time, reason string) (n int, err error) {
	for {
		page, _, err := s.List(ctx, Query{States: Unended(), Count: MaxCount})
		if err != nil || len(page) == 0 {
			return n, err
		}
		for _, t := range page {
			t.State, t.Error, t.Ended = Cancelled, cut(reason, maxError), at.UnixMilli()
			if err := s.Put(ctx, t); err != nil {
				return n, err
			}
			n++
		}
	}
}

// Busy says that a task with the same key has not ended.
func Busy(t *Task) error {
	return fault.New(fault.Conflict, "the task %s does the same and is %s; wait for its end or cancel it", t.ID, t.State)
}

// Absent says that there is no such task.
func Absent(id ID) error { return fault.New(fault.NotFound, "there is no task %.100s", id) }

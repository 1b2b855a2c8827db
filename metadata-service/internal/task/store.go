package task

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Store is the port for storing tasks. All methods are safe for concurrent use; their writes are
// durable when they return. An absent task is fault.NotFound. After Close every call fails with an
// error of kind fault.Unavailable.
type Store interface {
	// Node returns the name of the installation in ids. It is created with the store.
	Node() string
	// Add stores a new task and gives it an ID. Numbers of ids increase and are never reused. While
	// another task with the same key has not ended, the error is fault.Conflict and names that
	// task.
	Add(ctx context.Context, t Task) (ID, error)
	// Put replaces the stored fields of a task except for its parameters, which never change. When
	// the task has ended, Put removes its checkpoint, and parameters of more than MaxKeptParams
	// bytes.
	Put(ctx context.Context, t Task) error
	// Get returns one task with its parameters and checkpoint.
	Get(ctx context.Context, id ID) (Task, error)
	// List returns a page of tasks, newest first, without parameters and checkpoints, and the
	// number of all tasks that the query selects.
	List(ctx context.Context, q Query) ([]Task, int, error)
	// Trim deletes ended tasks: those that ended before a time in epoch milliseconds, and those
	// beyond the newest keep. It returns their number.
	Trim(ctx context.Context, before int64, keep int) (int, error)
	// Probe makes a test write.
	Probe(ctx context.Context) error
	// Condition returns the result of the last write.
	Condition() disk.State
	Close() error
}

// Query selects tasks. Empty members select all.
type Query struct {
	Kinds  []string
	States []State
	Key    string
	Start  int // number of tasks to skip
	Count  int // maximum number of tasks, at most MaxCount; 0 means DefaultCount
}

// Page sizes of a list.
const (
	DefaultCount = 100
	MaxCount     = 1000
)

// Check returns fault.Malformed for an invalid query.
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

// Selects reports whether a task meets the conditions. It ignores Start and Count.
func (q *Query) Selects(t *Task) bool {
	return isSelected(q.Kinds, t.Kind) && isSelected(q.States, t.State) && (q.Key == "" || q.Key == t.Key)
}

// Page reports whether the n-th selected task, counted from 0, belongs to the page.
func (q *Query) Page(n int) bool {
	count := q.Count
	if count == 0 {
		count = DefaultCount
	}
	return n >= q.Start && n-q.Start < count
}

func isSelected[T comparable](list []T, value T) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// CancelUnended cancels the unended tasks of a store without a Manager, and returns their number.
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

// Busy returns the error for a key of a task that has not ended.
func Busy(t *Task) error {
	return fault.New(fault.Conflict, "the task %s does the same and is %s; wait for its end or cancel it", t.ID, t.State)
}

// Absent returns the error for an absent task.
func Absent(id ID) error { return fault.New(fault.NotFound, "there is no task %.100s", id) }

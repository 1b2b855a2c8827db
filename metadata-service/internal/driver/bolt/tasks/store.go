// Package tasks is the embedded driver of the tasks. It uses a separate bbolt file, so progress is
// saved without waiting for the store of the catalog. A damaged file is renamed, and a new one
// takes its place.
package tasks

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
)

// The file has these buckets:
//
//	tasks        number -> the task without parameters and checkpoint, as JSON
//	params       number -> its parameters
//	checkpoints  number -> its checkpoint
//	live         number -> the key of a task that has not ended
//	meta         node   -> the name of the installation
//
// The sequence of the bucket tasks is the number of the last task, so no number is assigned twice.
var (
	tasksBucket      = []byte("tasks")
	paramsBucket     = []byte("params")
	checkpointBucket = []byte("checkpoints")
	liveBucket       = []byte("live")
	metaBucket       = []byte("meta")

	nodeKey = []byte("node")
)

// Config holds the settings and dependencies of a Store.
type Config struct {
	Path string
	Now  func() time.Time
	Log  *slog.Logger
}

var _ task.Store = (*Store)(nil)

// Store keeps tasks in one file.
type Store struct {
	file *auxfile.File
	node atomic.Pointer[string] // changes when a damaged file is replaced
}

// Open opens the file and creates it if it is absent. A damaged file is renamed and replaced by a
// new one.
func Open(cfg Config) (*Store, error) {
	s := &Store{}
	file, err := auxfile.Open(auxfile.Config{Path: cfg.Path, Holds: "the file of the tasks", Initialise: s.initialise, Now: cfg.Now, Log: cfg.Log})
	if err != nil {
		return nil, err
	}
	s.file = file
	return s, nil
}

func (s *Store) initialise(tx *bbolt.Tx) error {
	for _, name := range buckets() {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	node := string(tx.Bucket(metaBucket).Get(nodeKey))
	if node == "" {
		node = rand.Text()
		if err := tx.Bucket(metaBucket).Put(nodeKey, []byte(node)); err != nil {
			return err
		}
	}
	s.node.Store(&node)
	return nil
}

func buckets() [][]byte {
	return [][]byte{tasksBucket, paramsBucket, checkpointBucket, liveBucket, metaBucket}
}

// Node implements task.Store.
func (s *Store) Node() string { return *s.node.Load() }

// update changes the file, unless ctx has ended.
func (s *Store) update(ctx context.Context, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.file.Update(fn)
}

// Add implements task.Store.
func (s *Store) Add(ctx context.Context, t task.Task) (id task.ID, err error) {
	add := func(tx *bbolt.Tx) error {
		if err := refuseBusy(tx, t.Key); err != nil {
			return err
		}
		number, err := tx.Bucket(tasksBucket).NextSequence()
		if err != nil {
			return err
		}
		t.ID = task.NewID(s.Node(), number)
		key := numberKey(number)
		if len(t.Params) > 0 {
			if err := tx.Bucket(paramsBucket).Put(key, t.Params); err != nil {
				return err
			}
		}
		return put(tx, key, t)
	}
	err = s.update(ctx, add)
	if auxfile.IsDamage(err) {
		err = s.update(ctx, add)
	}
	return t.ID, err
}

// refuseBusy returns an error if a task with this key has not ended.
func refuseBusy(tx *bbolt.Tx, key string) error {
	if key == "" {
		return nil
	}
	return tx.Bucket(liveBucket).ForEach(func(number, of []byte) error {
		if string(of) != key {
			return nil
		}
		other, err := read(tx, number)
		if err != nil {
			return err
		}
		return task.Busy(&other)
	})
}

func numberKey(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }

// record is the stored form of a task in the bucket tasks.
type record struct {
	ID              task.ID         `json:"id"`
	Kind            string          `json:"kind"`
	Key             string          `json:"key,omitempty"`
	Actor           task.Actor      `json:"actor"`
	State           task.State      `json:"state"`
	Progress        task.Progress   `json:"progress"`
	Error           string          `json:"error,omitempty"`
	Fault           string          `json:"fault,omitempty"`
	Result          json.RawMessage `json:"result,omitempty"`
	Created         int64           `json:"created"`
	Started         int64           `json:"started,omitempty"`
	Saved           int64           `json:"saved,omitempty"`
	Ended           int64           `json:"ended,omitempty"`
	CancelRequested bool            `json:"cancelRequested,omitempty"`
	Attempts        int             `json:"attempts,omitempty"`
}

func recordOf(t *task.Task) record {
	return record{t.ID, t.Kind, t.Key, t.Actor, t.State, t.Progress, t.Error, t.Fault, t.Result, t.Created, t.Started, t.Saved, t.Ended, t.CancelRequested, t.Attempts}
}

func (r *record) task() task.Task {
	return task.Task{
		ID: r.ID, Kind: r.Kind, Key: r.Key, Actor: r.Actor, State: r.State, Progress: r.Progress, Error: r.Error, Fault: r.Fault, Result: r.Result,
		Created: r.Created, Started: r.Started, Saved: r.Saved, Ended: r.Ended, CancelRequested: r.CancelRequested, Attempts: r.Attempts,
	}
}

// put stores all parts of a task except its parameters.
func put(tx *bbolt.Tx, key []byte, t task.Task) error {
	text, err := json.Marshal(recordOf(&t))
	if err != nil {
		return err
	}
	if err := tx.Bucket(tasksBucket).Put(key, text); err != nil {
		return err
	}
	if t.State.Ended() {
		return end(tx, key)
	}
	if err := tx.Bucket(liveBucket).Put(key, []byte(t.Key)); err != nil {
		return err
	}
	if len(t.Checkpoint) == 0 {
		return tx.Bucket(checkpointBucket).Delete(key)
	}
	return tx.Bucket(checkpointBucket).Put(key, t.Checkpoint)
}

// end deletes the parts that an ended task does not need.
func end(tx *bbolt.Tx, key []byte) error {
	if len(tx.Bucket(paramsBucket).Get(key)) > task.MaxKeptParams {
		if err := tx.Bucket(paramsBucket).Delete(key); err != nil {
			return err
		}
	}
	if err := tx.Bucket(liveBucket).Delete(key); err != nil {
		return err
	}
	return tx.Bucket(checkpointBucket).Delete(key)
}

// Put implements task.Store.
func (s *Store) Put(ctx context.Context, t task.Task) error {
	return s.update(ctx, func(tx *bbolt.Tx) error {
		key, err := s.find(tx, t.ID)
		if err != nil {
			return err
		}
		return put(tx, key, t)
	})
}

// find returns the key of an existing task.
func (s *Store) find(tx *bbolt.Tx, id task.ID) ([]byte, error) {
	node, number, err := id.Parse()
	if err != nil {
		return nil, err
	}
	key := numberKey(number)
	if node != s.Node() || tx.Bucket(tasksBucket).Get(key) == nil {
		return nil, task.Absent(id)
	}
	return key, nil
}

func read(tx *bbolt.Tx, key []byte) (task.Task, error) {
	return decode(tx.Bucket(tasksBucket).Get(key))
}

func decode(value []byte) (task.Task, error) {
	var r record
	if err := json.Unmarshal(value, &r); err != nil {
		return task.Task{}, fmt.Errorf("%w: %w", auxfile.ErrCorrupt, err)
	}
	return r.task(), nil
}

// Get implements task.Store.
func (s *Store) Get(ctx context.Context, id task.ID) (t task.Task, err error) {
	err = s.file.View(ctx, func(tx *bbolt.Tx) error {
		key, err := s.find(tx, id)
		if err != nil {
			return err
		}
		if t, err = read(tx, key); err != nil {
			return err
		}
		t.Params = append(t.Params, tx.Bucket(paramsBucket).Get(key)...)
		t.Checkpoint = append(t.Checkpoint, tx.Bucket(checkpointBucket).Get(key)...)
		return nil
	})
	return t, err
}

// checkEvery is the number of tasks between two checks of the context.
const checkEvery = 64

// walk calls visit for each task, newest first.
func walk(ctx context.Context, tx *bbolt.Tx, visit func(key []byte, t *task.Task) error) error {
	cursor := tx.Bucket(tasksBucket).Cursor()
	n := 0
	for key, value := cursor.Last(); key != nil; key, value = cursor.Prev() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t, err := decode(value)
		if err != nil {
			return err
		}
		if err := visit(key, &t); err != nil {
			return err
		}
	}
	return nil
}

// List implements task.Store.
func (s *Store) List(ctx context.Context, q task.Query) (page []task.Task, total int, err error) {
	err = s.file.View(ctx, func(tx *bbolt.Tx) error {
		return walk(ctx, tx, func(_ []byte, t *task.Task) error {
			if !q.Selects(t) {
				return nil
			}
			if q.Page(total) {
				page = append(page, *t)
			}
			total++
			return nil
		})
	})
	if err != nil {
		return nil, 0, err
	}
	return page, total, nil
}

// Trim implements task.Store.
func (s *Store) Trim(ctx context.Context, before int64, keep int) (int, error) {
	old, err := s.old(ctx, before, keep)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	return len(old), s.update(ctx, func(tx *bbolt.Tx) error {
		for _, key := range old {
			for _, bucket := range [][]byte{tasksBucket, paramsBucket, checkpointBucket} {
				if err := tx.Bucket(bucket).Delete(key); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// old returns the keys of the tasks that Trim deletes. Ended tasks never change, so listing and
// deletion need no common transaction.
func (s *Store) old(ctx context.Context, before int64, keep int) (old [][]byte, err error) {
	ended := 0
	err = s.file.View(ctx, func(tx *bbolt.Tx) error {
		return walk(ctx, tx, func(key []byte, t *task.Task) error {
			if !t.State.Ended() {
				return nil
			}
			if ended++; ended > keep || t.Ended < before {
				old = append(old, append([]byte(nil), key...))
			}
			return nil
		})
	})
	return old, err
}

// Probe implements task.Store.
func (s *Store) Probe(ctx context.Context) error {
	return s.update(ctx, func(*bbolt.Tx) error { return nil })
}

// Condition implements task.Store.
func (s *Store) Condition() disk.State { return s.file.Condition() }

// Close waits for reads and writes in progress.
func (s *Store) Close() error { return s.file.Close() }

package tasks_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/task/tasktest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func open(t testing.TB, path string) *tasks.Store {
	t.Helper()
	s, err := tasks.Open(tasks.Config{Path: path, Now: time.Now, Log: logging.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(t *testing.T) task.Store { return open(t, filepath.Join(t.TempDir(), "tasks.db")) })
}

func TestTasksNodeAndNumbersSurviveARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tasks.db")
	s := open(t, path)
	node := s.Node()
	first := tasktest.Add(t, s, task.Task{Kind: "k", Key: "x", State: task.Queued, Params: []byte(`{"a":1}`)})
	second := tasktest.Add(t, s, task.Task{Kind: "k", State: task.Succeeded, Ended: 1})
	if n, err := s.Trim(t.Context(), 2, 10); n != 1 || err != nil {
		t.Fatalf("%d trimmed, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	if s.Node() != node {
		t.Errorf("node was %s and is %s", node, s.Node())
	}
	if got, err := s.Get(t.Context(), first); err != nil || string(got.Params) != `{"a":1}` || got.State != task.Queued {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Add(t.Context(), task.Task{Kind: "k", Key: "x"}); !errors.Is(err, fault.Conflict) {
		t.Errorf("the key is free after a restart: %v", err)
	}
	if third := tasktest.Add(t, s, task.Task{Kind: "k"}); third == first || third == second {
		t.Errorf("the id %s was given again", third)
	}
}

func TestADamagedFileIsSetAsideAndIdsAreOfAnotherNode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tasks.db")
	s := open(t, path)
	id := tasktest.Add(t, s, task.Task{Kind: "k"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("no store at all "), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	again := tasktest.Add(t, s, task.Task{Kind: "k"})
	if again == id || s.Condition().Damage == nil {
		t.Errorf("%s was given again, condition %+v", id, s.Condition())
	}
	if _, err := s.Get(t.Context(), id); !errors.Is(err, fault.NotFound) {
		t.Errorf("a task of the damaged file: %v", err)
	}
	if found, err := filepath.Glob(path + ".damaged-*"); err != nil || len(found) != 1 {
		t.Errorf("set aside: %v, %v", found, err)
	}
}

func TestInspectionReadsEveryTask(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tasks.db")
	s := open(t, path)
	tasktest.Add(t, s, task.Task{Kind: "k", Key: "x"})
	tasktest.Add(t, s, task.Task{Kind: "k", State: task.Succeeded, Ended: 1})
	if _, err := tasks.Inspect(t.Context(), path); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("of a file in use: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if problems, err := tasks.Inspect(t.Context(), path); err != nil || len(problems) > 0 {
		t.Errorf("of a sound file: %v, %v", problems, err)
	}
	for _, c := range []struct {
		corrupt func(*bbolt.Tx) error
		want    string
	}{
		{func(tx *bbolt.Tx) error { return tx.Bucket([]byte("live")).Delete([]byte{0, 0, 0, 0, 0, 0, 0, 1}) }, ":1 is queued, and its key is noted otherwise"},
		{func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("tasks")).Put([]byte{0, 0, 0, 0, 0, 0, 0, 2}, []byte("{"))
		}, "task 0000000000000002 cannot be read"},
		{func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("params")) }, "the bucket params is missing"},
	} {
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(c.corrupt), db.Close()); err != nil {
			t.Fatal(err)
		}
		if problems, err := tasks.Inspect(t.Context(), path); err != nil || !strings.Contains(strings.Join(problems, "; "), c.want) {
			t.Errorf("got %v, %v, want %q", problems, err, c.want)
		}
	}
}

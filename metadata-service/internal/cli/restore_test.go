package cli_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/command"
)

// unendedTruncation adds to a data directory a task that truncates all profiles and was
// interrupted.
func unendedTruncation(t *testing.T, dir string) task.ID {
	t.Helper()
	store, err := tasks.Open(tasks.Config{Path: filepath.Join(dir, "tasks.db"), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	params, err := json.Marshal(ops.Truncation{EntityType: "dataset", Aspect: "datasetProfile", End: 1_760_000_000_000, BatchSize: 100})
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.Add(t.Context(), task.Task{
		Kind: "truncateTimeseriesAspect", Key: "truncate", Actor: task.Actor{URN: "urn:li:corpuser:__datahub_system", System: true}, State: task.Running, Created: 1, Started: 2, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}

// backupOf writes the files of a stopped service as a backup.
func backupOf(t *testing.T, dir, file string) {
	t.Helper()
	var sources []backup.Source
	for _, pattern := range []string{"data-format", "catalog.db", "timeseries/*.db", "tasks.db", "secrets/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, backup.Source{Name: name, Size: int64(len(text)), Close: func() error { return nil }, WriteTo: func(w io.Writer) (int64, error) {
				n, err := w.Write(text)
				return int64(n), err
			}})
		}
	}
	taken, err := backup.Take(t.Context(), backup.Config{Spool: filepath.Dir(file), Version: "test", Secrets: true, Now: time.Now}, sources)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := taken.WriteTo(t.Context(), out); err != nil {
		t.Fatal(err)
	}
}

func profiles(t *testing.T, s *apptest.Service) int {
	t.Helper()
	status, answer := s.Call(http.MethodPost, "/aspects?action=getTimeseriesAspectValues",
		`{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,exported,PROD)","entity":"dataset","aspect":"datasetProfile","limit":10}`)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	return strings.Count(answer, "timestampMillis")
}

func TestARestoredTruncationGoesOnOnlyWhenThatIsAskedFor(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	running(t, dir).Stop()
	id := string(unendedTruncation(t, dir))
	backupOf(t, dir, file)

	into := filepath.Join(folder, "without")
	code, stdout, notes := call(t, "restore", file, "--into", into)
	if code != command.OK || !strings.Contains(stdout, "tasks that had not ended were cancelled: 1; ") || !strings.Contains(stdout, "--keep-tasks") {
		t.Fatalf("got %d, %q, %q", code, stdout, notes)
	}
	s := apptest.Start(t, into)
	code, stdout, notes = call(t, "ops", "task", id, "--data-dir", into)
	if code != command.OK || !strings.Contains(stdout, "cancelled") || !strings.Contains(stdout, "restored without its unended tasks; start it again if it is still wanted") {
		t.Errorf("got %d, %q, %q", code, stdout, notes)
	}
	if n := profiles(t, s); n != 1 {
		t.Errorf("there are %d profiles", n)
	}
	// The same task can be started again.
	if code, stdout, notes = call(t, "ops", "truncate", "--type", "dataset", "--aspect", "datasetProfile", "--before", "2026-01-01", "--execute", "--data-dir", into); code != command.OK {
		t.Errorf("got %d, %q, %q", code, stdout, notes)
	}
	s.Stop()

	into = filepath.Join(folder, "with")
	code, stdout, notes = call(t, "restore", file, "--into", into, "--keep-tasks")
	if code != command.OK || !strings.Contains(stdout, "tasks that had not ended go on at the next start: 1\n") {
		t.Fatalf("got %d, %q, %q", code, stdout, notes)
	}
	s = apptest.Start(t, into)
	code, stdout, notes = call(t, "ops", "task", id, "--wait", "--data-dir", into)
	if code != command.OK || !strings.Contains(stdout, "succeeded") {
		t.Errorf("got %d, %q, %q", code, stdout, notes)
	}
	if n := profiles(t, s); n != 0 {
		t.Errorf("there are %d profiles", n)
	}
}

func TestABackupWithoutUnendedTasksIsRestoredWithoutAWordOfThem(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	running(t, dir)
	if code, _, notes := call(t, "backup", "--data-dir", dir, "--out", file); code != command.OK {
		t.Fatal(notes)
	}
	if code, stdout, notes := call(t, "restore", file, "--into", filepath.Join(folder, "into")); code != command.OK || strings.Contains(stdout, "tasks") {
		t.Errorf("got %d, %q, %q", code, stdout, notes)
	}
}

package history_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/history"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *history.File {
	t.Helper()
	f, err := history.Open(path, start, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheHistoryIsThereAfterARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.json")
	f := open(t, path)
	if len(f.Sizes()) != 0 || len(f.Backups()) != 0 || !f.LastSizes().IsZero() {
		t.Error("a history that begins is not empty")
	}
	if err := f.AddSizes(start, map[string]int64{"a": 5, "b": 7}); err != nil {
		t.Fatal(err)
	}
	if err := f.AddSizes(start.Add(time.Hour), map[string]int64{"a": 6}); err != nil {
		t.Fatal(err)
	}
	for i := range history.MaxBackups + 3 {
		if err := f.AddBackup(history.Backup{Ended: int64(i), To: strings.Repeat("/x", 2_000)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []*history.File{f, open(t, path)} {
		if got := fmt.Sprint(f.Sizes()); got != "map[a:[{1767225600000 5} {1767229200000 6}] b:[{1767225600000 7}]]" {
			t.Error(got)
		}
		if !f.LastSizes().Equal(start.Add(time.Hour)) {
			t.Error(f.LastSizes())
		}
		if b := f.Backups(); len(b) != history.MaxBackups || b[0].Ended != history.MaxBackups+2 || len(b[0].To) != 1_000 {
			t.Errorf("%d backups, %+v", len(b), b[0])
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestWhatIsLongAgoIsToldInLargerSteps(t *testing.T) {
	t.Parallel()
	f := open(t, filepath.Join(t.TempDir(), "history.json"))
	const days = 350
	for day := range days {
		if err := f.AddSizes(start.AddDate(0, 0, day), map[string]int64{"a": int64(day)}); err != nil {
			t.Fatal(err)
		}
		points := f.Sizes()["a"]
		if len(points) > history.MaxPoints || points[0].Bytes != 0 || points[len(points)-1].Bytes != int64(day) {
			t.Fatalf("after %d days: %d points, from %v to %v", day+1, len(points), points[0], points[len(points)-1])
		}
	}
	points := f.Sizes()["a"]
	for i := 1; i < len(points); i++ {
		if points[i].At <= points[i-1].At {
			t.Fatalf("%v stands behind %v", points[i], points[i-1])
		}
	}
	for _, p := range points[len(points)-90:] {
		if p.At < start.AddDate(0, 0, days-90).UnixMilli() {
			t.Errorf("of the last 90 days some are gone: %v", p)
		}
	}
}

func TestIndicesOfWhichNothingIsHeardMakeRoom(t *testing.T) {
	t.Parallel()
	f := open(t, filepath.Join(t.TempDir(), "history.json"))
	old := map[string]int64{}
	for i := range history.MaxIndices {
		old[fmt.Sprintf("old%03d", i)] = 1
	}
	if err := f.AddSizes(start, old); err != nil {
		t.Fatal(err)
	}
	if err := f.AddSizes(start.Add(time.Hour), map[string]int64{"new": 1, "old000": 2}); err != nil {
		t.Fatal(err)
	}
	sizes := f.Sizes()
	if len(sizes) != history.MaxIndices || sizes["new"] == nil || len(sizes["old000"]) != 2 || sizes["old001"] != nil {
		t.Errorf("%d indices", len(sizes))
	}
}

func TestAFileThatCannotBeReadIsSetAside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.json")
	if err := os.WriteFile(path, []byte(`{"sizes":{"a":[{"at":1`), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	f, err := history.Open(path, start, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil || len(f.Sizes()) != 0 || !strings.Contains(log.String(), "begins anew") {
		t.Fatalf("%v, %s", err, &log)
	}
	if text, err := os.ReadFile(path + ".damaged-20260101T000000Z"); err != nil || !strings.Contains(string(text), `"at":1`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := f.AddBackup(history.Backup{Ended: 1}); err != nil || len(open(t, path).Backups()) != 1 {
		t.Error(err)
	}
}

func TestWhatCannotBeWrittenDownIsNotThere(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "gone")
	f := open(t, filepath.Join(folder, "history.json"))
	if err := f.AddSizes(start, map[string]int64{"a": 1}); err == nil || len(f.Sizes()) != 0 {
		t.Errorf("%v, %v", err, f.Sizes())
	}
}

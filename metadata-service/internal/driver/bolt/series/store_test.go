package series_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries/timeseriestest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const tsIndexName = "dataset_operationaspect_v1"

// openTimeseries opens a folder whose files are checked after the test.
func openTimeseries(t testing.TB, dir string) *series.Store {
	t.Helper()
	s, err := series.Open(dir, series.Config{LockTimeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		checkTimeseries(t, dir)
	})
	return s
}

// checkTimeseries asks each file whether its pages are sound and its buckets agree.
func checkTimeseries(t testing.TB, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		db, err := bbolt.Open(file, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
		if err != nil {
			t.Fatalf("check %s: %v", filepath.Base(file), err)
		}
		err = db.View(func(tx *bbolt.Tx) error {
			for err := range tx.Check() {
				t.Errorf("check %s: %v", filepath.Base(file), err)
			}
			docs := tx.Bucket([]byte("docs")).Stats().KeyN
			for _, name := range []string{"ids", "urns", "times"} {
				if n := tx.Bucket([]byte(name)).Stats().KeyN; n != docs {
					t.Errorf("check %s: %d keys in %s for %d documents", filepath.Base(file), n, name, docs)
				}
			}
			return nil
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Errorf("check %s: %v", filepath.Base(file), err)
		}
	}
}

func tsBatch(sequence uint64, docs ...timeseries.Document) timeseries.Batch {
	batch := timeseries.Batch{Sequence: sequence}
	for i := range docs {
		batch.Ops = append(batch.Ops, timeseries.Op{Upsert: &docs[i]})
	}
	return batch
}

func tsDocument(id string, at int64) timeseries.Document {
	return timeseries.Document{ID: id, URN: "urn:li:dataset:d", Time: at, Event: []byte(`{}`)}
}

func tsApply(t *testing.T, s *series.Store, batch timeseries.Batch) {
	t.Helper()
	if err := s.Apply(context.Background(), tsIndexName, batch); err != nil {
		t.Fatal(err)
	}
}

func tsIDs(t *testing.T, s *series.Store) string {
	t.Helper()
	docs, err := s.Find(context.Background(), tsIndexName, timeseries.Query{Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return strings.Join(ids, " ")
}

func TestTimeseries(t *testing.T) {
	timeseriestest.Run(t, func(t *testing.T) timeseries.Store { return openTimeseries(t, t.TempDir()) })
}

func BenchmarkTimeseries(b *testing.B) {
	timeseriestest.Benchmark(b, func(b *testing.B) timeseries.Store { return openTimeseries(b, b.TempDir()) })
}

func TestTimeseriesReopenKeepsEverything(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "a", "b")
	s := openTimeseries(t, dir)
	tsApply(t, s, tsBatch(3, tsDocument("a", 1), tsDocument("b", 2), tsDocument("c", 3)))
	if gone, err := s.Truncate(ctx, tsIndexName, 1); err != nil || gone != 1 {
		t.Fatalf("truncate: got %d, %v, want 1", gone, err)
	}
	tsApply(t, s, tsBatch(4, tsDocument("d", 4)))
	before, err := s.Sizes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openTimeseries(t, dir)
	after, err := s.Sizes(ctx)
	if err != nil || len(after) != 1 || after[0] != before[0] {
		t.Errorf("sizes: got %v, %v, want %v", after, err, before)
	}
	if applied, err := s.Applied(ctx, tsIndexName); err != nil || applied != 4 {
		t.Errorf("applied: got %d, %v, want 4", applied, err)
	}
	tsApply(t, s, tsBatch(4, tsDocument("again", 9)))
	tsApply(t, s, tsBatch(5, tsDocument("e", 5)))
	if got := tsIDs(t, s); got != "b c d e" {
		t.Errorf("got %s, want b c d e", got)
	}
}

func TestTimeseriesFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "series")
	s := openTimeseries(t, dir)
	tsApply(t, s, tsBatch(1, tsDocument("a", 1), tsDocument("b", 2)))
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, tsIndexName+".db"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got mode %o, want %o", filepath.Base(path), got, want)
		}
	}
	if _, err := s.Truncate(context.Background(), tsIndexName, 1); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, tsIndexName+".db")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("after truncate: got %v, %v, want mode 600", info.Mode(), err)
	}
}

func TestTimeseriesSizeIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTimeseries(t, dir)
	for n := range 40 {
		d := tsDocument(fmt.Sprint(n), int64(n))
		d.Event = []byte(`"` + strings.Repeat("x", 30_000) + `"`)
		tsApply(t, s, tsBatch(uint64(n+1), d))
	}
	sizes, err := s.Sizes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, tsIndexName+".db"))
	if err != nil {
		t.Fatal(err)
	}
	if sizes[0].Bytes != info.Size() || info.Size() > 40*30_000*3/2 {
		t.Errorf("got %d bytes, the file has %d for %d of documents", sizes[0].Bytes, info.Size(), 40*30_000)
	}
}

func TestTimeseriesClearsAwayHalfWrittenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{tsIndexName + ".tmp", "notes.txt", "Other.db", "Other.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if sizes, err := s.Sizes(context.Background()); err != nil || len(sizes) != 0 {
		t.Errorf("sizes: got %v, %v, want nothing", sizes, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 || left[0].Name() != "Other.db" || left[1].Name() != "Other.tmp" || left[2].Name() != "notes.txt" {
		t.Errorf("got %v, %v, want only the half-written index gone", left, err)
	}
}

func TestTimeseriesInUseElsewhereIsUnavailable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tsApply(t, openTimeseries(t, dir), tsBatch(1, tsDocument("a", 1)))
	other, err := series.Open(dir, series.Config{LockTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, err = other.Find(context.Background(), tsIndexName, timeseries.Query{})
	if !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tsIndexName) {
		t.Errorf("got %v, want unavailable with the name of the index", err)
	}
}

func TestTimeseriesDamagedFileIsAnErrorOfItsIndexAlone(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chart_broken.db"), []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tsApply(t, s, tsBatch(1, tsDocument("a", 1)))
	if got := tsIDs(t, s); got != "a" {
		t.Errorf("got %s, want a", got)
	}
	_, findErr := s.Find(ctx, "chart_broken", timeseries.Query{})
	applyErr := s.Apply(ctx, "chart_broken", tsBatch(1, tsDocument("a", 1)))
	_, latestErr := s.Latest(ctx, "chart_broken", []urn.URN{"urn:li:chart:c"})
	for call, err := range map[string]error{"find": findErr, "apply": applyErr, "latest": latestErr} {
		if fault.KindOf(err) != fault.Internal || err == nil || !strings.Contains(err.Error(), "chart_broken") {
			t.Errorf("%s: got %v, want an internal error that names the index", call, err)
		}
	}
}

func TestOpenOnAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := series.Open(file, series.Config{}); err == nil {
		t.Error("got no error for a folder that is a file")
	}
}

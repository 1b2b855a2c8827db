package series_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

const (
	crashDir   = "CARTULARY_TEST_TIMESERIES_CRASH_DIR" // set only for the child
	crashBatch = 5                                     // documents per batch
	crashEvery = 7                                     // batches between compactions
	crashKeep  = 10                                    // batches that are kept
)

// TestCrashChild is the process that is killed: it writes batch n at time n, regularly erases old
// batches and compacts, and prints n once the store has confirmed it.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv(crashDir)
	if dir == "" {
		t.Skip("runs as the child of TestKilledAtAnyMoment")
	}
	ctx := context.Background()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Applied(ctx, indexName)
	if err != nil {
		t.Fatal(err)
	}
	for {
		n++
		var docs []timeseries.Document
		for i := range crashBatch {
			d := document(fmt.Sprintf("%d-%d", n, i), int64(n))
			d.Event = []byte(strconv.Quote(strings.Repeat("x", 5000)))
			docs = append(docs, d)
		}
		batch := upserts(n, docs...)
		if n%crashEvery == 0 {
			end := int64(n) - crashKeep
			batch.Ops = append(batch.Ops, timeseries.Op{Erase: &timeseries.Query{To: &end}})
		}
		if err := s.Apply(ctx, indexName, batch); err != nil {
			t.Fatal(err)
		}
		if n%crashEvery == 0 {
			if _, err := s.Compact(ctx, indexName); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Printf("confirmed %d\n", n)
	}
}

// TestKilledAtAnyMoment kills a writing process repeatedly. CARTULARY_SOAK sets the number of
// rounds.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	rounds := dbfiletest.SoakRounds(t, 4)
	dir := t.TempDir()
	for range rounds {
		confirmed := killWriter(t, dir, 1+rand.IntN(30))
		checkSurvivors(t, dir, confirmed)
		checkFiles(t, dir)
	}
}

// killWriter kills a child after it has confirmed some batches, during a later one, and returns the
// last confirmed number.
func killWriter(t *testing.T, dir string, batches int) (confirmed uint64) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
	child.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "confirmed ")
		if !ok {
			t.Errorf("the child says: %s", lines.Text())
			continue
		}
		if confirmed, err = strconv.ParseUint(text, 10, 64); err != nil {
			break // the kill truncated the line; its confirmation does not count
		}
		if batches--; batches == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil {
		t.Error("the child was to be killed and ended by itself")
	}
	return confirmed
}

func checkSurvivors(t *testing.T, dir string, confirmed uint64) {
	t.Helper()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	applied, err := s.Applied(context.Background(), indexName)
	if err != nil || applied < confirmed || applied > confirmed+1 {
		t.Errorf("applied: got %d, %v, want %d or the one after", applied, err, confirmed)
	}
	docs, err := s.Find(context.Background(), indexName, timeseries.Query{Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	first := docs[0].Time
	for i, d := range docs {
		want := fmt.Sprintf("%d-%d", first+int64(i/crashBatch), i%crashBatch)
		if d.ID != want || len(d.Event) != 5002 {
			t.Fatalf("document %d: got %s with %d bytes, want %s whole", i, d.ID, len(d.Event), want)
		}
	}
	if want := crashBatch * (int64(applied) - first + 1); int64(len(docs)) != want {
		t.Errorf("got %d documents from batch %d to %d, want %d", len(docs), first, applied, want)
	}
	// A truncation after the last confirmed batch may or may not have happened.
	afterConfirmed := max(int64(confirmed-confirmed%crashEvery)-crashKeep, 0)
	afterApplied := max(int64(applied-applied%crashEvery)-crashKeep, 0)
	if first-1 != afterConfirmed && first-1 != afterApplied {
		t.Errorf("documents begin at batch %d, want %d or %d", first, afterConfirmed+1, afterApplied+1)
	}
}

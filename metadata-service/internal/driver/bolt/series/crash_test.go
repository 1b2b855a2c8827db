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

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

const (
	tsCrashDir   = "CARTULARY_TEST_TIMESERIES_CRASH_DIR" // set for the child only
	tsCrashBatch = 5                                     // documents of a batch
	tsCrashEvery = 7                                     // batches between truncations
	tsCrashKeep  = 10                                    // batches a truncation leaves
)

// TestTimeseriesCrashChild is the process that gets killed: it writes batch n at
// time n, truncates now and then, and prints n once the store has confirmed it.
func TestTimeseriesCrashChild(t *testing.T) {
	dir := os.Getenv(tsCrashDir)
	if dir == "" {
		t.Skip("runs as the child of TestTimeseriesCrash")
	}
	ctx := context.Background()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Applied(ctx, tsIndexName)
	if err != nil {
		t.Fatal(err)
	}
	truncate := func() {
		if n == 0 || n%tsCrashEvery != 0 {
			return
		}
		if _, err := s.Truncate(ctx, tsIndexName, int64(n)-tsCrashKeep); err != nil {
			t.Fatal(err)
		}
	}
	// The kill may have come between a batch and its truncation.
	truncate()
	for {
		n++
		var docs []timeseries.Document
		for i := range tsCrashBatch {
			d := tsDocument(fmt.Sprintf("%d-%d", n, i), int64(n))
			d.Event = []byte(strconv.Quote(strings.Repeat("x", 5000)))
			docs = append(docs, d)
		}
		if err := s.Apply(ctx, tsIndexName, tsBatch(n, docs...)); err != nil {
			t.Fatal(err)
		}
		truncate()
		fmt.Printf("confirmed %d\n", n)
	}
}

// TestTimeseriesCrash kills a writing process again and again. CARTULARY_SOAK
// sets the number of rounds.
func TestTimeseriesCrash(t *testing.T) {
	t.Parallel()
	rounds := 4
	if soak, err := strconv.Atoi(os.Getenv("CARTULARY_SOAK")); err == nil {
		rounds = soak
	}
	dir := t.TempDir()
	for range rounds {
		confirmed := tsKillWriter(t, dir, 1+rand.IntN(30))
		tsCheckAfterCrash(t, dir, confirmed)
		checkTimeseries(t, dir)
	}
}

// tsKillWriter lets a child confirm some batches and kills it in the midst of
// the next; it returns the last number that was confirmed.
func tsKillWriter(t *testing.T, dir string, batches int) (confirmed uint64) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestTimeseriesCrashChild$")
	child.Env = append(os.Environ(), tsCrashDir+"="+dir)
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
			break // the kill cut the line short; what it confirmed does not count
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

func tsCheckAfterCrash(t *testing.T, dir string, confirmed uint64) {
	t.Helper()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	applied, err := s.Applied(context.Background(), tsIndexName)
	if err != nil || applied < confirmed || applied > confirmed+1 {
		t.Errorf("applied: got %d, %v, want %d or the one after", applied, err, confirmed)
	}
	docs, err := s.Find(context.Background(), tsIndexName, timeseries.Query{Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	first := docs[0].Time
	for i, d := range docs {
		want := fmt.Sprintf("%d-%d", first+int64(i/tsCrashBatch), i%tsCrashBatch)
		if d.ID != want || len(d.Event) != 5002 {
			t.Fatalf("document %d: got %s with %d bytes, want %s whole", i, d.ID, len(d.Event), want)
		}
	}
	if want := tsCrashBatch * (int64(applied) - first + 1); int64(len(docs)) != want {
		t.Errorf("got %d documents from batch %d to %d, want %d", len(docs), first, applied, want)
	}
	// A truncation after the last confirmed batch may have happened or not.
	sure := max(int64(confirmed-confirmed%tsCrashEvery)-tsCrashKeep, 0)
	maybe := max(int64(applied-applied%tsCrashEvery)-tsCrashKeep, 0)
	if first-1 != sure && first-1 != maybe {
		t.Errorf("documents begin at batch %d, want %d or %d", first, sure+1, maybe+1)
	}
}

package failure_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

func open(t *testing.T, path string) *recordfile.Store {
	t.Helper()
	kept, err := recordfile.Open(recordfile.Config{Path: path, Now: time.Now, Log: logging.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	return kept
}

func of(n int) []failure.Failure {
	return []failure.Failure{{URN: urn.URN(fmt.Sprintf("urn:li:tag:%d", n)), Aspect: "status", Reason: "Expected version 7, actual version -1"}}
}

func TestFailuresOutliveARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "records.db")
	kept := open(t, path)
	log := failure.New(kept)
	for n := range 2 {
		if err := log.Note(t.Context(), "a", of(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	log = failure.New(open(t, path))
	if got, err := log.Of(t.Context(), "a"); err != nil || !slices.Equal(got, append(of(0), of(1)...)) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := log.Of(t.Context(), "b"); err != nil || got != nil {
		t.Errorf("another request has %v, %v", got, err)
	}
}

func TestTheOldestFailuresAreForgotten(t *testing.T) {
	t.Parallel()
	log := failure.New(open(t, filepath.Join(t.TempDir(), "records.db"))).Keeping(1000)
	trace := func(n int) string { return fmt.Sprintf("%032d", 100-n) } // the order of IDs is not that of time
	for n := range 50 {
		if err := log.Note(t.Context(), trace(n), of(n)); err != nil {
			t.Fatal(err)
		}
	}
	var kept []int
	for n := range 50 {
		got, err := log.Of(t.Context(), trace(n))
		if err != nil {
			t.Fatal(err)
		}
		if got != nil {
			kept = append(kept, n)
		}
	}
	if len(kept) < 8 || len(kept) > 12 || kept[0] != 50-len(kept) {
		t.Errorf("kept are %v, want the latest ten or so", kept)
	}
	var many []failure.Failure
	for n := range 20 {
		many = append(many, of(n)...)
	}
	if err := log.Note(t.Context(), "many", many); fault.KindOf(err) != fault.Precondition {
		t.Errorf("more than can be kept gives %v", err)
	}
	if got, err := log.Of(t.Context(), trace(49)); err != nil || got == nil {
		t.Errorf("what was refused has displaced others: %v, %v", got, err)
	}
}

package roaring_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/metadata-service/internal/search/searchtest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestTheIndexConforms(t *testing.T) {
	t.Parallel()
	searchtest.Run(t, func(t *testing.T, schemas []search.Schema) searchtest.Index {
		x, err := roaring.Open(roaring.Config{Path: t.TempDir(), Schemas: schemas})
		if err != nil {
			t.Fatal(err)
		}
		return x
	})
}

// snapshot returns a directory with a saved index of some documents.
func snapshot(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	x, err := roaring.Open(roaring.Config{Path: dir, Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		d := sample.Document(i % 50)
		if err := x.Apply(t.Context(), uint64(i+1), []search.Change{{URN: d.URN, Document: d}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// content returns the fingerprints of all documents of an index, by URN.
func content(t *testing.T, x *roaring.Index) map[urn.URN]uint64 {
	t.Helper()
	all := map[urn.URN]uint64{}
	err := x.Fingerprints(t.Context(), func(u urn.URN, print uint64) bool {
		all[u] = print
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// applied returns the sequence of an index.
func applied(t testing.TB, x *roaring.Index) uint64 {
	t.Helper()
	at, err := x.Applied(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// stale returns the reason why an index must be rebuilt.
func stale(t testing.TB, x *roaring.Index) string {
	t.Helper()
	why, err := x.Stale(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return why
}

func reopened(t *testing.T, dir string, schemas []search.Schema) *roaring.Index {
	t.Helper()
	x, err := roaring.Open(roaring.Config{Path: dir, Schemas: schemas})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return x
}

func TestASnapshotIsTakenUpWhereItWas(t *testing.T) {
	t.Parallel()
	x := reopened(t, snapshot(t), sample.Schemas())
	if stale(t, x) != "" || applied(t, x) != 60 || len(content(t, x)) != 50 {
		t.Errorf("stale %q, at %d, with %d documents", stale(t, x), applied(t, x), len(content(t, x)))
	}
}

func TestOtherFieldsAskForARebuild(t *testing.T) {
	t.Parallel()
	dir := snapshot(t)
	x := reopened(t, dir, sample.Schemas()[:1])
	if !strings.Contains(stale(t, x), "fields") || len(content(t, x)) != 50 {
		t.Errorf("stale %q, with %d documents to go on from", stale(t, x), len(content(t, x)))
	}
	// A stale index must not be saved as a fresh one.
	if err := x.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := reopened(t, dir, sample.Schemas()[:1]); stale(t, again) == "" {
		t.Error("saving made a stale index fresh")
	}
	if err := x.Rebuild(t.Context(), 99, func(put func([]*search.Document) error) error { return put([]*search.Document{sample.Document(1)}) }); err != nil {
		t.Fatal(err)
	}
	if err := x.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := reopened(t, dir, sample.Schemas()[:1]); stale(t, again) != "" || applied(t, again) != 99 || len(content(t, again)) != 1 {
		t.Errorf("after a rebuild: stale %q, at %d", stale(t, again), applied(t, again))
	}
}

func TestAnotherRevisionOfDocumentsAsksForARebuild(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Path: snapshot(t), Schemas: sample.Schemas(), Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close(context.Background()) })
	if stale(t, x) == "" || len(content(t, x)) != 50 {
		t.Errorf("stale %q, with %d documents", stale(t, x), len(content(t, x)))
	}
}

func TestAMissingFileAsksForARebuild(t *testing.T) {
	t.Parallel()
	dir := snapshot(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.segment"))
	if err != nil || len(files) == 0 {
		t.Fatal("no segments", err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if x := reopened(t, dir, sample.Schemas()); !strings.Contains(stale(t, x), "missing") {
		t.Errorf("stale is %q", stale(t, x))
	}
}

// TestDamageIsNoticed flips bytes of files and truncates them: the index must report that it needs
// a rebuild, or have its former contents.
func TestDamageIsNoticed(t *testing.T) {
	t.Parallel()
	dir := snapshot(t)
	whole := content(t, reopened(t, dir, sample.Schemas()))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range trials.Count(300) {
		name := files[random.IntN(len(files))]
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bad := bytes.Clone(good)
		if random.IntN(4) == 0 {
			bad = bad[:random.IntN(len(bad))]
		} else {
			bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
		}
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := roaring.Open(roaring.Config{Path: dir, Schemas: sample.Schemas()})
		if err != nil {
			t.Fatal(err)
		}
		if stale(t, x) == "" && len(content(t, x)) != len(whole) {
			t.Fatalf("damage of %s is not noticed", filepath.Base(name))
		}
		if _, err := x.Search(t.Context(), search.Query{Types: []string{"dataset"}, Text: "orders", Size: 10}); err != nil {
			t.Fatal(err)
		}
		if err := x.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAQueryThatLooksAtTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas(), MaxQueryCost: roaring.DefaultMaxQueryCost / 10})
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for i := range 5_000 {
		d := sample.Document(i)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	var patterns strings.Builder // equal ones would be evaluated once
	for i := range 900 {
		_, _ = fmt.Fprintf(&patterns, "name:*%c*%c*%d* OR ", 'a'+i%26, 'a'+i/26%26, i)
	}
	q := search.Query{Types: []string{"dataset"}, Structured: true, Text: "(" + patterns.String() + "x)", Size: 10}
	if _, err := x.Search(t.Context(), q); fault.KindOf(err) != fault.Malformed {
		t.Errorf("900 patterns: %v", err)
	}
	q.Text = "name:*a*b* OR inv* OR \"orders daily\""
	if r, err := x.Search(t.Context(), q); err != nil || r.Total == 0 {
		t.Errorf("a few patterns find %d: %v", r.Total, err)
	}
}

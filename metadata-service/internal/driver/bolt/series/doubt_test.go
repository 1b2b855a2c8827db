package series

import (
	"context"
	"os"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// TestAnIndexHealsAfterAFailedCommit causes a failed commit by opening the file read-only without
// the driver's knowledge.
func TestAnIndexHealsAfterAFailedCommit(t *testing.T) {
	t.Parallel()
	const index = "dataset_operationaspect_v1"
	ctx := context.Background()
	s, err := Open(t.TempDir(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	batch := func(sequence uint64) timeseries.Batch {
		d := timeseries.Document{ID: string(rune('a' + sequence)), URN: "urn:li:dataset:d", Time: int64(sequence)}
		return timeseries.Batch{Sequence: sequence, Ops: []timeseries.Op{{Upsert: &d}}}
	}
	if err := s.Apply(ctx, index, batch(1)); err != nil {
		t.Fatal(err)
	}
	x := s.indices[index]
	if err := x.file.db.Close(); err != nil {
		t.Fatal(err)
	}
	readOnly := func(path string, _ int, _ os.FileMode) (*os.File, error) { return os.Open(path) }
	if x.file.db, err = bbolt.Open(x.path, 0o600, &bbolt.Options{OpenFile: readOnly}); err != nil {
		t.Fatal(err)
	}

	if err := s.Apply(ctx, index, batch(2)); err == nil {
		t.Fatal("a commit to a file that cannot be written succeeded")
	}
	if docs, err := s.Find(ctx, index, timeseries.Query{}); err != nil || len(docs) != 1 {
		t.Errorf("after the failure: got %v, %v, want the document before it", docs, err)
	}
	if err := s.Apply(ctx, index, batch(2)); err != nil {
		t.Errorf("the next write: %v", err)
	}
	if docs, err := s.Find(ctx, index, timeseries.Query{}); err != nil || len(docs) != 2 {
		t.Errorf("after it: got %v, %v, want both documents", docs, err)
	}
}

package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/pkg/urn"
)

// countingReader counts the schema versions that are read.
type countingReader struct {
	*catalog.Service
	schemas int
}

func (r *countingReader) History(ctx context.Context, u urn.URN, aspect string, limit int) iter.Seq2[catalog.Aspect, error] {
	return func(yield func(catalog.Aspect, error) bool) {
		for found, err := range r.Service.History(ctx, u, aspect, limit) {
			if aspect == "schemaMetadata" {
				r.schemas++
			}
			if !yield(found, err) {
				return
			}
		}
	}
}

func TestSchemasAreReadOneAfterAnother(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for i := range 9 {
		f.put(t, orders, "schemaMetadata", schema("id Number int", fmt.Sprintf("c%d Number int", i)))
	}
	r := &countingReader{Service: f.w.Catalog}
	s := timeline.New(f.w.Registry, r, f.w.Discover, nil)
	all, err := s.SchemaVersions(f.ctx, orders)
	if err != nil || len(all) != 9 || r.schemas != 9 {
		t.Fatalf("got %d versions of %d schemas, %v", len(all), r.schemas, err)
	}
	// Only the read of the next version shows whether a version is the current one.
	for i, v := range all {
		r.schemas = 0
		if _, err := s.Blame(f.ctx, orders, v.Stamp); err != nil {
			t.Fatal(err)
		}
		if want := min(i+2, len(all)); r.schemas != want {
			t.Errorf("%d schemas were read to tell of version %d, want %d", r.schemas, i, want)
		}
	}
}

// TestVersionsTakeTurnsBeforeTheyAreDecoded sums the processor time that a timeline reserves, and
// refuses it in the middle.
func TestVersionsTakeTurnsBeforeTheyAreDecoded(t *testing.T) {
	t.Parallel()
	const most = 9
	f := setUp(t)
	noTurn := errors.New("no turn")
	var spent, limit time.Duration
	r := &countingReader{Service: f.w.Catalog}
	s := timeline.New(f.w.Registry, r, f.w.Discover, func(_ context.Context, _ int64, work time.Duration) error {
		if spent += work; limit > 0 && spent > limit {
			return noTurn
		}
		return nil
	})
	for i := range most {
		f.put(t, orders, "schemaMetadata", schema("id Number int", fmt.Sprintf("c%d Number int", i)))
	}
	if _, err := s.SchemaVersions(f.ctx, orders); err != nil || spent < most*20*time.Microsecond {
		t.Fatalf("%d versions take %s, %v", most, spent, err)
	}
	spent, limit, r.schemas = 0, spent/2, 0
	if _, err := s.SchemaVersions(f.ctx, orders); !errors.Is(err, noTurn) || r.schemas > most/2+1 {
		t.Errorf("%d versions were read, %v", r.schemas, err)
	}
}

package timeline_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/pkg/urn"
)

// countingReader counts the versions of schemas that are read.
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
	// Whether a version is the present one shows when the next is read.
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

package catalog_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aspectReads counts the entities whose aspects are read from a store.
type aspectReads struct {
	store.Store
	entities int
}

func (r *aspectReads) Unwrap() store.Store { return r.Store }

func (r *aspectReads) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	r.entities += len(urns)
	return r.Store.Aspects(ctx, urns, names...)
}

func TestAnEntityThatIsAskedForRepeatedlyIsReadOnce(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	reads := &aspectReads{Store: on.Store}
	on.Store = reads
	f := catalogtest.New(t, on)
	const times, length = 1000, 10_000
	large, small := urn.Make("tag", "large"), urn.Make("tag", "small")
	f.Put(large, "tagProperties", `{"name":"large","description":"`+strings.Repeat("x", length)+`"}`)
	f.Put(small, "tagProperties", `{"name":"small"}`)
	var reserved int64
	f.Reserve = func(_ context.Context, bytes int64) error {
		reserved += bytes
		return nil
	}
	asked := append(slices.Repeat([]urn.URN{large}, times), small, large)
	reads.entities = 0
	found, err := f.Entities(f.As(jo), asked, catalog.EntityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range found {
		if e.URN != asked[i] || !e.Exists {
			t.Fatalf("place %d holds %s", i, e.URN)
		}
	}
	if len(found) != len(asked) || reads.entities != 2 || reserved > 2*length {
		t.Errorf("%d found, %d entities read, %d bytes reserved", len(found), reads.entities, reserved)
	}
	_, err = f.Entities(f.As(jo), asked, catalog.EntityQuery{MaxBytes: times * length / 2})
	catalogtest.WantFault(t, err, fault.TooLarge, "")
}

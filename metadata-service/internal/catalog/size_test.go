package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// announcedSizes records the sizes that updates announce to a store.
type announcedSizes struct {
	store.Store
	last int
}

func (a *announcedSizes) Unwrap() store.Store { return a.Store }

func (a *announcedSizes) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	a.last = store.SizeOf(ctx)
	return a.Store.Update(ctx, fn)
}

func TestABatchAnnouncesTheSizeOfItsValues(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	sizes := &announcedSizes{Store: on.Store}
	on.Store = sizes
	f := catalogtest.New(t, on)
	const large = 300_000
	described := func(id string, size int) catalog.Proposal {
		return catalogtest.Proposal(urn.Make("tag", id), "tagProperties", `{"name":"t","description":"`+strings.Repeat("x", size)+`"}`)
	}
	write := func(batch ...catalog.Proposal) int {
		t.Helper()
		if _, err := f.Write(f.As(model.RootUser), batch, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		return sizes.last
	}
	if got := write(described("a", 10)); got < 10 || got > 200 {
		t.Errorf("a small value announced %d bytes", got)
	}
	if got := write(described("b", large), described("c", large)); got < 2*large || got > 2*large+400 {
		t.Errorf("two values of %d bytes announced %d", large, got)
	}
}

package discover_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// interrupted is a store that runs a function once, in the middle of a scan of tags, and fails
// scans while it is set to.
type interrupted struct {
	*memory.Store
	once   sync.Once
	meddle func()
	broken error
}

func (s *interrupted) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	page, err := s.Store.Scan(ctx, q)
	if q.Type == "tag" && s.meddle != nil {
		s.once.Do(s.meddle)
	}
	return page, err
}

var _ interface {
	store.Store
	graph.Reader
} = (*interrupted)(nil)

func (f *fixture) tags(t *testing.T) int {
	t.Helper()
	page, err := f.List(f.as(jo), discover.ListQuery{Types: []string{"tag"}, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// The first total of a type scans its entities; removals and restorations during the scan count.
func TestWhatIsRemovedWhileATotalIsCountedCounts(t *testing.T) {
	t.Parallel()
	on, under := inMemory(), &interrupted{Store: memory.NewStore()}
	on.Store = under
	f := newFixture(t, on)
	f.write(
		proposal("urn:li:tag:stays", "status", `{}`), proposal("urn:li:tag:goes", "status", `{}`),
		proposal("urn:li:tag:returns", "status", `{"removed":true}`), proposal("urn:li:tag:removed", "status", `{"removed":true}`),
	)
	under.meddle = func() {
		f.put("urn:li:tag:goes", "status", `{"removed":true}`)
		f.put("urn:li:tag:returns", "status", `{"removed":false}`)
		f.put("urn:li:container:other", "status", `{"removed":true}`)
	}
	if n := f.tags(t); n != 2 {
		t.Errorf("%d tags are counted, want the one that stays and the one that returns", n)
	}
	f.put("urn:li:tag:removed", "status", `{"removed":false}`)
	if n := f.tags(t); n != 3 {
		t.Errorf("%d tags are counted, want 3", n)
	}
}

func TestATotalThatCouldNotBeCountedIsCountedLater(t *testing.T) {
	t.Parallel()
	on, under := inMemory(), &interrupted{Store: memory.NewStore()}
	on.Store = under
	f := newFixture(t, on)
	f.write(proposal("urn:li:tag:a", "status", `{}`), proposal("urn:li:tag:b", "status", `{"removed":true}`))
	under.broken = fault.New(fault.Unavailable, "the store cannot be read")
	if _, err := f.List(f.as(jo), discover.ListQuery{Types: []string{"tag"}, Limit: 1}); !errors.Is(err, under.broken) {
		t.Errorf("got %v", err)
	}
	under.broken = nil
	if n := f.tags(t); n != 1 {
		t.Errorf("%d tags are counted, want 1", n)
	}
	sink := discover.NewRemovalSink(f.Service)
	if sink.Name() == "" || sink.Durable() {
		t.Errorf("the sink %q is durable: %t; what it knows lives in memory", sink.Name(), sink.Durable())
	}
	if err := sink.Apply(t.Context(), []store.Entry{{Kind: store.Touched, URN: "urn:li:tag:a", Aspect: "status"}}); err != nil {
		t.Error(err)
	}
	if n, err := f.List(f.as(model.SystemActor), discover.ListQuery{Types: []string{"tag"}, Limit: 5, IncludeSoftDeleted: true}); err != nil || n.Total != 2 || len(n.URNs) != 2 {
		t.Errorf("soft-deleted ones included: %+v, %v", n, err)
	}
}

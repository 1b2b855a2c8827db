package catalog_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// holding counts, for the checks of container contents that are made in the transaction, whether
// the transaction keeps its turn.
type holding struct {
	authtest.Plain
	kept, given *atomic.Int32
}

func (h holding) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	if slices.ContainsFunc(checks, func(c auth.Check) bool { return c.Within != "" }) {
		if idle.Holds(ctx) {
			h.kept.Add(1)
		} else {
			h.given.Add(1)
		}
	}
	return h.Plain.Decide(ctx, checks)
}

func TestATransactionKeepsItsTurn(t *testing.T) {
	t.Parallel()
	var kept, given atomic.Int32
	on := catalogtest.InMemory()
	on.Authorizer = holding{kept: &kept, given: &given}
	f := catalogtest.New(t, on)
	f.Put("urn:li:container:it", "container", `{"container":"urn:li:container:one"}`)
	_, _ = f.Write(f.As("urn:li:corpuser:jo"), []catalog.Proposal{catalogtest.Proposal("urn:li:container:it", "container", `{"container":"urn:li:container:other"}`)}, catalog.WriteOptions{})
	if kept.Load() == 0 || given.Load() > 0 {
		t.Errorf("%d checks kept the turn, %d did not", kept.Load(), given.Load())
	}
}

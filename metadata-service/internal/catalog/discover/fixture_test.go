package discover_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"

	dataset          = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	chart            = "urn:li:chart:(looker,c1)"
	property urn.URN = "urn:li:structuredProperty:team.cost"
)

// fixture is a Service on a catalog with real drivers and projections, and a clock that the test
// sets.
type fixture struct {
	*discover.Service
	t     testing.TB
	clock *atomic.Int64 // milliseconds
}

func inMemory() catalogtest.Drivers { return catalogtest.InMemory() }

func newFixture(t testing.TB, on catalogtest.Drivers) *fixture {
	t.Helper()
	removals := &removalSink{}
	on.Sinks = append(on.Sinks, removals)
	base := catalogtest.New(t, on)
	f := &fixture{t: t, clock: base.Clock, Service: discover.New(discover.Config{Catalog: base.Service, Index: base.Index, Graph: base.Graph})}
	removals.of.Store(f.Service)
	return f
}

// removalSink is the sink of a service that is created after the catalog whose log the sink
// follows.
type removalSink struct {
	of atomic.Pointer[discover.Service]
}

func (*removalSink) Name() string  { return "removals" }
func (*removalSink) Durable() bool { return false }

func (r *removalSink) Apply(ctx context.Context, entries []store.Entry) error {
	if s := r.of.Load(); s != nil {
		return discover.NewRemovalSink(s).Apply(ctx, entries)
	}
	return nil
}

// onDrivers runs a test on each driver.
func onDrivers(t *testing.T, story func(t *testing.T, f *fixture)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		story(t, newFixture(t, inMemory()))
	})
	t.Run("bolt", func(t *testing.T) {
		t.Parallel()
		story(t, newFixture(t, catalogtest.OnDisk(t)))
	})
}

// as returns a context with a user as the actor.
func (f *fixture) as(u urn.URN) context.Context {
	return auth.WithActor(f.t.Context(), auth.Actor{URN: u, System: u == model.SystemActor})
}

func proposal(u urn.URN, aspect, value string, change ...model.ChangeType) catalog.Proposal {
	return catalogtest.Proposal(u, aspect, value, change...)
}

// write writes a batch as the system.
func (f *fixture) write(batch ...catalog.Proposal) {
	f.t.Helper()
	if _, err := f.Catalog.Write(f.as(model.SystemActor), batch, catalog.WriteOptions{}); err != nil {
		f.t.Fatalf("write: %v", err)
	}
}

// put upserts one aspect as the system.
func (f *fixture) put(u urn.URN, aspect, value string) {
	f.t.Helper()
	f.write(proposal(u, aspect, value))
}

// remove deletes an entity as the system.
func (f *fixture) remove(u urn.URN) {
	f.t.Helper()
	if _, err := f.Catalog.DeleteEntity(f.as(model.SystemActor), u); err != nil {
		f.t.Fatal(err)
	}
}

func wantFault(t testing.TB, err error, kind fault.Kind, text string) {
	t.Helper()
	catalogtest.WantFault(t, err, kind, text)
}

func properties(description string) string {
	return fmt.Sprintf(`{"name":"pii","description":%q}`, description)
}

// withProperty returns a structured property of texts and a value of it on the dataset.
func withProperty(value string) []catalog.Proposal {
	return []catalog.Proposal{
		proposal("urn:li:dataType:datahub.string", "dataTypeInfo", `{"qualifiedName":"datahub.string"}`),
		proposal("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`),
		proposal(property, "propertyDefinition",
			`{"qualifiedName":"team.cost","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`),
		proposal(dataset, "structuredProperties", fmt.Sprintf(`{"properties":[{"propertyUrn":%q,"values":[{"string":%q}]}]}`, property, value)),
	}
}

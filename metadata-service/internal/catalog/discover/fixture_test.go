package discover_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"
	day          = 1_800_000_000_000 // the time at which tests begin

	dataset          = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	chart            = "urn:li:chart:(looker,c1)"
	property urn.URN = "urn:li:structuredProperty:team.cost"
)

// registry never changes, and loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// fixture finds in a catalog on real drivers with its projections and a clock
// that moves by hand.
type fixture struct {
	*discover.Service
	t     testing.TB
	index *roaring.Index
	clock *atomic.Int64
}

// drivers are what a fixture stands on.
type drivers struct {
	store interface {
		store.Store
		graph.Reader
	}
	documents  timeseries.Store
	authorizer catalog.Authorizer
}

func inMemory() drivers {
	return drivers{store: memory.NewStore(), documents: memory.NewTimeseries(), authorizer: policy.Root{}}
}

func onDisk(t testing.TB) drivers {
	t.Helper()
	dir := t.TempDir()
	rows, err := bolt.Open(t.Context(), filepath.Join(dir, "catalog.db"), bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := series.Open(filepath.Join(dir, "timeseries"), series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(documents.Close(), rows.Close()); err != nil {
			t.Error(err)
		}
	})
	return drivers{store: rows, documents: documents, authorizer: policy.Root{}}
}

func newFixture(t testing.TB, on drivers) *fixture {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, clock: &atomic.Int64{}}
	f.clock.Store(day)
	now := func() time.Time { return time.UnixMilli(f.clock.Load()) }
	lazy := &lazyFollower{}
	if f.index, err = roaring.Open(roaring.Config{Schemas: document.Schemas(reg)}); err != nil {
		t.Fatal(err)
	}
	kernel := catalog.New(catalog.Config{
		Registry: reg, Store: on.store, Graph: on.store, Documents: on.documents, Authorizer: on.authorizer, Follower: lazy, Now: now, Log: logging.Discard(),
	})
	f.Service = discover.New(discover.Config{Catalog: kernel, Index: f.index, Graph: on.store})
	indexer, err := indexing.New(t.Context(), indexing.Config{
		Registry: reg, Store: on.store, Graph: on.store, Index: f.index, Now: now, Log: logging.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	lazy.Follower, err = projection.Start(t.Context(), projection.Config{
		Log: on.store, Now: now, Logger: logging.Discard(), Awaited: []projection.Sink{indexer, discover.NewRemovalSink(f.Service)},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(lazy.Close(), indexer.Close(), f.index.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return f
}

// lazyFollower is there before the follower, which needs sinks that need the catalog.
type lazyFollower struct{ *projection.Follower }

// onDrivers runs a story on each driver.
func onDrivers(t *testing.T, story func(t *testing.T, f *fixture)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		story(t, newFixture(t, inMemory()))
	})
	t.Run("bolt", func(t *testing.T) {
		t.Parallel()
		story(t, newFixture(t, onDisk(t)))
	})
}

// as is a context in which a user acts.
func (f *fixture) as(u urn.URN) context.Context {
	return auth.WithActor(f.t.Context(), auth.Actor{URN: u, System: u == model.SystemActor})
}

// proposal is an upsert unless a change is given.
func proposal(u urn.URN, aspect, value string, change ...model.ChangeType) catalog.Proposal {
	p := catalog.Proposal{URN: string(u), Aspect: aspect}
	if value != "" {
		p.Value = json.RawMessage(value)
	}
	if len(change) > 0 {
		p.Change = change[0]
	}
	return p
}

// write carries out a batch as the system.
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
	if err == nil {
		t.Errorf("want %v (%s), got no error", kind, text)
		return
	}
	if fault.KindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("want %v with %q, got %v: %v", kind, text, fault.KindOf(err), err)
	}
}

func properties(description string) string {
	return fmt.Sprintf(`{"name":"pii","description":%q}`, description)
}

// withProperty is a structured property of texts that the dataset has a value of.
func withProperty(value string) []catalog.Proposal {
	return []catalog.Proposal{
		proposal("urn:li:dataType:datahub.string", "dataTypeInfo", `{"qualifiedName":"datahub.string"}`),
		proposal("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`),
		proposal(property, "propertyDefinition",
			`{"qualifiedName":"team.cost","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`),
		proposal(dataset, "structuredProperties", fmt.Sprintf(`{"properties":[{"propertyUrn":%q,"values":[{"string":%q}]}]}`, property, value)),
	}
}

package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/seal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"
	day          = 1_800_000_000_000 // the time at which tests begin

	dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	chart   = "urn:li:chart:(looker,c1)"
)

// registry never changes, and loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// fixture is a catalog on real drivers with its projections and a clock that
// moves by hand.
type fixture struct {
	*catalog.Service
	t         testing.TB
	store     store.Store
	documents timeseries.Store
	index     search.Index
	clock     *atomic.Int64
}

// drivers are what a fixture stands on.
type drivers struct {
	store      store.Store
	documents  timeseries.Store
	authorizer catalog.Authorizer
	sinks      []projection.Sink
}

// inMemory runs every transaction twice and leaves gaps in the log, as a store may.
func inMemory() drivers {
	return drivers{store: twice{storetest.WithGaps(memory.NewStore())}, documents: memory.NewTimeseries(), authorizer: policy.Root{}}
}

func onDisk(t testing.TB) drivers {
	t.Helper()
	dir := t.TempDir()
	rows, err := bolt.OpenStore(t.Context(), filepath.Join(dir, "catalog.db"), bolt.StoreConfig{})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := bolt.OpenTimeseries(filepath.Join(dir, "timeseries"), bolt.TimeseriesConfig{})
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
	f := &fixture{t: t, store: on.store, documents: on.documents, clock: &atomic.Int64{}}
	f.clock.Store(day)
	now := func() time.Time { return time.UnixMilli(f.clock.Load()) }
	lazy := &lazyFollower{}
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	if err != nil {
		t.Fatal(err)
	}
	f.index = index
	relationships := edgesOf(on.store)
	sealer, err := seal.New("a sealing key for tests, which is long enough")
	if err != nil {
		t.Fatal(err)
	}
	f.Service = catalog.New(catalog.Config{
		Sealer:   sealer,
		Registry: reg, Store: on.store, Graph: relationships, Index: index, Documents: on.documents, Authorizer: on.authorizer, Follower: lazy, Now: now, Log: logging.Discard(),
	})
	retention, err := catalog.NewRetentionSink(t.Context(), f.Service)
	if err != nil {
		t.Fatal(err)
	}
	indexer, err := indexing.New(t.Context(), indexing.Config{
		Registry: reg, Store: on.store, Graph: relationships, Index: index, Now: now, Log: logging.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	sinks := append([]projection.Sink{
		indexer,
		catalog.NewDocumentSink(reg, on.documents), retention,
	}, on.sinks...)
	follower, err := projection.Start(t.Context(), projection.Config{Log: on.store, Now: now, Logger: logging.Discard(), Awaited: sinks})
	if err != nil {
		t.Fatal(err)
	}
	lazy.Follower = follower
	t.Cleanup(func() {
		if err := follower.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// edgesOf finds the driver under what tests wrap around it.
func edgesOf(st store.Store) graph.Reader {
	for {
		switch under := st.(type) {
		case graph.Reader:
			return under
		case twice:
			st = under.Store
		case interface{ Unwrap() store.Store }:
			st = under.Unwrap()
		default:
			return nil
		}
	}
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

// twice runs each function once in vain before it counts.
type twice struct{ store.Store }

var errAgain = errors.New("again")

func (s twice) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	_, err := s.Store.Update(ctx, func(tx store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errAgain
	})
	if err != nil && !errors.Is(err, errAgain) {
		return store.Commit{}, err
	}
	return s.Store.Update(ctx, fn)
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

// write carries out a batch as the administrator.
func (f *fixture) write(batch ...catalog.Proposal) []catalog.Written {
	f.t.Helper()
	written, err := f.Write(f.as(root), batch, catalog.WriteOptions{})
	if err != nil {
		f.t.Fatalf("write: %v", err)
	}
	return written
}

// put upserts one aspect as the administrator.
func (f *fixture) put(u urn.URN, aspect, value string) catalog.Written {
	f.t.Helper()
	return f.write(proposal(u, aspect, value))[0]
}

// refuse expects that a batch of the administrator fails.
func (f *fixture) refuse(kind fault.Kind, text string, batch ...catalog.Proposal) {
	f.t.Helper()
	f.refuseAs(f.as(root), kind, text, batch...)
}

func (f *fixture) refuseAs(ctx context.Context, kind fault.Kind, text string, batch ...catalog.Proposal) {
	f.t.Helper()
	last, _ := f.store.Last()
	_, err := f.Write(ctx, batch, catalog.WriteOptions{})
	wantFault(f.t, err, kind, text)
	if after, _ := f.store.Last(); after != last {
		f.t.Errorf("a refused batch wrote %d log entries", after-last)
	}
}

// found counts the entities that a filter finds in the search index.
func (f *fixture) found(filter search.Filter) int {
	f.t.Helper()
	var types []string
	for _, schema := range document.Schemas(f.Registry) {
		types = append(types, schema.EntityType)
	}
	result, err := f.index.Search(f.t.Context(), search.Query{Types: types, Filter: filter})
	if err != nil {
		f.t.Fatal(err)
	}
	return result.Total
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

// record is the latest row, nil when absent.
func (f *fixture) record(u urn.URN, aspect string) *model.Record {
	f.t.Helper()
	records, err := f.store.Get(f.t.Context(), store.Key{URN: u, Aspect: aspect})
	if err != nil {
		f.t.Fatal(err)
	}
	return records[0]
}

// value is the stored value, empty when absent.
func (f *fixture) value(u urn.URN, aspect string) string {
	f.t.Helper()
	if rec := f.record(u, aspect); rec != nil {
		return string(rec.Value)
	}
	return ""
}

// wantValue compares the stored value with JSON, or with "" for absent.
func (f *fixture) wantValue(u urn.URN, aspect, want string) {
	f.t.Helper()
	if got := f.value(u, aspect); got != canonical(f.t, want) {
		f.t.Errorf("%s of %s\n got %s\nwant %s", aspect, u, got, canonical(f.t, want))
	}
}

// member is the JSON of a member of the stored value, empty when absent.
func (f *fixture) member(u urn.URN, aspect, name string) string {
	f.t.Helper()
	var value map[string]any
	if text := f.value(u, aspect); text != "" {
		var err error
		if value, err = jsontree.DecodeObject([]byte(text)); err != nil {
			f.t.Fatal(err)
		}
	}
	if value[name] == nil {
		return ""
	}
	return string(jsontree.Encode(value[name]))
}

func canonical(t testing.TB, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	tree, err := jsontree.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return string(jsontree.Encode(tree))
}

// table is a dataset.
func table(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

package indexing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// registry is shared because it never changes, and loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// fixture is a catalog whose store outlives the index, which can be stopped, killed and started
// again.
type fixture struct {
	t       testing.TB
	store   *memory.Store
	path    string
	index   *roaring.Index
	indexer *indexing.Indexer
	catalog *catalog.Service
	running *running
}

// running holds the parts that exist while the service runs.
type running struct{ *projection.Follower }

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, store: memory.NewStore(), path: filepath.Join(t.TempDir(), "search")}
	f.start()
	t.Cleanup(func() {
		if f.running != nil {
			f.stop()
		}
	})
	return f
}

func (f *fixture) start() {
	f.t.Helper()
	f.open()
	f.startWith(f.index)
}

func (f *fixture) open() {
	f.t.Helper()
	reg, err := registry()
	if err != nil {
		f.t.Fatal(err)
	}
	if f.index, err = roaring.Open(roaring.Config{Path: f.path, Schemas: document.Schemas(reg)}); err != nil {
		f.t.Fatal(err)
	}
}

// restartWith restarts the service with an index that a test wraps.
func (f *fixture) restartWith(index indexing.Index) {
	f.t.Helper()
	if err := f.running.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.startWith(index)
}

func (f *fixture) startWith(index indexing.Index) {
	f.t.Helper()
	reg, err := registry()
	if err != nil {
		f.t.Fatal(err)
	}
	f.running = &running{}
	f.catalog = catalog.New(catalog.Config{
		Registry: reg, Store: f.store, Graph: f.store, Documents: memory.NewTimeseries(),
		Authorizer: authtest.Plain{}, Follower: f.running, Now: time.Now, Log: logging.Discard(),
	})
	f.indexer, err = indexing.New(f.t.Context(), indexing.Config{
		Registry: reg, Store: f.store, Graph: f.store, Index: index, Now: time.Now, Log: logging.Discard(),
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.running.Follower, err = projection.Start(f.t.Context(), projection.Config{
		Log: f.store, Now: time.Now, Logger: logging.Discard(), Awaited: []projection.Sink{f.indexer},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.catchUp()
}

// stop stops the service as an operator does.
func (f *fixture) stop() {
	f.t.Helper()
	for _, end := range []func() error{f.running.Close, f.indexer.Close, func() error { return f.index.Close(context.Background()) }} {
		if err := end(); err != nil {
			f.t.Error(err)
		}
	}
	f.running = nil
}

// kill kills the service and keeps only the saved state of the index.
func (f *fixture) kill() {
	f.t.Helper()
	left := filepath.Join(f.t.TempDir(), "search")
	if err := os.CopyFS(left, os.DirFS(f.path)); err != nil {
		f.t.Fatal(err)
	}
	f.stop()
	f.path = left
}

// catchUp waits until the log has been applied.
func (f *fixture) catchUp() {
	f.t.Helper()
	last, _ := f.store.Last()
	if err := f.running.Wait(f.t.Context(), last); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) ctx() context.Context {
	return auth.WithActor(f.t.Context(), auth.Actor{URN: model.SystemActor, System: true})
}

func (f *fixture) put(u urn.URN, aspect, value string) {
	f.t.Helper()
	if err := f.write(u, aspect, value); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) write(u urn.URN, aspect, value string) error {
	_, err := f.catalog.Write(f.ctx(), []catalog.Proposal{{URN: string(u), Aspect: aspect, Value: json.RawMessage(value)}}, catalog.WriteOptions{})
	return err
}

// found lists the URNs of search documents with a value in a field, in order.
func (f *fixture) found(field, value string) []urn.URN {
	f.t.Helper()
	result, err := f.index.Search(f.t.Context(), search.Query{
		Types: document.SearchTypes(), Filter: search.Filter{{{Field: field, Values: []string{value}}}},
		Sort: []search.Sort{{Field: "urn"}}, Size: 100,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	urns := make([]urn.URN, len(result.Hits))
	for i := range result.Hits {
		urns[i] = result.Hits[i].URN
	}
	return urns
}

func (f *fixture) wantFound(field, value string, want ...urn.URN) {
	f.t.Helper()
	if got := f.found(field, value); fmt.Sprint(got) != fmt.Sprint(want) {
		f.t.Errorf("%s = %s finds %v, want %v", field, value, got, want)
	}
}

func (f *fixture) verify() indexing.Report {
	f.t.Helper()
	report, err := f.indexer.Verify(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return report
}

func (f *fixture) wantEqual() {
	f.t.Helper()
	if r := f.verify(); !r.Equal() {
		f.t.Errorf("index and graph differ from the store: %+v", r)
	}
}

func dataset(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

// behind writes an entity while no service runs, as if it had been stored but never indexed.
func behind(t testing.TB, s *memory.Store, u urn.URN) {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Config{
		Registry: reg, Store: s, Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{}, Follower: idle{}, Now: time.Now, Log: logging.Discard(),
	})
	ctx := auth.WithActor(t.Context(), auth.Actor{URN: model.SystemActor, System: true})
	if _, err := c.Write(ctx, []catalog.Proposal{{URN: string(u), Aspect: "globalTags", Value: json.RawMessage(tagged)}}, catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// idle follows nothing.
type idle struct{}

func (idle) WaitFor(context.Context, uint64, []store.Entry, ...store.EntryKind) error { return nil }

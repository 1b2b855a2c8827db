// Package catalogtest provides a catalog on real drivers with its projections, for the tests of the
// kernel, the rules and packages above them.
package catalogtest

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
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/bootstrap"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/retention"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Day is the time at which tests begin, in epoch milliseconds.
const Day = 1_800_000_000_000

// registry is shared because it never changes, and loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// Fixture is a catalog on real Drivers with its projections and a clock that the test sets.
type Fixture struct {
	*catalog.Service
	T     testing.TB
	Boot  *bootstrap.Service
	Runs  *run.Service
	Index search.Index
	// Clock is the time in epoch milliseconds. It changes only when a test sets it.
	Clock *atomic.Int64
}

// Drivers are the drivers and settings of a fixture.
type Drivers struct {
	Store      store.Store
	Documents  timeseries.Store
	Authorizer catalog.Authorizer
	Sinks      []projection.Sink // awaited, in addition to those that every catalog has
	Registry   *model.Registry   // nil for the registry built into the binary
	Rules      []rule.Rule       // in addition to those of the rule book
}

// InMemory returns memory drivers. The store runs every transaction twice and leaves gaps in the
// log, as a store may.
func InMemory() Drivers {
	return Drivers{Store: twice{storetest.WithGaps(memory.NewStore())}, Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{}}
}

// OnDisk returns the drivers of an installation, in a temporary folder of the test.
func OnDisk(t testing.TB) Drivers {
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
	return Drivers{Store: rows, Documents: documents, Authorizer: authtest.Plain{}}
}

// WithPolicies makes the catalog decide by its stored policies. There are none until a test writes
// some.
func (on Drivers) WithPolicies(t testing.TB, c policy.Config) Drivers {
	t.Helper()
	c.Rows = on.Store
	engine := policy.New(c)
	if err := engine.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	on.Authorizer, on.Sinks = engine, append(on.Sinks, engine)
	return on
}

// Grant stores a policy that grants every privilege to a user, for the test's own writes in a
// catalog that decides by its policies.
func (f *Fixture) Grant(u urn.URN) {
	f.T.Helper()
	var all []string
	for _, r := range auth.Rights() {
		all = append(all, `"`+string(r.Privilege)+`"`)
	}
	f.MustAs(model.SystemActor, Proposal(urn.Make("dataHubPolicy", "all-"+u.Key()), "dataHubPolicyInfo",
		`{"displayName":"all","description":"","type":"PLATFORM","state":"ACTIVE","privileges":[`+strings.Join(all, ",")+`],`+
			`"actors":{"users":["`+string(u)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false}}`))
}

// New starts a catalog that is closed at the end of the test.
func New(t testing.TB, on Drivers) *Fixture {
	t.Helper()
	reg := on.model(t)
	f := &Fixture{T: t, Clock: &atomic.Int64{}}
	f.Clock.Store(Day)
	now := func() time.Time { return time.UnixMilli(f.Clock.Load()) }
	lazy := &lazyFollower{}
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	if err != nil {
		t.Fatal(err)
	}
	f.Index = index
	relationships := edgesOf(on.Store)
	cipher, err := encryption.New("an encryption key for tests, which is long enough")
	if err != nil {
		t.Fatal(err)
	}
	rules := retention.New(on.Store)
	path := filepath.Join(t.TempDir(), "records.db")
	kept := records.Deferred(func() (records.Store, error) {
		return recordfile.Open(recordfile.Config{Path: path, Now: now, Log: logging.Discard()})
	})
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	book, err := rule.NewBook(reg, append(rule.All(), on.Rules...))
	if err != nil {
		t.Fatal(err)
	}
	f.Service = catalog.New(catalog.Config{
		Rules:     book,
		Retention: rules,
		Cipher:    cipher,
		Failures:  failure.New(kept),
		Registry:  reg, Store: on.Store, Graph: relationships, Documents: on.Documents, Authorizer: on.Authorizer, Follower: lazy, Now: now, Log: logging.Discard(),
	})
	f.Runs = run.New(f.Service)
	f.Boot = bootstrap.New(bootstrap.Config{Catalog: f.Service, Store: on.Store, Graph: relationships, Now: now, Log: logging.Discard()})
	indexer, err := indexing.New(t.Context(), indexing.Config{
		Registry: reg, Store: on.Store, Graph: relationships, Index: index, Now: now, Log: logging.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	sinks := append([]projection.Sink{
		indexer,
		seriessink.New(reg, on.Documents), rules,
	}, on.Sinks...)
	follower, err := projection.Start(t.Context(), projection.Config{Log: on.Store, Now: now, Logger: logging.Discard(), Awaited: sinks})
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

func (on Drivers) model(t testing.TB) *model.Registry {
	t.Helper()
	if on.Registry != nil {
		return on.Registry
	}
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// edgesOf returns the driver inside the wrappers of tests, nil if it is no graph.Reader.
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

// lazyFollower exists before the Follower, because that needs sinks, which need the catalog.
type lazyFollower struct{ *projection.Follower }

// OnDrivers runs a test on each driver, in parallel.
func OnDrivers(t *testing.T, story func(t *testing.T, f *Fixture)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		story(t, New(t, InMemory()))
	})
	t.Run("bolt", func(t *testing.T) {
		t.Parallel()
		story(t, New(t, OnDisk(t)))
	})
}

// twice runs each function in a transaction that is rolled back before the one that counts.
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

// As returns a context with the user u as the actor.
func (f *Fixture) As(u urn.URN) context.Context {
	return auth.WithActor(f.T.Context(), auth.Actor{URN: u, System: u == model.SystemActor})
}

// Proposal returns a proposal for an upsert unless a change is given.
func Proposal(u urn.URN, aspect, value string, change ...model.ChangeType) catalog.Proposal {
	p := catalog.Proposal{URN: string(u), Aspect: aspect}
	if value != "" {
		p.Value = json.RawMessage(value)
	}
	if len(change) > 0 {
		p.Change = change[0]
	}
	return p
}

// Must writes a batch as the administrator and fails the test on an error.
func (f *Fixture) Must(batch ...catalog.Proposal) []catalog.Written {
	f.T.Helper()
	written, err := f.Write(f.As(model.RootUser), batch, catalog.WriteOptions{})
	if err != nil {
		f.T.Fatalf("write: %v", err)
	}
	return written
}

// MustAs writes one proposal as the given actor and fails the test on an error.
func (f *Fixture) MustAs(actor urn.URN, p catalog.Proposal) {
	f.T.Helper()
	if _, err := f.Write(f.As(actor), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
		f.T.Fatal(err)
	}
}

// InRun returns the proposal with the ID of an ingestion run.
func InRun(id string, p catalog.Proposal) catalog.Proposal {
	p.System.RunID = id
	return p
}

// Rollback rolls a run back as the administrator.
func (f *Fixture) Rollback(id string, o run.Options) run.Result {
	f.T.Helper()
	out, err := f.Runs.Rollback(f.As(model.RootUser), id, o)
	if err != nil {
		f.T.Fatal(err)
	}
	return out
}

// Put upserts one aspect as the administrator.
func (f *Fixture) Put(u urn.URN, aspect, value string) catalog.Written {
	f.T.Helper()
	return f.Must(Proposal(u, aspect, value))[0]
}

// Refuse expects that a batch of the administrator fails.
func (f *Fixture) Refuse(kind fault.Kind, text string, batch ...catalog.Proposal) {
	f.T.Helper()
	f.RefuseAs(f.As(model.RootUser), kind, text, batch...)
}

// RefuseAs expects that a batch of the actor in ctx fails with the kind and a message that contains
// the text, and writes nothing.
func (f *Fixture) RefuseAs(ctx context.Context, kind fault.Kind, text string, batch ...catalog.Proposal) {
	f.T.Helper()
	f.refuse(ctx, catalog.WriteOptions{}, kind, text, batch)
}

// RefuseName expects that a batch of the administrator fails with WriteOptions.UniqueNames.
func (f *Fixture) RefuseName(kind fault.Kind, text string, batch ...catalog.Proposal) {
	f.T.Helper()
	f.refuse(f.As(model.RootUser), catalog.WriteOptions{UniqueNames: true}, kind, text, batch)
}

// MustName writes a batch of the administrator with WriteOptions.UniqueNames.
func (f *Fixture) MustName(batch ...catalog.Proposal) {
	f.T.Helper()
	if _, err := f.Write(f.As(model.RootUser), batch, catalog.WriteOptions{UniqueNames: true}); err != nil {
		f.T.Fatalf("write: %v", err)
	}
}

func (f *Fixture) refuse(ctx context.Context, o catalog.WriteOptions, kind fault.Kind, text string, batch []catalog.Proposal) {
	f.T.Helper()
	last, _ := f.Store.Last()
	_, err := f.Write(ctx, batch, o)
	WantFault(f.T, err, kind, text)
	if after, _ := f.Store.Last(); after != last {
		f.T.Errorf("a refused batch wrote %d log entries", after-last)
	}
}

// Found returns the number of entities that match a filter in the search index.
func (f *Fixture) Found(filter search.Filter) int {
	f.T.Helper()
	var types []string
	for _, schema := range document.Schemas(f.Registry) {
		types = append(types, schema.EntityType)
	}
	result, err := f.Index.Search(f.T.Context(), search.Query{Types: types, Filter: filter})
	if err != nil {
		f.T.Fatal(err)
	}
	return result.Total
}

// WantFault expects an error of a kind whose message contains the text.
func WantFault(t testing.TB, err error, kind fault.Kind, text string) {
	t.Helper()
	if err == nil {
		t.Errorf("want %v (%s), got no error", kind, text)
		return
	}
	if fault.KindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("want %v with %q, got %v: %v", kind, text, fault.KindOf(err), err)
	}
}

// Record returns the latest row, nil if absent.
func (f *Fixture) Record(u urn.URN, aspect string) *model.Record {
	f.T.Helper()
	records, err := f.Store.Get(f.T.Context(), store.Key{URN: u, Aspect: aspect})
	if err != nil {
		f.T.Fatal(err)
	}
	return records[0]
}

// Value returns the stored value, empty if absent.
func (f *Fixture) Value(u urn.URN, aspect string) string {
	f.T.Helper()
	if rec := f.Record(u, aspect); rec != nil {
		return string(rec.Value)
	}
	return ""
}

// WantValue compares the stored value with JSON, or with "" for an absent one.
func (f *Fixture) WantValue(u urn.URN, aspect, want string) {
	f.T.Helper()
	if got := f.Value(u, aspect); got != Canonical(f.T, want) {
		f.T.Errorf("%s of %s\n got %s\nwant %s", aspect, u, got, Canonical(f.T, want))
	}
}

// Member returns the JSON of a member of the stored value, empty if absent.
func (f *Fixture) Member(u urn.URN, aspect, name string) string {
	f.T.Helper()
	var value map[string]any
	if text := f.Value(u, aspect); text != "" {
		var err error
		if value, err = jsontree.DecodeObject([]byte(text)); err != nil {
			f.T.Fatal(err)
		}
	}
	if value[name] == nil {
		return ""
	}
	return string(jsontree.Encode(value[name]))
}

// Canonical returns JSON in the form that the catalog stores.
func Canonical(t testing.TB, text string) string {
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

// Table returns the URN of a dataset.
func Table(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

// Times returns the times of the stored dataset profiles of an entity, newest first.
func (f *Fixture) Times(u urn.URN) []int64 {
	f.T.Helper()
	docs, err := f.Timeseries(f.As(model.RootUser), catalog.TimeseriesQuery{URN: u, EntityType: "dataset", Aspect: "datasetProfile", Limit: 100})
	if err != nil {
		f.T.Fatal(err)
	}
	var times []int64
	for _, d := range docs {
		times = append(times, d.Time)
	}
	return times
}

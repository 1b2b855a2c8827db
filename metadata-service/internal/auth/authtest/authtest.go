// Package authtest provides fixtures for tests of authentication and authorization: a real catalog
// on memory drivers with its projections, users, and contexts with an actor.
package authtest

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Users of tests.
const (
	Root urn.URN = model.RootUser
	Jo   urn.URN = "urn:li:corpuser:jo"
	Mia  urn.URN = "urn:li:corpuser:mia"
)

// As returns a context with the user as the actor.
func As(t testing.TB, user urn.URN) context.Context {
	t.Helper()
	return auth.WithActor(t.Context(), auth.Actor{URN: user, System: user == model.SystemActor})
}

// registry is shared: it never changes, and loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// Catalog is a catalog in memory. It has the methods of a catalog.Managed for all managed aspects.
type Catalog struct {
	service  *catalog.Service
	managed  *catalog.Managed
	store    *memory.Store
	listener *listener

	mu      sync.Mutex
	failure error
}

// New returns a Catalog that holds the given users, each with its key and info aspects.
func New(t testing.TB, users ...urn.URN) *Catalog {
	t.Helper()
	model, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	c := &Catalog{store: memory.NewStore(), listener: &listener{}}
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: c.store, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Awaited: []projection.Sink{c.listener},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := follower.Close(); err != nil {
			t.Error(err)
		}
	})
	c.service = catalog.New(catalog.Config{
		Registry: model, Store: c.store, Documents: memory.NewTimeseries(), Authorizer: Plain{},
		Follower: follower, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	var names []string
	for _, spec := range model.Aspects() {
		if spec.Managed {
			names = append(names, spec.Name)
		}
	}
	c.managed = c.service.Managed(names...)
	for _, u := range users {
		c.Set(t, u, "corpUserInfo", `{"active":true}`)
	}
	return c
}

// OnChange adds a listener that is called with every change before the write returns.
func (c *Catalog) OnChange(changed func(urn.URN, string)) { c.listener.add(changed) }

// Follow adds a sink that receives every change before the write returns.
func (c *Catalog) Follow(sink projection.Sink) {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.listener.sinks = append(c.listener.sinks, sink)
}

// Store returns the store of the catalog.
func (c *Catalog) Store() store.Store { return c.store }

// Kernel returns the catalog without the restrictions of a managed one.
func (c *Catalog) Kernel() *catalog.Service { return c.service }

// Fail lets every call fail with err, until it is called with nil.
func (c *Catalog) Fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failure = err
}

func (c *Catalog) failing() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// Set writes an aspect as the system actor.
func (c *Catalog) Set(t testing.TB, u urn.URN, aspect, value string) {
	t.Helper()
	err := c.Write(As(t, model.SystemActor), []catalog.Proposal{{URN: string(u), Aspect: aspect, Value: json.RawMessage(value)}})
	if err != nil {
		t.Fatal(err)
	}
}

// Remove deletes an entity permanently.
func (c *Catalog) Remove(t testing.TB, u urn.URN) {
	t.Helper()
	ctx := As(t, model.SystemActor)
	var err error
	if entity, ok := c.service.Registry.Entity(u.Type()); ok && !entity.Key.Managed {
		_, err = c.service.DeleteEntity(ctx, u)
	} else {
		err = c.managed.Revoke(ctx, u)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Dump returns all stored values as one text.
func (c *Catalog) Dump(t testing.TB) string {
	t.Helper()
	urns, err := c.store.Scan(t.Context(), store.Scan{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	entities, err := c.store.Aspects(t.Context(), urns)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, rows := range entities {
		for _, row := range rows {
			all.WriteString(string(row.URN) + " " + row.Aspect + " " + string(row.Value) + "\n")
		}
	}
	return all.String()
}

// Reader returns the reading part of the store.
func (c *Catalog) Reader() Reader { return Reader{c} }

// Reader is the reading part of a store. Its reads fail after Catalog.Fail.
type Reader struct{ c *Catalog }

// Get returns the latest records.
func (r Reader) Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error) {
	if err := r.c.failing(); err != nil {
		return nil, err
	}
	return r.c.store.Get(ctx, keys...)
}

// Get returns the latest record, nil if it is absent.
func (c *Catalog) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	if err := c.failing(); err != nil {
		return nil, err
	}
	return c.managed.Get(ctx, u, aspect)
}

// Write stores a batch.
func (c *Catalog) Write(ctx context.Context, batch []catalog.Proposal) error {
	if err := c.failing(); err != nil {
		return err
	}
	return c.managed.Write(ctx, batch)
}

// List returns a page of the entities of a type.
func (c *Catalog) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	if err := c.failing(); err != nil {
		return nil, err
	}
	return c.managed.List(ctx, entityType, after, limit)
}

// Lookup returns a page of the entities with a term.
func (c *Catalog) Lookup(ctx context.Context, t model.Term, after urn.URN, limit int) ([]urn.URN, error) {
	if err := c.failing(); err != nil {
		return nil, err
	}
	return c.managed.Lookup(ctx, t, after, limit)
}

// Revoke deletes an entity permanently and refuses later writes to it.
func (c *Catalog) Revoke(ctx context.Context, u urn.URN) error {
	if err := c.failing(); err != nil {
		return err
	}
	return c.managed.Revoke(ctx, u)
}

// listener is a sink that passes changes on to functions and other sinks.
type listener struct {
	mu        sync.Mutex
	observers []func(urn.URN, string)
	sinks     []projection.Sink
}

func (l *listener) Name() string  { return "listener" }
func (l *listener) Durable() bool { return false }

func (l *listener) Apply(ctx context.Context, entries []store.Entry) error {
	l.mu.Lock()
	observers, sinks := slices.Clone(l.observers), slices.Clone(l.sinks)
	l.mu.Unlock()
	for _, s := range sinks {
		if err := s.Apply(ctx, entries); err != nil {
			return err
		}
	}
	for _, e := range entries {
		for _, changed := range observers {
			changed(e.URN, e.Aspect)
		}
	}
	return nil
}

func (l *listener) add(changed func(urn.URN, string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.observers = append(l.observers, changed)
}

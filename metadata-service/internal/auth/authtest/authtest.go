// Package authtest holds the catalog that tests of the packages around
// identity work with, and actors to act as.
package authtest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Users of tests.
const (
	Root urn.URN = model.RootUser
	Jo   urn.URN = "urn:li:corpuser:jo"
	Mia  urn.URN = "urn:li:corpuser:mia"
)

// As is a context in which the user acts.
func As(t testing.TB, user urn.URN) context.Context {
	t.Helper()
	return auth.WithActor(t.Context(), auth.Actor{URN: user, System: user == model.SystemActor})
}

// Catalog keeps aspects in memory and tells its listeners of every change
// before a write returns.
type Catalog struct {
	mu        sync.Mutex
	rows      map[model.Key]*model.Record
	buried    map[urn.URN]bool
	listeners []func(urn.URN, string)
	failure   error
}

// New makes a Catalog that holds the given users, each with its key and info.
func New(t testing.TB, users ...urn.URN) *Catalog {
	t.Helper()
	c := &Catalog{rows: map[model.Key]*model.Record{}, buried: map[urn.URN]bool{}}
	for _, u := range users {
		c.Set(t, u, "corpUserInfo", `{"active":true}`)
	}
	return c
}

// OnChange adds a listener. Add them before the Catalog is used.
func (c *Catalog) OnChange(changed func(urn.URN, string)) { c.listeners = append(c.listeners, changed) }

// Fail makes every call fail until it is called with nil.
func (c *Catalog) Fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failure = err
}

// Set writes an aspect as the system actor.
func (c *Catalog) Set(t testing.TB, u urn.URN, aspect, value string) {
	t.Helper()
	if err := c.Write(As(t, model.SystemActor), []catalog.Proposal{{URN: string(u), Aspect: aspect, Value: json.RawMessage(value)}}); err != nil {
		t.Fatal(err)
	}
}

// Remove deletes an entity for good.
func (c *Catalog) Remove(t testing.TB, u urn.URN) {
	t.Helper()
	c.mu.Lock()
	c.drop(u)
	c.mu.Unlock()
	c.tell(u, keyAspect(u))
}

// Dump is every stored value as one text.
func (c *Catalog) Dump() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []byte
	for key, row := range c.rows {
		all = append(append(append(all, key.URN...), key.Aspect...), row.Value...)
	}
	return string(all)
}

// Reader reads rows as a store does.
func (c *Catalog) Reader() Reader { return Reader{c} }

// Reader is the part of a store that reads.
type Reader struct{ c *Catalog }

// Get gives the latest rows.
func (r Reader) Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error) {
	c := r.c
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := make([]*model.Record, len(keys))
	for i, key := range keys {
		rows[i] = c.rows[key]
	}
	return rows, c.failure
}

// Get gives one latest row, nil when it is absent.
func (c *Catalog) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	rows, err := c.Reader().Get(ctx, model.Key{URN: u, Aspect: aspect})
	return rows[0], err
}

// Write stores a batch.
func (c *Catalog) Write(ctx context.Context, batch []catalog.Proposal) error {
	if err := c.store(ctx, batch); err != nil {
		return err
	}
	for _, p := range batch {
		c.tell(urn.URN(p.URN), p.Aspect)
	}
	return nil
}

func (c *Catalog) store(ctx context.Context, batch []catalog.Proposal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return c.failure
	}
	for _, p := range batch {
		if err := c.check(p); err != nil {
			return err
		}
	}
	actor, _ := auth.ActorFrom(ctx)
	for _, p := range batch {
		u := urn.URN(p.URN)
		for _, aspect := range []string{keyAspect(u), p.Aspect} {
			version := 1
			if old := c.rows[model.Key{URN: u, Aspect: aspect}]; old != nil {
				if version, _ = strconv.Atoi(old.System.Version); aspect == p.Aspect {
					version++
				}
			}
			row := &model.Record{URN: u, Aspect: aspect, Value: json.RawMessage(`{}`), CreatedBy: actor.URN}
			if aspect == p.Aspect {
				row.Value = p.Value
			}
			row.System.Version = strconv.Itoa(version)
			c.rows[model.Key{URN: u, Aspect: aspect}] = row
		}
	}
	return nil
}

func (c *Catalog) check(p catalog.Proposal) error {
	u := urn.URN(p.URN)
	if c.buried[u] {
		return fault.New(fault.Conflict, "%s was deleted for good", u)
	}
	if p.Change == model.CreateEntity && c.rows[model.Key{URN: u, Aspect: keyAspect(u)}] != nil {
		return fault.New(fault.Precondition, "%s exists", u)
	}
	want, ok := p.Headers["If-Version-Match"]
	if !ok {
		return nil
	}
	have := "-1"
	if row := c.rows[model.Key{URN: u, Aspect: p.Aspect}]; row != nil {
		have = row.System.Version
	}
	if want != have {
		return fault.New(fault.Precondition, "%s of %s has version %s", p.Aspect, u, have)
	}
	return nil
}

// List pages through the entities of a type.
func (c *Catalog) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []urn.URN
	for key := range c.rows {
		if key.URN.Type() == entityType && key.Aspect == keyAspect(key.URN) && key.URN > after {
			found = append(found, key.URN)
		}
	}
	slices.Sort(found)
	return found[:min(limit, len(found))], c.failure
}

// Bury removes an entity for good and refuses it from then on.
func (c *Catalog) Bury(ctx context.Context, u urn.URN) error {
	c.mu.Lock()
	failure := c.failure
	if failure == nil {
		c.drop(u)
		c.buried[u] = true
	}
	c.mu.Unlock()
	if failure == nil {
		c.tell(u, keyAspect(u))
	}
	return failure
}

func (c *Catalog) drop(u urn.URN) {
	for key := range c.rows {
		if key.URN == u {
			delete(c.rows, key)
		}
	}
}

func (c *Catalog) tell(u urn.URN, aspect string) {
	for _, changed := range c.listeners {
		changed(u, aspect)
	}
}

func keyAspect(u urn.URN) string {
	if u.Type() == "corpuser" {
		return "corpUserKey"
	}
	return u.Type() + "Key"
}

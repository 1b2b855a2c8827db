package rule_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// counted calls before with the number of each update, from 1 on.
type counted struct {
	store.Store
	updates *atomic.Int64
	before  func(update int64) error
}

func (s counted) Unwrap() store.Store { return s.Store }

func (s counted) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	if err := s.before(s.updates.Add(1)); err != nil {
		return store.Commit{}, err
	}
	if err := ctx.Err(); err != nil {
		return store.Commit{}, err
	}
	return s.Store.Update(ctx, fn)
}

const holders = 450 // entities with a value: more than two transactions of a cleanup

// onCountedUpdates runs a test with a soft-deleted property of which many entities have a value.
// before is not called until the test begins.
func onCountedUpdates(t *testing.T, story func(t *testing.T, f *catalogtest.Fixture, before *func(update int64) error)) {
	t.Parallel()
	for name, on := range map[string]func() catalogtest.Drivers{"memory": catalogtest.InMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		t.Run(name, func(t *testing.T) {
			before := func(int64) error { return nil }
			drivers, updates := on(), &atomic.Int64{}
			drivers.Store = counted{drivers.Store, updates, func(update int64) error { return before(update) }}
			f := catalogtest.New(t, drivers)
			batch := append(modelTypes(), byRun(definition("string", "")))
			for i := range holders {
				p := assigned(assignment(property, text("gold")))
				p.URN, p.System.RunID = string(holder(i)), "load"
				batch = append(batch, p)
			}
			f.Must(append(batch, catalogtest.Proposal(property, "status", `{"removed":true}`))...)
			updates.Store(0)
			story(t, f, &before)
		})
	}
}

func holder(i int) urn.URN { return catalogtest.Table(fmt.Sprintf("t%03d", i)) }

// left returns the number of entities that still have the value.
func left(f *catalogtest.Fixture) int {
	n := 0
	for i := range holders {
		if f.Value(holder(i), "structuredProperties") != `{"properties":[]}` {
			n++
		}
	}
	return n
}

func TestAnInterruptedCleanupGoesOnAtTheNextStart(t *testing.T) {
	onCountedUpdates(t, func(t *testing.T, f *catalogtest.Fixture, before *func(int64) error) {
		gone := errors.New("the power is gone")
		*before = func(update int64) error {
			if update > 2 {
				return gone
			}
			return nil
		}
		if _, err := f.DeleteEntity(f.As(root), property); !errors.Is(err, gone) {
			t.Fatalf("got %v", err)
		}
		if n := left(f); n != holders-200 {
			t.Fatalf("after the removal and one transaction of its cleanup %d entities have the value", n)
		}
		*before = func(int64) error { return nil }
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		if err := f.Boot.Upgrade(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := left(f); n != 0 {
			t.Errorf("after the next start %d entities have the value", n)
		}
	})
}

// The removal is durable before its cleanup begins. The cleanup therefore finishes even if the
// client has left, since the client could not determine which part to repeat.
func TestACleanupEndsThoughItsCallerHasLeft(t *testing.T) {
	onCountedUpdates(t, func(t *testing.T, f *catalogtest.Fixture, before *func(int64) error) {
		ctx, leave := context.WithCancel(f.As(root))
		*before = func(update int64) error {
			if update == 2 {
				leave()
			}
			return nil
		}
		if _, err := f.DeleteEntity(ctx, property); err != nil {
			t.Error(err)
		}
		if n := left(f); n != 0 {
			t.Errorf("%d entities have the value still", n)
		}
	})
}

// A cleanup does not change the run of an aspect, so that a rollback of that run still finds it.
func TestACleanupLeavesAspectsToTheirRuns(t *testing.T) {
	onCountedUpdates(t, func(t *testing.T, f *catalogtest.Fixture, _ *func(int64) error) {
		if _, err := f.DeleteEntity(f.As(root), property); err != nil {
			t.Fatal(err)
		}
		if run := f.Record(holder(0), "structuredProperties").System.RunID; run != "load" {
			t.Errorf("the aspect is of the run %q", run)
		}
		if _, err := f.Runs.Rollback(f.As(root), "load", run.Options{}); err != nil {
			t.Fatal(err)
		}
		f.WantValue(holder(0), "structuredProperties", "")
		f.WantValue(holder(0), "status", `{"removed":true}`)
	})
}

package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// addTag returns a patch that adds a tag.
func addTag(u urn.URN, name string) catalog.Proposal {
	return catalogtest.Proposal(u, "globalTags", fmt.Sprintf(`[{"op":"add","path":"/tags/urn:li:tag:%[1]s","value":{"tag":"urn:li:tag:%[1]s"}}]`, name), model.Patch)
}

func TestPatchesThatFollowEachOtherAreOneChange(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		table := catalogtest.Table("orders")
		written := f.Must(addTag(table, "a"), addTag(table, "b"), addTag(table, "b"), addTag(table, "c"))
		wantOutcomes(t, written, catalog.Inserted, catalog.Updated, catalog.NoOp, catalog.Updated)
		for _, w := range written {
			if w.Proposal >= 0 && string(w.Record.Value) != f.Value(table, "globalTags") {
				t.Errorf("proposal %d is answered with %s", w.Proposal, w.Record.Value)
			}
		}
		if got := strings.Count(f.Value(table, "globalTags"), "urn:li:tag:"); got != 3 {
			t.Errorf("%d tags: %s", got, f.Value(table, "globalTags"))
		}
		if got := f.Record(table, "globalTags").System.Version; got != "1" {
			t.Errorf("version %s, want 1", got)
		}
		// Items between patches keep their order, and so do patches of another run.
		wantOutcomes(t, f.Must(addTag(table, "d"), catalogtest.Proposal(table, "globalTags", `{"tags":[]}`), addTag(table, "e"), catalogtest.InRun("r1", addTag(table, "f"))),
			catalog.Updated, catalog.Updated, catalog.Updated, catalog.Updated)
		if got := f.Value(table, "globalTags"); strings.Count(got, "urn:li:tag:") != 2 || strings.Contains(got, "tag:d") {
			t.Errorf("the tags are %s", got)
		}
		if got := f.Record(table, "globalTags").System.Version; got != "5" {
			t.Errorf("version %s, want 5", got)
		}
	})
}

func TestARefusalNamesThePatchThatFails(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	table := catalogtest.Table("orders")
	two := catalogtest.Proposal(table, "globalTags", `[{"op":"remove","path":"/tags/urn:li:tag:x"},{"op":"replace","path":"/tags/urn:li:tag:x","value":{}}]`, model.Patch)
	_, err := f.Write(f.As(jo), []catalog.Proposal{addTag(table, "a"), addTag(table, "b"), two, addTag(table, "c")}, catalog.WriteOptions{})
	var refused *catalog.WriteError
	if !errors.As(err, &refused) || len(refused.Items) != 1 || refused.Items[0].Index != 2 || !strings.Contains(err.Error(), "operation 1:") {
		t.Errorf("got %v", err)
	}
}

// between runs a function before each of the first transactions of a store.
type between struct {
	store.Store
	run   []func()
	begun int
}

func (s *between) Unwrap() store.Store { return s.Store }

func (s *between) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	if s.begun++; len(s.run) > 0 {
		next := s.run[0]
		s.run = s.run[1:]
		next()
	}
	return s.Store.Update(ctx, fn)
}

// A large value is patched before the transaction. Changes that others write in the meantime
// remain.
func TestLargeValuesArePatchedAsTheyAreThen(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	others := &between{Store: on.Store}
	on.Store = others
	f := catalogtest.New(t, on)
	const tag urn.URN = "urn:li:tag:large"
	long := strings.Repeat("x", 100<<10)
	f.Put(tag, "tagProperties", properties(long))
	named := catalogtest.Proposal(tag, "tagProperties", `{"patch":[{"op":"add","path":"/name","value":"renamed"}],"forceGenericPatch":true}`, model.Patch)
	for meanwhile := range 3 {
		f.Put(tag, "tagProperties", properties(long))
		others.run, others.begun = nil, 0
		for i := range meanwhile {
			others.run = append(others.run, func() {
				others.begun--
				inner := others.run
				others.run = nil
				f.Put(tag, "tagProperties", properties(fmt.Sprint(i, long)))
				others.begun--
				others.run = inner
			})
		}
		f.Must(named)
		want := long
		if meanwhile > 0 {
			want = fmt.Sprint(meanwhile-1, long)
		}
		f.WantValue(tag, "tagProperties", strings.Replace(properties(want), `"pii"`, `"renamed"`, 1))
		if others.begun != 1 {
			t.Errorf("%d changes meanwhile: %d transactions more", meanwhile, others.begun-1)
		}
	}
}

func TestABatchPatchesNotTooMuch(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const a, b urn.URN = "urn:li:tag:a", "urn:li:tag:b"
	long := strings.Repeat("x", 1<<20)
	f.Put(a, "tagProperties", properties(long))
	f.Put(b, "tagProperties", properties(long))
	alternating := func(n int) (batch []catalog.Proposal) {
		for i := range n {
			for _, tag := range []urn.URN{a, b} {
				batch = append(batch, catalogtest.Proposal(tag, "tagProperties", fmt.Sprintf(`{"patch":[{"op":"add","path":"/name","value":"%d"}],"forceGenericPatch":true}`, i), model.Patch))
			}
		}
		return batch
	}
	f.Must(alternating(2)...)
	f.Refuse(fault.TooLarge, "the batch patches values again", alternating(4)...)
	if got := f.Member(a, "tagProperties", "name"); got != `"1"` {
		t.Errorf("the name is %s: a part of the batch was written", got)
	}
	var many []catalog.Proposal
	for i := range 18 {
		tag := urn.Make("tag", fmt.Sprint(i))
		f.Put(tag, "tagProperties", properties(long))
		many = append(many, catalogtest.Proposal(tag, "tagProperties", `{"patch":[{"op":"add","path":"/name","value":"new"}],"forceGenericPatch":true}`, model.Patch))
	}
	f.Must(many[:15]...)
	f.Refuse(fault.TooLarge, "the batch patches values of 18 MiB together", many[:18]...)
	// Values from the batch itself are patched inside the transaction.
	f.Must(catalogtest.Proposal(a, "tagProperties", properties("short")))
	inside := []catalog.Proposal{catalogtest.Proposal(a, "tagProperties", properties(long))}
	for i, p := range alternating(12) {
		if i%2 == 1 {
			p = catalogtest.Proposal("urn:li:tag:c", "tagProperties", properties(fmt.Sprint(i)))
		}
		inside = append(inside, p)
	}
	f.Refuse(fault.Invalid, "the batch patches values that it changes before", inside...)
	f.WantValue(a, "tagProperties", properties("short"))
}

// leaving cancels the caller's context when a transaction has begun.
type leaving struct {
	store.Store
	leave func()
}

func (s *leaving) Unwrap() store.Store { return s.Store }

func (s *leaving) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return s.Store.Update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		if s.leave != nil {
			s.leave()
		}
		return fn(tx)
	})
}

func TestATransactionEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	others := &leaving{Store: on.Store}
	on.Store = others
	f := catalogtest.New(t, on)
	ctx, leave := context.WithCancel(f.As(jo))
	others.leave = leave
	_, err := f.Write(ctx, []catalog.Proposal{addTag(catalogtest.Table("orders"), "a")}, catalog.WriteOptions{})
	others.leave = nil
	if !errors.Is(err, context.Canceled) || f.Record(catalogtest.Table("orders"), "globalTags") != nil {
		t.Errorf("got %v", err)
	}
}

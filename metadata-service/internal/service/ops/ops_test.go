package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const table urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"

// registry is immutable and shared, since loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

type fixture struct {
	*ops.Service
	store *memory.Store
	index *roaring.Index
}

// newFixture returns a fixture with one table.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{store: memory.NewStore()}
	if f.index, err = roaring.Open(roaring.Config{Schemas: document.Schemas(reg)}); err != nil {
		t.Fatal(err)
	}
	indexer, err := indexing.New(t.Context(), indexing.Config{
		Registry: reg, Store: f.store, Graph: f.store, Index: f.index, Now: time.Now, Log: logging.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: f.store, Now: time.Now, Logger: logging.Discard(), Awaited: []projection.Sink{indexer},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(follower.Close(), indexer.Close(), f.index.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	c := catalog.New(catalog.Config{
		Registry: reg, Store: f.store, Graph: f.store, Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{},
		Follower: follower, Now: time.Now, Log: logging.Discard(),
	})
	tasks := task.New(task.Config{Store: memory.NewTaskStore(), Now: time.Now, Log: logging.Discard()})
	f.Service = ops.New(ops.Config{Registry: reg, Catalog: c, Indexer: indexer, Follower: follower, Authorizer: authtest.Plain{}, Tasks: tasks, Now: time.Now, Log: logging.Discard()})
	if err := tasks.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tasks.Close(); err != nil {
			t.Error(err)
		}
	})
	proposal := catalog.Proposal{URN: string(table), Aspect: "globalTags", Value: json.RawMessage(`{"tags":[]}`)}
	if _, err := c.Write(authtest.As(t, model.SystemActor), []catalog.Proposal{proposal}, catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRestoreIndicesReturnsWhenItIsSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	forget := func() {
		at, err := f.index.Applied(t.Context())
		if err == nil {
			err = f.index.Apply(t.Context(), at, []search.Change{{URN: table}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []ops.Selection{
		{},
		{URNs: []string{string(table)}},
		{Selection: indexing.Selection{URNLike: "urn:li:dataset:%", Aspects: []string{"globalTags"}}},
	} {
		forget()
		done, err := f.RestoreIndices(authtest.As(t, authtest.Root), q)
		if err != nil || done.Rows == 0 || done.Completed != 0 {
			t.Errorf("%+v: got %+v, %v", q, done, err)
		}
		if n, err := f.index.Documents(t.Context()); err != nil || n["dataset"] != 1 {
			t.Errorf("%+v: %d datasets are indexed, want 1 (%v)", q, n["dataset"], err)
		}
	}
}

func TestRestoreIndicesCompletesEntitiesWhenAsked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	key := store.Key{URN: table, Aspect: "datasetKey"}
	_, err := f.store.Update(t.Context(), func(tx store.Tx) error { return tx.Remove(t.Context(), key, 0) })
	if err != nil {
		t.Fatal(err)
	}
	done, err := f.RestoreIndices(authtest.As(t, authtest.Root), ops.Selection{Complete: true})
	if err != nil || done.Completed != 1 {
		t.Errorf("got %+v, %v, want one aspect more", done, err)
	}
	if rows, err := f.store.Get(t.Context(), key); err != nil || rows[0] == nil {
		t.Errorf("the key is still not there: %v", err)
	}
}

func TestARestoreThatWasInterruptedDoesTheRest(t *testing.T) {
	t.Parallel()
	all, err := newFixture(t).RestoreIndices(authtest.As(t, authtest.Root), ops.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	var saved []indexing.Checkpoint
	q := indexing.Selection{URNLike: "%"}
	if _, err := f.Indexer.Restore(t.Context(), q, indexing.Hooks{Saved: func(_ context.Context, c indexing.Checkpoint) error {
		saved = append(saved, c)
		return nil
	}}); err != nil || len(saved) == 0 {
		t.Fatalf("%+v, %v", saved, err)
	}
	last := saved[len(saved)-1]
	if last.After != table || last.Done.Rows != all.Rows {
		t.Errorf("it came to %+v, want %d rows", last, all.Rows)
	}
	done, err := f.Indexer.Restore(t.Context(), q, indexing.Hooks{From: &last})
	if err != nil || done.Rows != all.Rows {
		t.Errorf("going on from the end gave %+v, %v, want the %d rows of before", done, err, all.Rows)
	}
}

func TestRestoreIndicesRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	root := authtest.As(t, authtest.Root)
	for _, c := range []struct {
		name string
		ctx  context.Context
		q    ops.Selection
		want fault.Kind
	}{
		{"somebody unknown", t.Context(), ops.Selection{}, fault.Unauthenticated},
		{"somebody without the privilege", authtest.As(t, authtest.Jo), ops.Selection{}, fault.Forbidden},
		{"what is no URN", root, ops.Selection{URNs: []string{"orders"}}, fault.Malformed},
		{"an aspect that does not exist", root, ops.Selection{Selection: indexing.Selection{Aspects: []string{"tags"}}}, fault.Malformed},
		{"a negative limit", root, ops.Selection{Selection: indexing.Selection{Limit: -1}}, fault.Malformed},
		{"too many URNs", root, ops.Selection{URNs: make([]string, ops.MaxURNs+1)}, fault.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := f.RestoreIndices(c.ctx, c.q); fault.KindOf(err) != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

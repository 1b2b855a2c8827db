package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// gate is a store that lists one entity per page, so that a restore saves a checkpoint after each.
// At stopAfter it signals reached and blocks until the restore ends.
type gate struct {
	store.Store
	stopAfter urn.URN
	reached   chan struct{}
	begun     []urn.URN // start positions of the requested pages
}

func (g *gate) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	g.begun = append(g.begun, q.After)
	if g.stopAfter != "" && q.After == g.stopAfter {
		close(g.reached)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	q.Limit = 1
	return g.Store.Scan(ctx, q)
}

// keptTasks keep their content when the manager closes, like a task file.
type keptTasks struct{ *memory.TaskStore }

func (keptTasks) Close() error { return nil }

// restorer returns a service over a store. closeTasks ends its tasks.
func restorer(t *testing.T, g *gate, tasks task.Store) (s *ops.Service, closeTasks func()) {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	if err != nil {
		t.Fatal(err)
	}
	indexer, err := indexing.New(t.Context(), indexing.Config{Registry: reg, Store: g.Store, Graph: g.Store.(*memory.Store), Index: index, Now: time.Now, Log: logging.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	indexer.Store = g
	follower, err := projection.Start(t.Context(), projection.Config{Log: g.Store, Now: time.Now, Logger: logging.Discard(), Awaited: []projection.Sink{indexer}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(follower.Close(), indexer.Close(), index.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	c := catalog.New(catalog.Config{
		Registry: reg, Store: g.Store, Graph: g.Store.(*memory.Store), Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{},
		Follower: follower, Now: time.Now, Log: logging.Discard(),
	})
	manager := task.New(task.Config{Store: tasks, Now: time.Now, Log: logging.Discard()})
	s = ops.New(ops.Config{Registry: reg, Catalog: c, Indexer: indexer, Follower: follower, Authorizer: authtest.Plain{}, Tasks: manager, Now: time.Now, Log: logging.Discard()})
	closeTasks = func() {
		if err := manager.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(closeTasks)
	return s, closeTasks
}

// tags writes some tags and returns their URNs in store order.
func tags(t *testing.T, s *ops.Service, n int) (urns []urn.URN) {
	t.Helper()
	var proposals []catalog.Proposal
	for i := range n {
		u := urn.Make("tag", fmt.Sprint(i))
		urns = append(urns, u)
		proposals = append(proposals, catalog.Proposal{URN: string(u), Aspect: "tagProperties", Value: json.RawMessage(`{"name":"x"}`)})
	}
	if _, err := s.Catalog.Write(authtest.As(t, model.SystemActor), proposals, catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return urns
}

var allTags = ops.Selection{Selection: indexing.Selection{URNLike: "urn:li:tag:%"}}

func begin(t *testing.T, s *ops.Service) {
	t.Helper()
	if err := s.Tasks.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestARestoreThatIsCancelledStopsAndKeepsWhatItHasDone(t *testing.T) {
	t.Parallel()
	g := &gate{Store: memory.NewStore(), reached: make(chan struct{})}
	s, _ := restorer(t, g, memory.NewTaskStore())
	urns := tags(t, s, 4)
	g.stopAfter = urns[1]
	begin(t, s)
	started, err := s.StartRestore(authtest.As(t, authtest.Root), allTags)
	if err != nil {
		t.Fatal(err)
	}
	<-g.reached
	if _, err := s.Tasks.Cancel(t.Context(), started.ID); err != nil {
		t.Fatal(err)
	}
	ended, err := s.Tasks.Wait(t.Context(), started.ID)
	if err != nil || ended.State != task.Cancelled || ended.Progress.Message != string(urns[1]) || ended.Progress.Done == 0 || ended.Checkpoint != nil {
		t.Errorf("%+v, %v", ended, err)
	}
	restated := map[urn.URN]bool{}
	entries, err := g.Entries(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind == store.Restated {
			restated[e.URN] = true
		}
	}
	if len(restated) != 2 || !restated[urns[0]] || !restated[urns[1]] {
		t.Errorf("restored are %v, want those before it was cancelled", restated)
	}
}

func TestARestoreGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	kept, st := keptTasks{memory.NewTaskStore()}, memory.NewStore()
	g := &gate{Store: st, reached: make(chan struct{})}
	s, stop := restorer(t, g, kept)
	urns := tags(t, s, 4)
	g.stopAfter = urns[1]
	begin(t, s)
	started, err := s.StartRestore(authtest.As(t, authtest.Root), allTags)
	if err != nil {
		t.Fatal(err)
	}
	<-g.reached
	stop() // like at the end of the service

	again := &gate{Store: st}
	s, _ = restorer(t, again, kept)
	again.begun = nil // discard the reads of the index build
	begin(t, s)
	ended, err := s.Tasks.Wait(t.Context(), started.ID)
	if err != nil || ended.State != task.Succeeded {
		t.Fatalf("%+v, %v", ended, err)
	}
	if len(again.begun) == 0 || again.begun[0] != urns[1] {
		t.Errorf("it went on behind %v, want %s", again.begun, urns[1])
	}
	all, err := s.RestoreIndices(authtest.As(t, authtest.Root), allTags)
	if err != nil {
		t.Fatal(err)
	}
	var done ops.Restored
	if err := json.Unmarshal(ended.Result, &done); err != nil || done.Rows != all.Rows || all.Rows == 0 {
		t.Errorf("%d rows were restored in two parts, %d are there: %v", done.Rows, all.Rows, err)
	}
}

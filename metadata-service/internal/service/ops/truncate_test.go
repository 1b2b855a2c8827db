package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

const usageIndex = "dataset_datasetusagestatisticsaspect_v1"

// world is a service over time-series files.
type world struct {
	*ops.Service
	t         testing.TB
	store     *memory.Store
	catalog   *catalog.Service
	documents *series.Store
	watched   *watchedSeries
	tasks     *memory.TaskStore
	now       time.Time
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newWorld(t testing.TB) *world {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: memory.NewStore(), tasks: memory.NewTaskStore(), now: start}
	if w.documents, err = series.Open(filepath.Join(t.TempDir(), "timeseries"), series.Config{}); err != nil {
		t.Fatal(err)
	}
	w.watched = &watchedSeries{Store: w.documents}
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: w.store, Now: time.Now, Logger: logging.Discard(), Awaited: []projection.Sink{seriessink.New(reg, w.documents)},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.catalog = catalog.New(catalog.Config{
		Registry: reg, Store: w.store, Graph: w.store, Documents: w.watched, Authorizer: authtest.Plain{},
		Follower: follower, Now: time.Now, Log: logging.Discard(),
	})
	tasks := task.New(task.Config{Store: w.tasks, Now: time.Now, Log: logging.Discard()})
	past, err := history.Open(filepath.Join(t.TempDir(), "history.json"), start, logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	w.Service = ops.New(ops.Config{
		Registry: reg, Catalog: w.catalog, Follower: follower, Authorizer: authtest.Plain{}, Tasks: tasks, History: past,
		Now: func() time.Time { return w.now }, Log: logging.Discard(),
	})
	t.Cleanup(func() {
		if err := errors.Join(tasks.Close(), follower.Close(), w.documents.Close()); err != nil {
			t.Error(err)
		}
	})
	return w
}

// begin starts the execution of tasks.
func (w *world) begin() {
	w.t.Helper()
	if err := w.Tasks.Begin(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// use writes usage of the table for days, each with two users as exploded rows.
func (w *world) use(days ...int) {
	w.t.Helper()
	var proposals []catalog.Proposal
	for _, day := range days {
		value := fmt.Sprintf(`{"timestampMillis":%d,"eventGranularity":{"unit":"DAY","multiple":1},"totalSqlQueries":%d,
			"userCounts":[{"user":"urn:li:corpuser:jo","count":1},{"user":"urn:li:corpuser:mia","count":2}]}`, at(day), day)
		proposals = append(proposals, catalog.Proposal{URN: string(table), Aspect: "datasetUsageStatistics", Value: json.RawMessage(value)})
	}
	if _, err := w.catalog.Write(authtest.As(w.t, model.SystemActor), proposals, catalog.WriteOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// at returns the time of a day before the start of the test.
func at(day int) int64 { return start.AddDate(0, 0, day-1000).UnixMilli() }

func days(n int) (list []int) {
	for i := range n {
		list = append(list, i+1)
	}
	return list
}

func (w *world) rows() (n int64) {
	w.t.Helper()
	sizes, err := w.documents.Sizes(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range sizes {
		n += s.Documents
	}
	return n
}

func (w *world) truncate(q ops.Truncation) task.Task {
	w.t.Helper()
	started, err := w.Truncate(authtest.As(w.t, authtest.Root), q)
	if err != nil {
		w.t.Fatal(err)
	}
	ended, err := w.Tasks.Wait(w.t.Context(), started.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return ended
}

func usage(end int64) ops.Truncation {
	return ops.Truncation{EntityType: "dataset", Aspect: "datasetusagestatistics", End: end}
}

func TestATruncationDeletesWhatItsRehearsalTells(t *testing.T) {
	t.Parallel()
	for _, batch := range []int{1, 7, 0} {
		w := newWorld(t)
		w.begin()
		w.use(days(30)...)
		q := usage(at(10))
		q.BatchSize = batch
		told, err := w.RehearseTruncation(authtest.As(t, authtest.Root), q)
		if err != nil || told.String() != "Delete 30 out of 90 rows (33.33%). Issuing a delete by query request." {
			t.Errorf("got %s, %v", told, err)
		}
		if n := w.rows(); n != 90 {
			t.Errorf("a rehearsal left %d rows", n)
		}
		ended := w.truncate(q)
		var done ops.TruncateResult
		if err := json.Unmarshal(ended.Result, &done); err != nil || ended.State != task.Succeeded || done.Rows != told.Rows || done.Index != usageIndex {
			t.Errorf("task %+v, result %s, %v", ended, ended.Result, err)
		}
		if n := w.rows(); n != 60 {
			t.Errorf("%d rows are left, want 60", n)
		}
		if told, err = w.RehearseTruncation(authtest.As(t, authtest.Root), q); err != nil || told.Rows != 0 || told.All != 60 {
			t.Errorf("afterwards %+v, %v", told, err)
		}
		expectFrom(t, w, 11)
	}
}

// expectFrom checks that the stored usage of the table begins with a day.
func expectFrom(t *testing.T, w *world, day int) {
	t.Helper()
	found, err := w.documents.Find(t.Context(), usageIndex, timeseries.Query{Ascending: true, Limit: 1})
	if err != nil || len(found) != 1 || found[0].Time != at(day) {
		t.Errorf("the first document is %+v, %v; want day %d", found, err, day)
	}
}

func TestMoreThanHalfIsReindexed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.use(days(4)...)
	yes, no := true, false
	for _, c := range []struct {
		end           int64
		force, anew   *bool
		want          string
		contradictory bool
	}{
		{at(2), nil, nil, "Delete 6 out of 12 rows (50.00%). Issuing a delete by query request.", false},
		{at(3), nil, nil, "Delete 9 out of 12 rows (75.00%). Reindexing the aspect without the deleted records.", false},
		{at(3), &yes, nil, "Delete 9 out of 12 rows (75.00%). Issuing a delete by query request.", false},
		{at(1), nil, &yes, "Delete 3 out of 12 rows (25.00%). Reindexing the aspect without the deleted records.", false},
		{at(1), &yes, &yes, "Delete 3 out of 12 rows (25.00%). Reindexing the aspect without the deleted records.", true},
		{at(1), &no, &no, "Delete 3 out of 12 rows (25.00%). Issuing a delete by query request.", true},
		{0, nil, nil, "Delete 0 out of 12 rows (0.00%). Issuing a delete by query request.", false},
	} {
		q := usage(c.end)
		q.ForceDelete, q.ForceReindex = c.force, c.anew
		told, err := w.RehearseTruncation(authtest.As(t, authtest.Root), q)
		if err != nil || told.String() != c.want || q.Contradictory() != c.contradictory {
			t.Errorf("got %s, %v, want %s", told, err, c.want)
		}
	}
	if ended := w.truncate(usage(w.now.UnixMilli())); ended.State != task.Succeeded || w.rows() != 0 {
		t.Errorf("everything: %+v, %d rows are left", ended, w.rows())
	}
	w.use(5)
	if n := w.rows(); n != 3 {
		t.Errorf("%d rows after a write behind that, want 3", n)
	}
}

func TestATruncationGivesTheDiskBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.use(days(900)...)
	before := w.size()
	if ended := w.truncate(usage(at(890))); ended.State != task.Succeeded {
		t.Fatalf("%+v", ended)
	}
	if after := w.size(); after.SizeMb > before.SizeMb/5 {
		t.Errorf("%v MB became %v", before.SizeMb, after.SizeMb)
	}
}

func (w *world) size() ops.IndexSize {
	w.t.Helper()
	sizes, err := w.IndexSizes(authtest.As(w.t, authtest.Root))
	if err != nil || len(sizes) != 1 {
		w.t.Fatalf("%+v, %v", sizes, err)
	}
	return sizes[0]
}

func TestAnIndexThatIsFilledFromTheLogAgainIsTruncatedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.use(days(20)...)
	q := usage(at(10))
	q.BatchSize = 3
	w.truncate(q)
	w.use(5) // arrives late, and stays
	again := memory.NewTimeseries()
	entries, err := w.store.Entries(t.Context(), 0, 1000)
	if err == nil {
		err = seriessink.New(w.Registry, again).Apply(t.Context(), entries)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, exploded := range []bool{false, true} {
		query := timeseries.Query{Exploded: exploded}
		want, err := w.documents.Find(t.Context(), usageIndex, query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Find(t.Context(), usageIndex, query)
		if err != nil || len(got) != len(want) || len(want) == 0 {
			t.Fatalf("%d documents, want %d (%v)", len(got), len(want), err)
		}
		for i := range got {
			if got[i].ID != want[i].ID {
				t.Errorf("document %d is %s, want %s", i, got[i].ID, want[i].ID)
			}
		}
	}
}

func TestTruncationRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(days(3)...)
	root := authtest.As(t, authtest.Root)
	change := func(fn func(*ops.Truncation)) ops.Truncation {
		q := usage(at(1))
		fn(&q)
		return q
	}
	for _, c := range []struct {
		name string
		ctx  context.Context
		q    ops.Truncation
		want fault.Kind
		says string
	}{
		{"somebody unknown", t.Context(), usage(1), fault.Unauthenticated, ""},
		{"somebody without the privilege", authtest.As(t, authtest.Jo), usage(1), fault.Forbidden, "TRUNCATE_TIMESERIES_INDEX_PRIVILEGE"},
		{"an unknown type", root, change(func(q *ops.Truncation) { q.EntityType = "tables" }), fault.Malformed, `entityType: there is no entity type "tables"`},
		{"an unknown aspect", root, change(func(q *ops.Truncation) { q.Aspect = "usage" }), fault.Malformed, `dataset has no time-series aspect "usage"`},
		{"a versioned aspect", root, change(func(q *ops.Truncation) { q.Aspect = "status" }), fault.Malformed, `no time-series aspect "status"`},
		{"the future", root, usage(start.UnixMilli() + 1), fault.Malformed, "endTimeMillis: 1767225600001 lies in the future"},
		{"a negative time", root, usage(-1), fault.Malformed, "endTimeMillis"},
		{"a large batch", root, change(func(q *ops.Truncation) { q.BatchSize = ops.MaxTruncateBatch + 1 }), fault.Malformed, "batchSize: must be between 1 and 100000"},
		{"a negative batch", root, change(func(q *ops.Truncation) { q.BatchSize = -1 }), fault.Malformed, "batchSize"},
		{"a negative timeout", root, change(func(q *ops.Truncation) { q.TimeoutSeconds = -1 }), fault.Malformed, "timeoutSeconds"},
	} {
		_, err := w.RehearseTruncation(c.ctx, c.q)
		if _, startErr := w.Truncate(c.ctx, c.q); fault.KindOf(startErr) != c.want {
			t.Errorf("%s: got %v, want %v", c.name, startErr, c.want)
		}
		if fault.KindOf(err) != c.want || !strings.Contains(fault.Message(err), c.says) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.says)
		}
	}
	first, err := w.Truncate(root, usage(at(1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Truncate(root, usage(at(2))); !errors.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(first.ID)) {
		t.Errorf("twice at once: %v", err)
	}
	if n := w.rows(); n != 9 {
		t.Errorf("%d rows are left of 9", n)
	}
}

func TestATruncationThatTakesTooLongSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(days(3)...)
	w.now = time.Now().Add(time.Hour)
	q := usage(at(2))
	q.TimeoutSeconds = 60
	w.begin()
	if ended := w.truncate(q); ended.State != task.Failed || !strings.Contains(ended.Error, "timeoutSeconds (60)") || w.rows() != 9 {
		t.Errorf("%+v, %d rows", ended, w.rows())
	}
}

func TestATruncationGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(days(10)...)
	params, err := json.Marshal(ops.Truncation{EntityType: "dataset", Aspect: "datasetUsageStatistics", End: at(6), BatchSize: 2})
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.tasks.Add(t.Context(), task.Task{
		Kind: "truncateTimeseriesAspect", State: task.Running, Actor: task.Actor{URN: authtest.Root}, Params: params, Checkpoint: json.RawMessage(`{"Rows":30,"Batches":2}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.begin()
	ended, err := w.Tasks.Wait(t.Context(), id)
	if err != nil || ended.State != task.Succeeded || !strings.Contains(string(ended.Result), `"deleted":30,"batches":5`) || w.rows() != 12 {
		t.Errorf("%+v %s, %v, %d rows", ended, ended.Result, err, w.rows())
	}
}

func TestIndexSizesAreThoseOfTheDiskTheLargestFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(days(50)...)
	if _, err := w.catalog.Write(authtest.As(t, model.SystemActor), []catalog.Proposal{
		{URN: string(table), Aspect: "datasetProfile", Value: json.RawMessage(`{"timestampMillis":1}`)},
	}, catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	sizes, err := w.IndexSizes(authtest.As(t, authtest.Root))
	if err != nil || len(sizes) != 2 || sizes[0].IndexName != usageIndex || sizes[1].AspectName != "datasetprofile" || sizes[1].EntityName != "dataset" {
		t.Fatalf("%+v, %v", sizes, err)
	}
	onDisk, err := w.documents.Sizes(t.Context())
	if err != nil || sizes[0].SizeMb != float64(onDisk[1].Bytes)/1e6 || sizes[0].SizeInMb != sizes[0].SizeMb {
		t.Errorf("%+v, on the disk %+v, %v", sizes, onDisk, err)
	}
	if _, err := w.IndexSizes(authtest.As(t, authtest.Jo)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("somebody without the privilege: %v", err)
	}
}

func TestTheStatusOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(days(3)...)
	root := authtest.As(t, authtest.Root)
	started, err := w.Truncate(root, usage(at(1)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.GetTaskStatus(root, started.ID); err != nil || got.Completed || got.TaskID != started.ID || got.Status["state"] != task.Queued {
		t.Errorf("%+v, %v", got, err)
	}
	w.begin()
	if _, err := w.Tasks.Wait(t.Context(), started.ID); err != nil {
		t.Fatal(err)
	}
	got, err := w.GetTaskStatus(root, started.ID)
	if err != nil || !got.Completed || got.Status["done"] != int64(3) || got.Status["state"] != task.Succeeded {
		t.Errorf("%+v, %v", got, err)
	}
	page, err := w.ListTasks(root, task.Query{})
	if err != nil || page.Total != 1 || page.Tasks[0].ID != started.ID || page.Tasks[0].Actor != authtest.Root {
		t.Errorf("%+v, %v", page, err)
	}
	one, err := w.GetTask(root, started.ID)
	if err != nil || !strings.Contains(string(one.Parameters), "datasetusagestatistics") {
		t.Errorf("%+v, %v", one, err)
	}
	jo := authtest.As(t, authtest.Jo)
	_, err1 := w.GetTaskStatus(jo, started.ID)
	_, err2 := w.ListTasks(jo, task.Query{})
	_, err3 := w.GetTask(jo, started.ID)
	_, err4 := w.CancelTask(jo, started.ID)
	for _, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("somebody without the privilege: %v", err)
		}
	}
}

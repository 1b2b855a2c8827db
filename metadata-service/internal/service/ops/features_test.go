package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// watchedSeries is a time-series store that calls a function at the n-th read of the newest
// documents of some entities.
type watchedSeries struct {
	timeseries.Store
	reads, at atomic.Int64
	then      func(ctx context.Context)
}

func (w *watchedSeries) Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	if n := w.reads.Add(1); n == w.at.Load() {
		w.then(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return w.Store.Latest(ctx, index, urns)
}

// dying is a task store that drops all writes from one moment on, like that of a killed process.
type dying struct {
	task.Store
	dead atomic.Bool
}

func (d *dying) Put(ctx context.Context, t task.Task) error {
	if d.dead.Load() {
		return errors.New("the process is gone")
	}
	return d.Store.Put(ctx, t)
}

func (d *dying) Close() error { return nil }

func hive(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

func (w *world) write(proposals ...catalog.Proposal) {
	w.t.Helper()
	if _, err := w.catalog.Write(authtest.As(w.t, model.SystemActor), proposals, catalog.WriteOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

func put(u urn.URN, aspect, value string) catalog.Proposal {
	return catalog.Proposal{URN: string(u), Aspect: aspect, Value: json.RawMessage(value)}
}

// used returns a usage document dated so many days before the start of the test.
func used(u urn.URN, daysAgo, queries int, users ...string) catalog.Proposal {
	counts := make([]string, len(users))
	for i, name := range users {
		counts[i] = fmt.Sprintf(`{"user":"urn:li:corpuser:%s","count":%d}`, name, len(users)-i)
	}
	return put(u, "datasetUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"eventGranularity":{"unit":"DAY","multiple":1},"totalSqlQueries":%d,"userCounts":[%s]}`,
		start.AddDate(0, 0, -daysAgo).UnixMilli(), queries, strings.Join(counts, ",")))
}

// aspect returns the text of an aspect, or an empty text if there is none.
func (w *world) aspect(u urn.URN, name string) string {
	w.t.Helper()
	found, err := w.catalog.Latest(w.t.Context(), store.Key{URN: u, Aspect: name})
	if err != nil {
		w.t.Fatal(err)
	}
	if found[0] == nil {
		return ""
	}
	return string(found[0].Value)
}

// compute runs the task to its end.
func (w *world) compute() ops.FeaturesResult {
	w.t.Helper()
	started, err := w.ComputeFeatures(authtest.As(w.t, authtest.Root))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.wait(started.ID)
}

func (w *world) wait(id task.ID) (result ops.FeaturesResult) {
	w.t.Helper()
	ended, err := w.Tasks.Wait(w.t.Context(), id)
	if err == nil {
		err = ended.Err()
	}
	if err == nil {
		err = json.Unmarshal(ended.Result, &result)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if p := ended.Progress; p.Done != p.Total || p.Done != 2*int64(result.Datasets) {
		w.t.Errorf("the progress at the end is %+v, of %d datasets", p, result.Datasets)
	}
	return result
}

func (w *world) expect(u urn.URN, aspect, want string) {
	w.t.Helper()
	if got := w.aspect(u, aspect); got != want {
		w.t.Errorf("%s of %s:\ngot  %s\nwant %s", aspect, u, got, want)
	}
}

const (
	elsewhere urn.URN = "urn:li:dataset:(urn:li:dataPlatform:mysql,d,PROD)"
	quiet     urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,quiet,PROD)"
)

// shop adds datasets with current usage, without usage, with old usage, and deleted ones.
func (w *world) shop() {
	w.t.Helper()
	a, b, c, gone := hive("a"), hive("b"), hive("c"), hive("gone")
	w.write(
		used(a, 1, 60, "jo", "mia"), used(a, 29, 40, "mia", "ann"), used(a, 31, 1000, "old"),
		used(b, 2, 10, "jo"), used(c, 3, 10),
		put(c, "datasetUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"uniqueUserCount":4}`, start.AddDate(0, 0, -4).UnixMilli())),
		used(elsewhere, 1, 1, "jo"), used(gone, 1, 999, "jo"), put(gone, "status", `{"removed":true}`),
		put(quiet, "status", `{"removed":false}`), used(hive("old"), 31, 5, "jo"), used(hive("zero"), 1, 0),
		put(a, "datasetProfile", `{"timestampMillis":1000,"rowCount":7,"columnCount":2}`),
		put(a, "datasetProfile", `{"timestampMillis":2000,"rowCount":1,"partitionSpec":{"partition":"day=1","type":"PARTITION"}}`),
		put(b, "datasetProfile", `{"timestampMillis":1000,"columnCount":3,"partitionSpec":{"partition":"FULL_TABLE_SNAPSHOT","type":"FULL_TABLE"}}`),
		put(c, "datasetProfile", `{"timestampMillis":1000,"sizeInBytes":3}`),
		put(b, "operation", `{"timestampMillis":1000,"lastUpdatedTimestamp":999,"operationType":"INSERT"}`),
		put(hive("old"), "operation", `{"timestampMillis":1000,"lastUpdatedTimestamp":998,"operationType":"INSERT"}`),
	)
}

func TestFeaturesAreWhatTheSeriesOfADatasetAddUpTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.shop()
	if got, want := w.compute(), (ops.FeaturesResult{Datasets: 8, Written: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// Of the three queried datasets, b and c have equal counts of queries; b has fewer users than a
	// and c.
	w.expect(hive("a"), "usageFeatures", `{"combinedSearchRankingMultiplier":1.4,"queryCountLast30Days":100,"queryCountPercentileLast30Days":100,"topUsersLast30Days":["urn:li:corpuser:mia","urn:li:corpuser:jo","urn:li:corpuser:ann"],"uniqueUserCountLast30Days":3,"uniqueUserPercentileLast30Days":66}`)
	w.expect(hive("b"), "usageFeatures", `{"combinedSearchRankingMultiplier":1.2,"lastOperationTimestampMs":999,"queryCountLast30Days":10,"queryCountPercentileLast30Days":66,"topUsersLast30Days":["urn:li:corpuser:jo"],"uniqueUserCountLast30Days":1,"uniqueUserPercentileLast30Days":33}`)
	w.expect(hive("c"), "usageFeatures", `{"combinedSearchRankingMultiplier":1.4,"queryCountLast30Days":10,"queryCountPercentileLast30Days":66,"uniqueUserCountLast30Days":4,"uniqueUserPercentileLast30Days":100}`)
	w.expect(elsewhere, "usageFeatures", `{"combinedSearchRankingMultiplier":1.5,"queryCountLast30Days":1,"queryCountPercentileLast30Days":100,"topUsersLast30Days":["urn:li:corpuser:jo"],"uniqueUserCountLast30Days":1,"uniqueUserPercentileLast30Days":100}`)
	w.expect(hive("old"), "usageFeatures", `{"lastOperationTimestampMs":998}`)
	for _, u := range []urn.URN{quiet, hive("zero"), hive("gone")} {
		w.expect(u, "usageFeatures", "")
		w.expect(u, "storageFeatures", "")
	}
	w.expect(hive("a"), "storageFeatures", `{"columnCount":2,"rowCount":7}`)
	w.expect(hive("b"), "storageFeatures", `{"columnCount":3}`)
	w.expect(hive("c"), "storageFeatures", "")
}

func TestFeaturesAreWrittenByTheServiceAndOnlyWhenTheyChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.shop()
	w.compute()
	last, _ := w.store.Last()
	if got, want := w.compute(), (ops.FeaturesResult{Datasets: 8}); got != want {
		t.Errorf("again: %+v, want %+v", got, want)
	}
	if now, _ := w.store.Last(); now != last {
		t.Errorf("the log grew from %d to %d though nothing changed", last, now)
	}
	w.write(used(hive("b"), 1, 1, "jo"))
	if got := w.compute(); got.Written != 2 { // b itself, and c, which now has fewer queries than b
		t.Errorf("after b was used: %+v", got)
	}
	found, err := w.catalog.Latest(t.Context(), store.Key{URN: hive("b"), Aspect: "usageFeatures"})
	if err != nil || found[0].CreatedBy != model.SystemActor || found[0].System.Version != "2" {
		t.Errorf("%+v, %v", found[0], err)
	}
}

func TestFeaturesGoWithTheirSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.shop()
	w.compute()
	for _, aspect := range []string{"datasetUsageStatistics", "datasetProfile", "operation"} {
		if ended := w.truncate(ops.Truncation{EntityType: "dataset", Aspect: aspect, End: start.UnixMilli()}); ended.State != task.Succeeded {
			t.Fatalf("%+v", ended)
		}
	}
	if got, want := w.compute(), (ops.FeaturesResult{Datasets: 8, Removed: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	w.expect(hive("a"), "usageFeatures", "")
	w.expect(hive("a"), "storageFeatures", "")
}

// many creates datasets with increasing usage.
func (w *world) many(n int) {
	w.t.Helper()
	var proposals []catalog.Proposal
	for i := range n {
		proposals = append(proposals, used(hive(fmt.Sprintf("t%04d", i)), 1, i+1, "jo"))
	}
	w.write(proposals...)
}

func (w *world) others(tasks task.Store) *task.Manager {
	w.t.Helper()
	m := task.New(task.Config{Store: tasks, Now: time.Now, Log: logging.Discard()})
	cfg := w.Config
	cfg.Tasks = m
	w.Service = ops.New(cfg)
	w.t.Cleanup(func() { _ = m.Close() })
	w.begin()
	return m
}

func TestComputingFeaturesGoesOnAfterTheProcessWasKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.many(500)
	tasks := &dying{Store: w.tasks}
	closed := make(chan error, 1)
	var first *task.Manager
	// Each page of 200 reads two series. The interruption is in the second page, after the
	// checkpoint of the first.
	w.watched.at.Store(3)
	w.watched.then = func(ctx context.Context) {
		tasks.dead.Store(true)
		go func() { closed <- first.Close() }()
		<-ctx.Done()
	}
	first = w.others(tasks)
	started, err := w.ComputeFeatures(authtest.As(t, authtest.Root))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.ComputeFeatures(authtest.As(t, authtest.Root)); !errors.Is(err, fault.Conflict) {
		t.Errorf("twice at once: %v", err)
	}
	<-closed
	stored, err := tasks.Get(t.Context(), started.ID)
	if err != nil || stored.State != task.Running || stored.Progress.Done != 700 || stored.Progress.Total != 1000 {
		t.Fatalf("killed as %+v, %v", stored, err)
	}
	w.expect(hive("t0200"), "usageFeatures", "")
	// Later events are outside the days before the start of the task.
	w.now = start.AddDate(0, 0, 40)
	tasks.dead.Store(false)
	w.others(tasks)
	if got, want := w.wait(started.ID), (ops.FeaturesResult{Datasets: 500, Written: 500}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i, want := range map[int]int{0: 1, 249: 50, 499: 100} {
		if got := w.aspect(hive(fmt.Sprintf("t%04d", i)), "usageFeatures"); !strings.Contains(got, fmt.Sprintf(`"queryCountPercentileLast30Days":%d,`, want)) {
			t.Errorf("dataset %d: %s, want the percentile %d", i, got, want)
		}
	}
}

func TestComputingFeaturesIsCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.many(500)
	reached := make(chan struct{})
	w.watched.at.Store(3)
	w.watched.then = func(ctx context.Context) {
		close(reached)
		<-ctx.Done()
	}
	w.begin()
	started, err := w.ComputeFeatures(authtest.As(t, authtest.Root))
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	if _, err := w.CancelTask(authtest.As(t, authtest.Root), started.ID); err != nil {
		t.Fatal(err)
	}
	ended, err := w.Tasks.Wait(t.Context(), started.ID)
	if err != nil || ended.State != task.Cancelled {
		t.Errorf("%+v, %v", ended, err)
	}
	if kept, not := w.aspect(hive("t0199"), "usageFeatures"), w.aspect(hive("t0200"), "usageFeatures"); kept == "" || not != "" {
		t.Errorf("what was written before stays, and no more is written: %q, %q", kept, not)
	}
}

func TestADatasetThatIsDeletedMeanwhileStaysDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.shop()
	w.watched.at.Store(1) // before the features are written
	w.watched.then = func(context.Context) {
		if _, err := w.catalog.DeleteEntity(authtest.As(t, authtest.Root), hive("a")); err != nil {
			t.Error(err)
		}
		w.write(put(hive("b"), "status", `{"removed":true}`))
	}
	w.begin()
	w.compute()
	for _, aspect := range []string{"datasetKey", "usageFeatures", "storageFeatures"} {
		w.expect(hive("a"), aspect, "")
	}
	w.expect(hive("b"), "usageFeatures", "")
	if w.aspect(hive("c"), "usageFeatures") == "" {
		t.Error("another one has no features")
	}
}

// TestFeaturesAreComputedNowAndThen drives a schedule with a fake clock and waits for the tasks
// that it starts.
func TestFeaturesAreComputedNowAndThen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	ctx, stop := context.WithCancel(authtest.As(t, model.SystemActor))
	tick, ended := make(chan time.Time), make(chan error, 1)
	schedule := func() { go func() { ended <- w.ScheduleFeatures(ctx, 24*time.Hour, tick) }() }
	end := func() {
		t.Helper()
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		ctx, stop = context.WithCancel(authtest.As(t, model.SystemActor))
	}
	// The task manager records end times by the real clock.
	began := time.Now()
	expect := func(passed time.Duration, want int) {
		t.Helper()
		for range 2 { // the second tick is accepted once the first has been processed
			tick <- began.Add(passed)
		}
		list := w.truncations()
		for _, one := range list {
			if _, err := w.Tasks.Wait(t.Context(), one.ID); err != nil {
				t.Fatal(err)
			}
		}
		if len(list) != want {
			t.Errorf("after %s there were %d tasks, want %d", passed, len(list), want)
		}
	}
	schedule()
	expect(0, 0)
	expect(3*time.Minute, 0) // there are no datasets
	w.shop()
	expect(20*time.Hour, 0)
	expect(25*time.Hour, 1)
	expect(26*time.Hour, 1)
	end()
	schedule() // like after a restart: the last task has just ended
	expect(0, 1)
	expect(3*time.Minute, 1)
	expect(25*time.Hour, 2)
	end()
	stop()
}

func TestComputingFeaturesTakesTheRightToManageTheSystem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.ComputeFeatures(authtest.As(t, authtest.Jo)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("got %v, want forbidden", err)
	}
}

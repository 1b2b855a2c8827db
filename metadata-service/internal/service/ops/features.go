package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// FeaturesKind is the kind of the task that summarizes the time series of datasets in the aspects
// usageFeatures and storageFeatures.
const FeaturesKind = "computeFeatures"

// featuresType is the entity type with features.
const featuresType = "dataset"

const (
	// featuresPage is the number of datasets between two checkpoints.
	featuresPage = 200
	// seriesPage is the maximum number of time-series documents of a dataset in memory.
	seriesPage = 200
	// maxProfiles is the maximum number of profiles, newest first, among which to look for a
	// profile of the whole table.
	maxProfiles = 100
)

// firstFeatures is the delay of the first computation after the start, so that other parts start
// first.
const firstFeatures = 2 * time.Minute

// featuresCheckpoint is the checkpoint of a task. All results refer to the time of its first start.
// The counts for the comparison of datasets are not saved but computed again.
type featuresCheckpoint struct {
	At    int64          `json:"at"`
	After urn.URN        `json:"after"`
	Done  FeaturesResult `json:"done"`
}

// FeaturesResult is the result of a task.
type FeaturesResult struct {
	Datasets int `json:"datasets"` // visited datasets
	Written  int `json:"written"`  // written aspects
	Removed  int `json:"removed"`  // removed aspects, of datasets whose time series no longer hold any relevant document
}

// ComputeFeatures starts a task that summarizes the time series of all datasets. It requires
// auth.ManageSystem. While such a task runs, the error is fault.Conflict.
func (s *Service) ComputeFeatures(ctx context.Context) (task.Task, error) {
	if err := s.allowFeatures(ctx, nil); err != nil {
		return task.Task{}, err
	}
	if err := s.Catalog.Writable(ctx); err != nil {
		return task.Task{}, err
	}
	return s.Tasks.Start(ctx, FeaturesKind, struct{}{}, FeaturesKind)
}

func (s *Service) allowFeatures(ctx context.Context, _ json.RawMessage) error {
	return s.MayManage(ctx)
}

// ScheduleFeatures starts computations of features until ctx ends. The first one starts one period
// after the end of the last successful task, but not before firstFeatures has elapsed; later ones
// start once per period. It logs a failure to start, and tries again one period later. Each tick
// carries the current time and triggers one check for due work. It acts as the actor in ctx.
func (s *Service) ScheduleFeatures(ctx context.Context, every time.Duration, tick <-chan time.Time) error {
	first := func(now time.Time) time.Time { return s.firstDue(ctx, now, every) }
	return repeat(ctx, tick, first, every, func() {
		if err := s.featuresNow(ctx); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "features of datasets were not computed", "retry_in", every, "error", err)
		}
	})
}

// firstDue returns the time of the first computation: firstFeatures after the start, or later if
// features were computed recently.
func (s *Service) firstDue(ctx context.Context, now time.Time, every time.Duration) time.Time {
	due := now.Add(min(firstFeatures, every))
	last, _, err := s.Tasks.List(ctx, task.Query{Kinds: []string{FeaturesKind}, States: []task.State{task.Succeeded}, Count: 1})
	if err != nil || len(last) == 0 {
		return due
	}
	again := time.UnixMilli(last[0].Ended).Add(every)
	if again.After(now.Add(every)) { // the clock was set back
		again = now.Add(every)
	}
	if again.After(due) {
		return again
	}
	return due
}

// featuresNow starts a task, unless there are no datasets or such a task already runs.
func (s *Service) featuresNow(ctx context.Context) error {
	n, err := s.Catalog.Count(ctx, featuresType)
	if err != nil || n == 0 {
		return err
	}
	if _, err = s.ComputeFeatures(ctx); errors.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// features is one run of the task.
type features struct {
	*Service
	run         *task.Run
	checkpoint  featuresCheckpoint
	ranking     statistics.Ranking
	seen, total int // number of datasets; each is visited twice

	usageSeries, operationSeries, profileSeries catalog.Series
}

// newFeatures resolves the time series that a task reads, and loads its checkpoint.
func (s *Service) newFeatures(run *task.Run) (*features, error) {
	f := &features{Service: s, run: run, checkpoint: featuresCheckpoint{At: s.Now().UnixMilli()}}
	for aspect, into := range map[string]*catalog.Series{"datasetUsageStatistics": &f.usageSeries, "operation": &f.operationSeries, "datasetProfile": &f.profileSeries} {
		of, err := s.Catalog.Series(featuresType, aspect)
		if err != nil {
			return nil, err
		}
		*into = of
	}
	_, err := run.Checkpoint(&f.checkpoint)
	return f, err
}

// runFeatures visits all datasets twice, since the values for comparison are known only after the
// first pass. Between the passes it holds only two counts for each dataset. The actor that started
// the task need not be allowed to view the datasets, since the task shows no values.
func (s *Service) runFeatures(ctx context.Context, run *task.Run) error {
	f, err := s.newFeatures(run)
	if err != nil {
		return err
	}
	datasets, err := s.Catalog.Count(ctx, featuresType)
	if err != nil {
		return err
	}
	f.total = 2 * datasets
	if err := f.visitDatasets(ctx, "", "counting", f.count); err != nil {
		return err
	}
	f.seen += f.checkpoint.Done.Datasets
	return f.visitDatasets(ctx, f.checkpoint.After, "writing", f.writeFeatures)
}

// visitDatasets visits the datasets after a URN, page by page, and saves a checkpoint after each
// page.
func (f *features) visitDatasets(ctx context.Context, after urn.URN, doing string, visit func(ctx context.Context, page []urn.URN) error) error {
	for {
		page, err := f.Catalog.Scan(ctx, store.Scan{Type: featuresType, After: after, Limit: featuresPage})
		if err != nil {
			return err
		}
		if len(page) > 0 {
			after = page[len(page)-1]
			if err := visit(ctx, page); err != nil {
				return err
			}
		}
		f.seen += len(page)
		if err := f.save(ctx, doing); err != nil {
			return err
		}
		if len(page) < featuresPage {
			return nil
		}
	}
}

func (f *features) save(ctx context.Context, doing string) error {
	if err := f.run.SetResult(f.checkpoint.Done); err != nil {
		return err
	}
	return f.run.Save(ctx, task.Progress{Done: int64(f.seen), Total: int64(max(f.total, f.seen)), Message: doing}, f.checkpoint)
}

// count adds datasets to the ranking. It skips soft-deleted ones, which are not compared.
func (f *features) count(ctx context.Context, page []urn.URN) error {
	removed, err := f.Catalog.SoftDeleted(ctx, page)
	if err != nil {
		return err
	}
	for i, u := range page {
		if removed[i] {
			continue
		}
		activity, err := f.activity(ctx, u)
		if err != nil {
			return err
		}
		f.ranking.Add(u, activity)
	}
	return nil
}

// writeFeatures writes the features of datasets.
func (f *features) writeFeatures(ctx context.Context, page []urn.URN) error {
	changed, err := f.newest(ctx, f.operationSeries, page)
	if err != nil {
		return err
	}
	profiled, err := f.newest(ctx, f.profileSeries, page)
	if err != nil {
		return err
	}
	list := make([]catalog.Summary, 0, 2*len(page))
	for _, u := range page {
		activity, err := f.activity(ctx, u)
		if err != nil {
			return err
		}
		size := statistics.StorageFeaturesOf(profiled[u])
		if size == nil && profiled[u] != nil {
			if size, err = f.size(ctx, u); err != nil {
				return err
			}
		}
		use := statistics.UsageFeaturesOf(u, activity, &f.ranking, jsontree.Int(changed[u], "lastUpdatedTimestamp"))
		list = append(list,
			catalog.Summary{Of: store.Key{URN: u, Aspect: statistics.UsageFeatures}, Value: use},
			catalog.Summary{Of: store.Key{URN: u, Aspect: statistics.StorageFeatures}, Value: size})
	}
	done, err := f.Catalog.KeepSummaries(ctx, list)
	if err != nil {
		return err
	}
	f.checkpoint.Done.Datasets += len(page)
	f.checkpoint.Done.Written += done.Written
	f.checkpoint.Done.Removed += done.Removed
	f.checkpoint.After = page[len(page)-1]
	return nil
}

// activity sums the use of a dataset in the last statistics.FeatureDays days before the task
// started, from at most the newest statistics.MaxEvents documents.
func (f *features) activity(ctx context.Context, u urn.URN) (statistics.Activity, error) {
	var sum statistics.Counting
	from := time.UnixMilli(f.checkpoint.At).AddDate(0, 0, -statistics.FeatureDays).UnixMilli()
	q := timeseries.Query{URNs: []urn.URN{u}, From: &from, To: &f.checkpoint.At, Limit: seriesPage}
	for seen := 0; seen < statistics.MaxEvents; {
		found, err := f.Catalog.FindDocuments(ctx, f.usageSeries, q)
		if err != nil {
			return statistics.Activity{}, err
		}
		for i := range found {
			value, err := eventOf(&found[i], f.usageSeries)
			if err != nil {
				return statistics.Activity{}, err
			}
			sum.Add(value)
		}
		if len(found) < seriesPage {
			break
		}
		seen += len(found)
		last := &found[len(found)-1]
		q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
	}
	return sum.Activity(), nil
}

// newest returns the newest document of a series for each dataset that has one.
func (f *features) newest(ctx context.Context, of catalog.Series, page []urn.URN) (map[urn.URN]jsontree.Object, error) {
	found, err := f.Catalog.LatestDocuments(ctx, of, page)
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]jsontree.Object, len(found))
	for u, d := range found {
		if out[u], err = eventOf(&d, of); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// size returns the storage features from the newest profile of the whole dataset, among the newest
// maxProfiles profiles. It is for datasets whose newest profile covers only a part.
func (f *features) size(ctx context.Context, u urn.URN) (jsontree.Object, error) {
	found, err := f.Catalog.FindDocuments(ctx, f.profileSeries, timeseries.Query{URNs: []urn.URN{u}, Limit: maxProfiles})
	if err != nil {
		return nil, err
	}
	for i := range found {
		value, err := eventOf(&found[i], f.profileSeries)
		if err != nil {
			return nil, err
		}
		if size := statistics.StorageFeaturesOf(value); size != nil {
			return size, nil
		}
	}
	return nil, nil
}

func eventOf(d *timeseries.Document, of catalog.Series) (jsontree.Object, error) {
	value, err := jsontree.DecodeObject(d.Event)
	if err != nil {
		return nil, fmt.Errorf("decode %s of %s: %w", of.Aspect.Name, d.URN, err)
	}
	return value, nil
}

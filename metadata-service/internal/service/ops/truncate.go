package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

// truncateKind is the kind of the task that truncates a time series.
const truncateKind = "truncateTimeseriesAspect"

// Batch sizes of a truncation.
const (
	DefaultTruncateBatch = 10_000
	MaxTruncateBatch     = 100_000
	// eraseStep is the maximum number of documents that one transaction within a batch erases. Each
	// document touches pages all over the file, and writers of the same series wait for the
	// transaction: with a million rows, 10,000 documents take more than a second. Smaller steps do
	// not increase the total work.
	eraseStep = 500
)

// Truncation selects the documents of a time series to delete. Names may be in any case.
type Truncation struct {
	EntityType, Aspect string
	End                int64 // epoch ms; documents at or before it are deleted
	BatchSize          int   // documents between two checkpoints; 0 for the default
	TimeoutSeconds     int64 // 0 for no limit
	// ForceDelete keeps the file unchanged, in place of an error, when the disk has no space for a
	// copy of the remaining documents. ForceReindex is the default behavior.
	ForceDelete, ForceReindex *bool
}

// Truncated is the forecast of a truncation.
type Truncated struct {
	Rows, All int64 // number of documents to delete, and of all documents
	Reindex   bool  // the remaining documents are copied, since more than half are deleted
}

// String returns the summary sentence.
func (t Truncated) String() string {
	share := 0.0
	if t.All > 0 {
		share = 100 * float64(t.Rows) / float64(t.All)
	}
	how := "Issuing a delete by query request."
	if t.Reindex {
		how = "Reindexing the aspect without the deleted records."
	}
	return fmt.Sprintf("Delete %d out of %d rows (%.2f%%). %s", t.Rows, t.All, share, how)
}

// Contradictory reports whether both options are set to true, or both to false.
func (q *Truncation) Contradictory() bool {
	return q.ForceDelete != nil && q.ForceReindex != nil && *q.ForceDelete == *q.ForceReindex
}

// RehearseTruncation returns the number of documents that Truncate would delete now. Both require
// auth.TruncateTimeseries.
func (s *Service) RehearseTruncation(ctx context.Context, q Truncation) (Truncated, error) {
	of, err := s.checkTruncation(ctx, &q)
	if err != nil {
		return Truncated{}, err
	}
	rows, all, err := s.Catalog.CountUntil(ctx, of, q.End)
	if err != nil {
		return Truncated{}, err
	}
	reindex := rows > all/2
	switch {
	case q.ForceReindex != nil:
		reindex = *q.ForceReindex
	case q.ForceDelete != nil:
		reindex = !*q.ForceDelete
	}
	return Truncated{Rows: rows, All: all, Reindex: reindex}, nil
}

// Truncate starts a task that deletes the documents of a time series up to a time and returns their
// disk space. While such a task runs for the same series, the error is fault.Conflict.
func (s *Service) Truncate(ctx context.Context, q Truncation) (task.Task, error) {
	of, err := s.checkTruncation(ctx, &q)
	if err != nil {
		return task.Task{}, err
	}
	if err := s.Catalog.Writable(ctx); err != nil {
		return task.Task{}, err
	}
	return s.Tasks.Start(ctx, truncateKind, q, truncateKind+" "+of.Index())
}

func (s *Service) allowTruncate(ctx context.Context, _ json.RawMessage) error {
	return s.require(ctx, auth.TruncateTimeseries)
}

func (s *Service) checkTruncation(ctx context.Context, q *Truncation) (of catalog.Series, err error) {
	if err := s.allowTruncate(ctx, nil); err != nil {
		return of, err
	}
	if of, err = s.Catalog.Series(q.EntityType, q.Aspect); err != nil {
		return of, err
	}
	if q.BatchSize == 0 {
		q.BatchSize = DefaultTruncateBatch
	}
	switch now := s.Now().UnixMilli(); {
	case q.End < 0:
		return of, fault.New(fault.Malformed, "endTimeMillis: must not be negative, is %d", q.End)
	case q.End > now:
		return of, fault.New(fault.Malformed, "endTimeMillis: %d lies in the future; at most the time of now, %d, is possible", q.End, now)
	case q.BatchSize < 0 || q.BatchSize > MaxTruncateBatch:
		return of, fault.New(fault.Malformed, "batchSize: must be between 1 and %d, is %d", MaxTruncateBatch, q.BatchSize)
	case q.TimeoutSeconds < 0 || q.TimeoutSeconds > int64(maxTimeout/time.Second):
		return of, fault.New(fault.Malformed, "timeoutSeconds: must be between 0, which is none, and %d, is %d", maxTimeout/time.Second, q.TimeoutSeconds)
	}
	return of, nil
}

const maxTimeout = 30 * 24 * time.Hour

// truncateCheckpoint is the checkpoint of a truncation. It omits the erased documents, since the
// series shows them.
type truncateCheckpoint struct {
	Rows    int64 // documents to erase, counted at the start
	Batches int
}

// TruncateResult is the result of a truncation.
type TruncateResult struct {
	Index      string `json:"indexName"`
	Rows       int64  `json:"deleted"`
	Batches    int    `json:"batches"`
	FreedBytes int64  `json:"freedBytes"`
	Note       string `json:"note,omitempty"`
}

func (s *Service) runTruncate(ctx context.Context, run *task.Run) error {
	var q Truncation
	if err := run.Params(&q); err != nil {
		return err
	}
	of, err := s.Catalog.Series(q.EntityType, q.Aspect)
	if err != nil {
		return err
	}
	at, err := s.beginTruncation(ctx, run, of, &q)
	if err != nil {
		return err
	}
	if err := s.eraseAll(ctx, run, of, &q, &at); err != nil {
		return err
	}
	done := TruncateResult{Index: of.Index(), Rows: at.Rows, Batches: at.Batches}
	if err := run.Save(ctx, task.Progress{Done: at.Rows, Total: at.Rows, Message: "giving back the space"}, at); err != nil {
		return err
	}
	s.recordSizes(ctx)
	done.FreedBytes, err = s.Catalog.CompactSeries(ctx, of)
	s.recordSizes(ctx)
	switch {
	case errors.Is(err, fault.StorageFull) && q.ForceDelete != nil && *q.ForceDelete:
		done.Note = "the disk has no space for a copy of the remaining rows; the file keeps its size, and later writes use the free space in it"
	case errors.Is(err, fault.StorageFull):
		return fault.Wrap(err, fault.StorageFull, "%d rows are deleted, but the disk has no space for a copy of the remaining rows, so their space is not released; "+
			"free disk space and start the truncation again", at.Rows)
	case err != nil:
		return err
	}
	return run.SetResult(done)
}

func (s *Service) beginTruncation(ctx context.Context, run *task.Run, of catalog.Series, q *Truncation) (at truncateCheckpoint, err error) {
	if resumed, err := run.Checkpoint(&at); err != nil || resumed {
		return at, err
	}
	if at.Rows, _, err = s.Catalog.CountUntil(ctx, of, q.End); err != nil {
		return at, err
	}
	return at, run.Save(ctx, task.Progress{Total: at.Rows, Message: of.Index()}, at)
}

func (s *Service) eraseAll(ctx context.Context, run *task.Run, of catalog.Series, q *Truncation, at *truncateCheckpoint) error {
	for {
		if q.TimeoutSeconds > 0 && s.Now().UnixMilli()-run.Started() > q.TimeoutSeconds*1000 {
			return fault.New(fault.Unavailable, "the truncation did not end within timeoutSeconds (%d); deleted rows stay deleted, so start another truncation for the rest", q.TimeoutSeconds)
		}
		some, err := s.eraseBatch(ctx, of, q)
		if err != nil || !some {
			return err
		}
		at.Batches++
		done := min(int64(at.Batches)*int64(q.BatchSize), at.Rows)
		if err := run.Save(ctx, task.Progress{Done: done, Total: at.Rows, Message: of.Index()}, at); err != nil {
			return err
		}
	}
}

// eraseBatch erases a batch in steps, between which others can write. It reports whether there was
// anything to erase.
func (s *Service) eraseBatch(ctx context.Context, of catalog.Series, q *Truncation) (some bool, err error) {
	for left := q.BatchSize; left > 0; left -= eraseStep {
		more, err := s.Catalog.EraseOldest(ctx, of, q.End, min(left, eraseStep))
		if err != nil || !more {
			return some, err
		}
		some = true
	}
	return some, nil
}

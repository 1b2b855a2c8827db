package ops

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// restoreKind is the kind of the task that derives the search index and the graph again.
const restoreKind = "restoreIndices"

// MaxURNs is the maximum number of entities that one call names.
const MaxURNs = 20_000

// Selection selects the entities to restore; see indexing.Selection. URNs are texts as sent by
// callers.
type Selection struct {
	URNs []string
	indexing.Selection
	// Complete adds default aspects of an entity that are missing.
	Complete bool
}

// Restored is the result of RestoreIndices.
type Restored struct {
	indexing.Restored
	Completed int // number of added aspects
}

// RestoreIndices derives the search index and the graph again from the selected stored aspects. It
// returns when the result is visible to reads. It requires auth.RestoreIndices or
// auth.ManageSystem. The work is a task, which continues when ctx ends.
func (s *Service) RestoreIndices(ctx context.Context, q Selection) (Restored, error) {
	started, err := s.StartRestore(ctx, q)
	if err != nil {
		return Restored{}, err
	}
	ended, err := s.Tasks.Wait(ctx, started.ID)
	if err == nil {
		err = ended.Err()
	}
	if err != nil {
		return Restored{}, err
	}
	var out Restored
	if err := json.Unmarshal(ended.Result, &out); err != nil {
		return Restored{}, fmt.Errorf("read the result of the task %s: %w", ended.ID, err)
	}
	return out, nil
}

// StartRestore starts the task of RestoreIndices and returns without waiting for it.
func (s *Service) StartRestore(ctx context.Context, q Selection) (task.Task, error) {
	if err := s.allowRestore(ctx, nil); err != nil {
		return task.Task{}, err
	}
	if err := s.check(&q); err != nil {
		return task.Task{}, err
	}
	return s.Tasks.Start(ctx, restoreKind, q, "")
}

func (s *Service) allowRestore(ctx context.Context, _ json.RawMessage) error {
	return s.require(ctx, auth.RestoreIndices, auth.ManageSystem)
}

// restoreCheckpoint is the checkpoint of a restore.
type restoreCheckpoint struct {
	indexing.Checkpoint
	Completed int
}

func (s *Service) runRestore(ctx context.Context, run *task.Run) error {
	var q Selection
	if err := run.Params(&q); err != nil {
		return err
	}
	if err := s.check(&q); err != nil {
		return err
	}
	var at restoreCheckpoint
	resumed, err := run.Checkpoint(&at)
	if err != nil {
		return err
	}
	hooks := indexing.Hooks{Saved: func(ctx context.Context, c indexing.Checkpoint) error {
		at.Checkpoint = c
		return run.Save(ctx, task.Progress{Done: int64(c.Done.Rows), Message: string(c.Done.Last.URN)}, at)
	}}
	if resumed {
		hooks.From = &at.Checkpoint
	}
	if q.Complete {
		hooks.Before = func(ctx context.Context, urns []urn.URN) error {
			n, err := s.Catalog.Complete(ctx, urns)
			at.Completed += n
			return err
		}
	}
	done, err := s.Indexer.Restore(ctx, q.Selection, hooks)
	if err == nil {
		err = s.Follower.Wait(ctx, done.Sequence)
	}
	if err != nil {
		return err
	}
	return run.SetResult(Restored{Restored: done, Completed: at.Completed})
}

func (s *Service) check(q *Selection) error {
	if len(q.URNs) > MaxURNs {
		return fault.New(fault.Malformed, "%d URNs are named, at most %d are possible; send several requests", len(q.URNs), MaxURNs)
	}
	q.Selection.URNs = make([]urn.URN, len(q.URNs))
	for i, text := range q.URNs {
		u, _, err := s.Registry.Resolve(text)
		if err != nil {
			return err
		}
		q.Selection.URNs[i] = u
	}
	for i, name := range q.Aspects {
		spec, ok := s.Registry.Aspect(name)
		if !ok {
			return fault.New(fault.Malformed, "there is no aspect %q", name)
		}
		q.Aspects[i] = spec.Name
	}
	if q.Start < 0 || q.Limit < 0 || q.BatchSize < 0 {
		return fault.New(fault.Malformed, "start, limit and batchSize must not be negative, are %d, %d and %d", q.Start, q.Limit, q.BatchSize)
	}
	return nil
}

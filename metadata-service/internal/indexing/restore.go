package indexing

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Selection selects the aspects from which to restore index and graph. All conditions must match;
// the zero value selects everything.
type Selection struct {
	URNs      []urn.URN // empty for all
	URNLike   string    // LIKE pattern; empty for all
	Aspects   []string  // empty for all
	From, To  int64     // time of writing, inclusive, epoch ms; 0 for no limit
	Start     int       // selected rows to skip
	Limit     int       // maximum number of selected rows; 0 for no limit
	BatchSize int       // rows per transaction; 0 for the default
}

func (s *Selection) everything() bool {
	return len(s.URNs) == 0 && (s.URNLike == "" || s.URNLike == "%") && len(s.Aspects) == 0 && s.From == 0 && s.To == 0 && s.Start == 0 && s.Limit == 0
}

// Restored counts the results of a restore.
type Restored struct {
	Rows    int       // restored rows
	Ignored int       // rows of selected entities, left out because of their time
	Last    store.Key // last restored row
	// Sequence is the log entry that projections must have applied for the restore to be visible.
	Sequence uint64
}

// Checkpoint is the progress of a restore, from which another call can continue.
type Checkpoint struct {
	After urn.URN // entities up to this one are done
	Named int     // number of named entities that are done
	Skip  int     // selected rows still to skip
	Done  Restored
}

// Hooks are callbacks of a restore. Each may be nil.
type Hooks struct {
	// Before is called with the selected entities, page by page, before their rows are read.
	Before func(context.Context, []urn.URN) error
	// From is the checkpoint from which the restore continues.
	From *Checkpoint
	// Saved is called when the pages up to a checkpoint are durable.
	Saved func(context.Context, Checkpoint) error
}

// Batch sizes of a restore.
const (
	defaultBatch = 500
	maxBatch     = 5000
)

// Restore derives index and graph again from the selected rows, while reads and writes continue: it
// stores the edges again, and log entries make the projections update their data. For entities
// named in the selection without a list of aspects, it also removes leftover data of aspects that
// they do not have. If everything is selected, it rebuilds the whole index and removes all edges
// that belong to no aspect.
//
// A restore that is called again with one of its checkpoints does the remaining work.
func (x *Indexer) Restore(ctx context.Context, s Selection, hooks Hooks) (Restored, error) {
	r := &restore{indexer: x, selection: s, whole: s.everything(), hooks: hooks}
	r.batch = min(max(s.BatchSize, 0), maxBatch)
	if r.batch == 0 {
		r.batch = defaultBatch
	}
	if s.Limit == 0 {
		r.selection.Limit = int(^uint(0) >> 1)
	}
	r.progress = Checkpoint{Skip: s.Start}
	if hooks.From != nil {
		r.progress = *hooks.From
	}
	err := r.run(ctx)
	if err == nil && r.whole {
		if err = r.removeOrphanEdges(ctx); err == nil {
			err = x.Rebuild(ctx, "it was asked for")
		}
	}
	return r.progress.Done, err
}

type restore struct {
	indexer   *Indexer
	selection Selection // with its defaults set
	whole     bool      // everything is selected
	hooks     Hooks
	batch     int
	progress  Checkpoint
	keys      []store.Key // rows to restore next
	named     []urn.URN   // entities to clean next
}

func (r *restore) run(ctx context.Context) error {
	if len(r.selection.URNs) > 0 {
		for page := range slices.Chunk(r.selection.URNs[min(r.progress.Named, len(r.selection.URNs)):], chunk) {
			if err := r.page(ctx, page, true); err != nil {
				return err
			}
			r.progress.Named += len(page)
			if err := r.save(ctx); err != nil {
				return err
			}
		}
		return r.flush(ctx)
	}
	for r.progress.Done.Rows+len(r.keys) < r.selection.Limit {
		page, err := r.indexer.Store.Scan(ctx, store.Scan{Prefix: store.LikePrefix(r.selection.URNLike), After: r.progress.After, Limit: chunk})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		last := page[len(page)-1]
		if err := r.page(ctx, page, false); err != nil {
			return err
		}
		r.progress.After = last
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// save makes the collected rows durable if the caller stores checkpoints.
func (r *restore) save(ctx context.Context) error {
	if r.hooks.Saved == nil {
		return nil
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return r.hooks.Saved(ctx, r.progress)
}

func (r *restore) page(ctx context.Context, page []urn.URN, named bool) error {
	if r.selection.URNLike != "" {
		page = slices.DeleteFunc(slices.Clone(page), func(u urn.URN) bool { return !store.Like(r.selection.URNLike, string(u)) })
	}
	if r.hooks.Before != nil {
		if err := r.hooks.Before(ctx, page); err != nil {
			return err
		}
	}
	records, err := r.indexer.Store.Aspects(ctx, page, r.selection.Aspects...)
	if err != nil {
		return err
	}
	for i, u := range page {
		if named && len(r.selection.Aspects) == 0 {
			r.named = append(r.named, u)
		}
		for j := range records[i] {
			if err := r.row(ctx, &records[i][j]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *restore) row(ctx context.Context, rec *model.Record) error {
	switch {
	case r.selection.From > 0 && rec.CreatedOn < r.selection.From, r.selection.To > 0 && rec.CreatedOn > r.selection.To:
		r.progress.Done.Ignored++
		return nil
	case r.progress.Skip > 0:
		r.progress.Skip--
		return nil
	case r.progress.Done.Rows+len(r.keys) >= r.selection.Limit:
		return nil
	}
	r.keys = append(r.keys, rec.Key())
	r.progress.Done.Last = rec.Key()
	if len(r.keys) < r.batch {
		return nil
	}
	return r.flush(ctx)
}

// flush restores the collected rows in one transaction.
func (r *restore) flush(ctx context.Context) error {
	if len(r.keys)+len(r.named) == 0 {
		return nil
	}
	commit, err := r.indexer.Store.Update(ctx, func(tx store.Tx) error {
		for _, key := range r.keys {
			if err := r.restoreRow(ctx, tx, key); err != nil {
				return err
			}
		}
		for _, u := range r.named {
			if err := r.removeLeftovers(ctx, tx, u); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.progress.Done.Rows += len(r.keys)
	r.progress.Done.Sequence = max(r.progress.Done.Sequence, commit.Last)
	r.keys, r.named = r.keys[:0], r.named[:0]
	return nil
}

func (r *restore) restoreRow(ctx context.Context, tx store.Tx, key store.Key) error {
	rec, err := store.Latest(ctx, tx, key)
	if err != nil || rec == nil {
		return err // deleted in the meantime
	}
	if spec, ok := r.indexer.Registry.Aspect(key.Aspect); ok && spec.MakesEdges() {
		edges, err := store.RecordEdges(spec, rec)
		if err != nil {
			return err
		}
		if err := tx.PutEdges(ctx, key, edges); err != nil {
			return err
		}
	}
	if r.whole {
		return nil // the whole index is rebuilt
	}
	_, err = tx.Append(ctx, store.Entry{
		Kind: store.Restated, URN: key.URN, Aspect: key.Aspect, OldVersion: store.LogicalVersion(rec), NewVersion: store.LogicalVersion(rec),
		Actor: model.SystemActor, Time: r.indexer.Now().UnixMilli(), RunID: rec.System.RunID,
	})
	return err
}

// removeOrphanEdges removes the edges of removed aspects.
func (r *restore) removeOrphanEdges(ctx context.Context) error {
	owners := newURNSet(0)
	if err := r.indexer.orphanEdges(ctx, func(e *model.Edge) { owners.add(e.Owner) }); err != nil {
		return err
	}
	for part := range slices.Chunk(owners.urns, r.batch) {
		r.named = append(r.named, part...)
		if err := r.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// removeLeftovers removes data from index and graph of aspects that an entity does not have, or of
// an absent entity.
func (r *restore) removeLeftovers(ctx context.Context, tx store.Tx, u urn.URN) error {
	records, err := store.AspectsOf(ctx, tx, u)
	if err != nil {
		return err
	}
	entity, ok := r.indexer.Registry.Entity(u.Type())
	if !ok {
		return nil
	}
	for _, a := range entity.Aspects {
		there := slices.ContainsFunc(records, func(rec model.Record) bool { return rec.Aspect == a.Name })
		if there || !a.MakesEdges() {
			continue
		}
		if err := tx.PutEdges(ctx, store.Key{URN: u, Aspect: a.Name}, nil); err != nil {
			return err
		}
	}
	if len(records) > 0 {
		return nil
	}
	_, err = tx.Append(ctx, store.Entry{
		Kind: store.Restated, URN: u, Aspect: entity.Key.Name, Actor: model.SystemActor, Time: r.indexer.Now().UnixMilli(),
	})
	return err
}

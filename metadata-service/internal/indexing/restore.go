package indexing

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Selection says which aspects to restore index and graph from. Conditions are
// ANDed; the zero value selects everything.
type Selection struct {
	URNs      []urn.URN // empty for all
	URNLike   string    // LIKE pattern; empty for all
	Aspects   []string  // empty for all
	From, To  int64     // written not before and not after, epoch ms; 0 for no limit
	Start     int       // selected rows to skip
	Limit     int       // selected rows at most; 0 for no limit
	BatchSize int       // rows of one transaction; 0 for the default
}

func (s *Selection) everything() bool {
	return len(s.URNs) == 0 && (s.URNLike == "" || s.URNLike == "%") && len(s.Aspects) == 0 && s.From == 0 && s.To == 0 && s.Start == 0 && s.Limit == 0
}

// Restored tells what a restore did.
type Restored struct {
	Rows    int       // restored
	Ignored int       // of selected entities, left out for when they were written
	Last    store.Key // of the rows restored
	// Sequence is the log entry up to which projections have to follow for the restore to be seen.
	Sequence uint64
}

// Checkpoint is how far a restore has come, for one that goes on.
type Checkpoint struct {
	After urn.URN // entities up to this one are done
	Named int     // of the entities that are named, so many are done
	Skip  int     // selected rows still to be skipped
	Done  Restored
}

// Hooks take part in a restore. Each may be nil.
type Hooks struct {
	// Before is called with the selected entities a page at a time, before their rows are read.
	Before func(context.Context, []urn.URN) error
	// From is where the restore goes on.
	From *Checkpoint
	// Saved is called when the pages up to a checkpoint are durable.
	Saved func(context.Context, Checkpoint) error
}

// Batches of a restore.
const (
	defaultBatch = 500
	maxBatch     = 5000
)

// Restore derives index and graph again from the selected rows, while everything
// goes on: edges are put again, and entries in the log make the projections
// build their part. Entities that are named, with all their aspects, lose what
// is left of aspects they do not have. When everything is selected the index is
// built anew as a whole, and all edges that no aspect makes go.
//
// A restore that is called again from one of its checkpoints does what is left.
func (x *Indexer) Restore(ctx context.Context, s Selection, hooks Hooks) (Restored, error) {
	r := &restore{x: x, s: s, whole: s.everything(), hooks: hooks}
	r.batch = min(max(s.BatchSize, 0), maxBatch)
	if r.batch == 0 {
		r.batch = defaultBatch
	}
	if s.Limit == 0 {
		r.s.Limit = int(^uint(0) >> 1)
	}
	r.at = Checkpoint{Skip: s.Start}
	if hooks.From != nil {
		r.at = *hooks.From
	}
	err := r.run(ctx)
	if err == nil && r.whole {
		if err = r.removeOrphanEdges(ctx); err == nil {
			err = x.Rebuild(ctx, "it was asked for")
		}
	}
	return r.at.Done, err
}

type restore struct {
	x     *Indexer
	s     Selection // with its defaults filled in
	whole bool      // everything was asked for
	hooks Hooks
	batch int
	at    Checkpoint
	keys  []store.Key // to be restored next
	named []urn.URN   // to be cleared next
}

func (r *restore) run(ctx context.Context) error {
	if len(r.s.URNs) > 0 {
		for page := range slices.Chunk(r.s.URNs[min(r.at.Named, len(r.s.URNs)):], chunk) {
			if err := r.page(ctx, page, true); err != nil {
				return err
			}
			r.at.Named += len(page)
			if err := r.save(ctx); err != nil {
				return err
			}
		}
		return r.flush(ctx)
	}
	for r.at.Done.Rows+len(r.keys) < r.s.Limit {
		page, err := r.x.Store.Scan(ctx, store.Scan{Prefix: store.LikePrefix(r.s.URNLike), After: r.at.After, Limit: chunk})
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
		r.at.After = last
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// save makes what was collected durable, if somebody wants to go on from here.
func (r *restore) save(ctx context.Context) error {
	if r.hooks.Saved == nil {
		return nil
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return r.hooks.Saved(ctx, r.at)
}

func (r *restore) page(ctx context.Context, page []urn.URN, named bool) error {
	if r.s.URNLike != "" {
		page = slices.DeleteFunc(slices.Clone(page), func(u urn.URN) bool { return !store.Like(r.s.URNLike, string(u)) })
	}
	if r.hooks.Before != nil {
		if err := r.hooks.Before(ctx, page); err != nil {
			return err
		}
	}
	records, err := r.x.Store.Aspects(ctx, page, r.s.Aspects...)
	if err != nil {
		return err
	}
	for i, u := range page {
		if named && len(r.s.Aspects) == 0 {
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
	case r.s.From > 0 && rec.CreatedOn < r.s.From, r.s.To > 0 && rec.CreatedOn > r.s.To:
		r.at.Done.Ignored++
		return nil
	case r.at.Skip > 0:
		r.at.Skip--
		return nil
	case r.at.Done.Rows+len(r.keys) >= r.s.Limit:
		return nil
	}
	r.keys = append(r.keys, rec.Key())
	r.at.Done.Last = rec.Key()
	if len(r.keys) < r.batch {
		return nil
	}
	return r.flush(ctx)
}

// flush restores the rows collected so far in one transaction.
func (r *restore) flush(ctx context.Context) error {
	if len(r.keys)+len(r.named) == 0 {
		return nil
	}
	commit, err := r.x.Store.Update(ctx, func(tx store.Tx) error {
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
	r.at.Done.Rows += len(r.keys)
	r.at.Done.Sequence = max(r.at.Done.Sequence, commit.Last)
	r.keys, r.named = r.keys[:0], r.named[:0]
	return nil
}

func (r *restore) restoreRow(ctx context.Context, tx store.Tx, key store.Key) error {
	rec, err := store.Latest(ctx, tx, key)
	if err != nil || rec == nil {
		return err // deleted meanwhile
	}
	if spec, ok := r.x.Registry.Aspect(key.Aspect); ok && spec.MakesEdges() {
		edges, err := store.RecordEdges(spec, rec)
		if err != nil {
			return err
		}
		if err := tx.PutEdges(ctx, key, edges); err != nil {
			return err
		}
	}
	if r.whole {
		return nil // the index is built as a whole
	}
	_, err = tx.Append(ctx, store.Entry{
		Kind: store.Restated, URN: key.URN, Aspect: key.Aspect, OldVersion: store.LogicalVersion(rec), NewVersion: store.LogicalVersion(rec),
		Actor: model.SystemActor, Time: r.x.Now().UnixMilli(), RunID: rec.System.RunID,
	})
	return err
}

// removeOrphanEdges drops the edges of aspects that are gone.
func (r *restore) removeOrphanEdges(ctx context.Context) error {
	owners := newSet(0)
	if err := r.x.orphanEdges(ctx, func(e *model.Edge) { owners.add(e.Owner) }); err != nil {
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

// removeLeftovers drops what is left in index and graph of aspects that an entity does
// not have, or of an entity that is not there.
func (r *restore) removeLeftovers(ctx context.Context, tx store.Tx, u urn.URN) error {
	records, err := store.AspectsOf(ctx, tx, u)
	if err != nil {
		return err
	}
	entity, ok := r.x.Registry.Entity(u.Type())
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
		Kind: store.Restated, URN: u, Aspect: entity.Key.Name, Actor: model.SystemActor, Time: r.x.Now().UnixMilli(),
	})
	return err
}

package series

import (
	"context"
	"errors"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// changes records the locations that documents had or received since a compaction began. The copy
// may contain them, so these documents must be copied again. A nil map records nothing.
type changes map[string][]location

func (c changes) add(id []byte, l location) {
	if c != nil {
		c[string(id)] = append(c[string(id)], l)
	}
}

const (
	// Up to fewChanges changes are copied while writers wait.
	fewChanges = 500
	// maxRounds limits how often changes are copied while writers add more.
	maxRounds = 20
)

// compact copies the contents of the index to a new file, which replaces the old one; a bbolt file
// never shrinks by itself. Readers and writers continue: the copy uses short transactions, so none
// of them delays the reuse of freed pages or the growth of the mapped file. Changes by writers are
// recorded meanwhile and copied again, in rounds that become shorter, the last one while writers
// wait.
func (x *index) compact(ctx context.Context) (freed int64, err error) {
	select {
	case x.compacting <- struct{}{}:
		defer func() { <-x.compacting }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	before, exists, err := x.size()
	if err != nil || !exists {
		return 0, err
	}
	if err := x.note(ctx, changes{}); err != nil {
		return 0, err
	}
	db, err := x.copyLive(ctx)
	if err == nil {
		err = x.swap(ctx, db)
	}
	if err != nil {
		// Only the owner of the writing token may stop the recording; ctx may have ended.
		return 0, errors.Join(err, x.note(context.WithoutCancel(ctx), nil))
	}
	after, _, err := x.size()
	return max(before.Bytes-after.Bytes, 0), err
}

// note starts the recording of changes by writers, or stops it if changed is nil.
func (x *index) note(ctx context.Context, changed changes) error {
	if err := x.lock(ctx); err != nil {
		if changed == nil && x.damage() != nil {
			return nil // a damaged file is no longer written
		}
		return err
	}
	defer x.unlock()
	x.changed = changed
	if changed == nil {
		return nil
	}
	return x.rewriteUnreliable(ctx)
}

// copyLive creates the copy with all but the last few changes and syncs it. After an error no file
// is left.
func (x *index) copyLive(ctx context.Context) (*bbolt.DB, error) {
	db, err := x.fresh(x.compacted)
	if err != nil {
		return nil, err
	}
	if err := x.fill(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(x.compacted))
	}
	return db, nil
}

func (x *index) fill(ctx context.Context, db *bbolt.DB) error {
	if err := db.Update(makeBuckets); err != nil {
		return err
	}
	for _, name := range [][]byte{docsBucket, idsBucket, urnsBucket, timesBucket} {
		if err := x.copyInPieces(ctx, db, name); err != nil {
			return err
		}
	}
	for range maxRounds {
		changed, err := x.takeChanges(ctx)
		if err != nil {
			return err
		}
		if err := x.view(func(v view) error { return copyChanged(ctx, db, v, changed) }); err != nil {
			return err
		}
		if len(changed) <= fewChanges {
			break
		}
	}
	return db.Sync() // so that little remains to be synced while writers wait
}

func (x *index) copyInPieces(ctx context.Context, db *bbolt.DB, name []byte) error {
	var after []byte
	for {
		var last []byte
		err := x.view(func(v view) (err error) {
			last, err = copyPiece(ctx, db, name, v.bucket(name), after)
			return err
		})
		if err != nil || last == nil {
			return err
		}
		after = last
	}
}

func (v view) bucket(name []byte) *bbolt.Bucket {
	switch string(name) {
	case string(docsBucket):
		return v.docs
	case string(idsBucket):
		return v.ids
	case string(urnsBucket):
		return v.urns
	}
	return v.times
}

// takeChanges returns the recorded changes and starts an empty record.
func (x *index) takeChanges(ctx context.Context) (changes, error) {
	if err := x.lock(ctx); err != nil {
		return nil, err
	}
	defer x.unlock()
	changed := x.changed
	x.changed = changes{}
	return changed, nil
}

// copyChanged updates the changed documents of a copy to the state of the index: it deletes all
// their entries in the copy, and then copies the documents that the index has.
func copyChanged(ctx context.Context, db *bbolt.DB, v view, changed changes) error {
	if len(changed) == 0 {
		return nil
	}
	return db.Update(func(tx *bbolt.Tx) error {
		to, err := newView(tx)
		if err != nil {
			return err
		}
		for id, places := range changed {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := to.clear(id, places); err != nil {
				return err
			}
		}
		for id := range changed {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := to.adopt(v, []byte(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v view) clear(id string, places []location) error {
	for _, p := range places {
		err := errors.Join(
			v.docs.Delete(appendNumber(nil, p.number)), v.ids.Delete([]byte(id)),
			v.urns.Delete(p.urnKey(id)), v.times.Delete(p.timeKey(id)))
		if err != nil {
			return err
		}
	}
	return nil
}

// adopt copies a document with its number, if the index has it.
func (v view) adopt(from view, id []byte) error {
	at := from.ids.Get(id)
	if at == nil {
		return nil
	}
	location, err := decodeLocation(at)
	if err != nil {
		return err
	}
	key := appendNumber(nil, location.number)
	value := from.docs.Get(key)
	if value == nil {
		return errCorrupt
	}
	return errors.Join(
		v.docs.Put(key, value), v.ids.Put(id, at),
		v.urns.Put(location.urnKey(string(id)), key), v.times.Put(location.timeKey(string(id)), key))
}

// swap copies the last changes and replaces the file by the copy, while writers wait. It closes the
// old file after its last reader has finished.
func (x *index) swap(ctx context.Context, db *bbolt.DB) error {
	old, err := x.replaceBy(ctx, db)
	if old == nil {
		return err
	}
	return errors.Join(err, old.release())
}

func (x *index) replaceBy(ctx context.Context, db *bbolt.DB) (old *file, err error) {
	discard := func(err error) error { return errors.Join(err, db.Close(), os.Remove(x.compacted)) }
	if err := x.lock(ctx); err != nil {
		return nil, discard(err)
	}
	defer x.unlock()
	if err := x.rewriteUnreliable(ctx); err != nil {
		return nil, discard(err)
	}
	err = x.view(func(v view) error {
		if err := copyChanged(ctx, db, v, x.changed); err != nil {
			return err
		}
		return dbfile.Guard(db.Path(), func() error { return db.Update(func(tx *bbolt.Tx) error { return copyCounters(tx, v) }) })
	})
	if err != nil {
		return nil, discard(err)
	}
	x.changed = nil
	old, err = x.publish(db)
	if old != nil {
		x.unreliable = err != nil
	}
	return old, err
}

package series

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
)

// rewriteUnreliable writes the whole index to a new file if a commit failed before. Such a commit
// may have reached the file in part: the data read back is consistent, but the system may have
// dropped pages that it could not write, and a later sync would not report that. A new, synced file
// is reliable.
func (x *index) rewriteUnreliable(ctx context.Context) error {
	if !x.unreliable {
		return nil
	}
	var fresh *bbolt.DB
	err := x.view(func(v view) (err error) {
		fresh, err = x.rewrite(ctx, v)
		return err
	})
	if err != nil || fresh == nil {
		return err
	}
	_, err = x.replace(fresh)
	return err
}

// replace publishes a rewritten file and closes the previous one, even when the last step of
// publishing failed.
func (x *index) replace(fresh *bbolt.DB) (replaced bool, err error) {
	old, err := x.publish(fresh)
	if old == nil {
		return false, err
	}
	x.unreliable = err != nil
	return true, errors.Join(err, old.release())
}

func (x *index) rewrite(ctx context.Context, v view) (*bbolt.DB, error) {
	db, err := x.fresh(x.temp)
	if err != nil {
		return nil, err
	}
	if err := copyAll(ctx, v, db); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(x.temp))
	}
	return db, nil
}

func copyAll(ctx context.Context, v view, db *bbolt.DB) error {
	if err := db.Update(makeBuckets); err != nil {
		return err
	}
	for name, from := range map[string]*bbolt.Bucket{
		string(docsBucket): v.docs, string(idsBucket): v.ids, string(urnsBucket): v.urns, string(timesBucket): v.times,
	} {
		if err := copyBucket(ctx, db, []byte(name), from); err != nil {
			return err
		}
	}
	return db.Update(func(tx *bbolt.Tx) error { return copyCounters(tx, v) })
}

// copyCounters sets the counters of a copy to those of the index.
func copyCounters(tx *bbolt.Tx, v view) error {
	copied, err := newView(tx)
	if err != nil {
		return err
	}
	w := writer{view: copied, plain: v.counter(plainKey), exploded: v.counter(explodedKey)}
	return errors.Join(w.docs.SetSequence(v.docs.Sequence()), w.finish(v.counter(appliedKey)))
}

// copyBatch is the number of bytes per transaction of a copy.
const copyBatch = 4 << 20

// copyBucket copies all of a bucket, in pieces of one transaction each.
func copyBucket(ctx context.Context, db *bbolt.DB, name []byte, from *bbolt.Bucket) error {
	var after []byte
	for {
		last, err := copyPiece(ctx, db, name, from, after)
		if err != nil || last == nil {
			return err
		}
		after = last
	}
}

// copyPiece copies the pairs after a key, up to a size limit, and returns the last key, or nil when
// there was none.
func copyPiece(ctx context.Context, db *bbolt.DB, name []byte, from *bbolt.Bucket, after []byte) (last []byte, err error) {
	cursor := from.Cursor()
	key, value := cursor.Seek(after)
	if after != nil && bytes.Equal(key, after) {
		key, value = cursor.Next()
	}
	if key == nil {
		return nil, nil
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		to := tx.Bucket(name)
		to.FillPercent = fillPercent
		for size, rows := 0, 0; key != nil && size < copyBatch; key, value = cursor.Next() {
			if rows++; rows%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			// A branch of a damaged file may lead back to earlier keys.
			if after != nil && bytes.Compare(key, after) <= 0 {
				return fmt.Errorf("%w: keys are out of order", errCorrupt)
			}
			size += len(key) + len(value)
			if err := to.Put(key, value); err != nil {
				return fmt.Errorf("%w: %w", errCorrupt, err) // another file had accepted the same pair
			}
			last, after = key, key
		}
		return nil
	})
	return bytes.Clone(last), err
}

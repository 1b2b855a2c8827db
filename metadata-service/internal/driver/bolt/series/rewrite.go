package series

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
)

// heal writes the whole index to a new file. A commit that failed may have
// reached the file in part: what is read back is consistent, but the system may
// have dropped pages it could not write, and a later sync would not tell. A file
// written from scratch and synced settles it.
func (x *index) heal(ctx context.Context) error {
	if !x.doubtful {
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

// replace publishes a rewritten file and releases the one before, even when the
// last step of publishing it failed.
func (x *index) replace(fresh *bbolt.DB) (replaced bool, err error) {
	old, err := x.publish(fresh)
	if old == nil {
		return false, err
	}
	x.doubtful = err != nil
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

// copyCounters makes the counters of a copy those of the index.
func copyCounters(tx *bbolt.Tx, v view) error {
	copied, err := newView(tx)
	if err != nil {
		return err
	}
	w := writer{view: copied, plain: v.counter(plainKey), exploded: v.counter(explodedKey)}
	return errors.Join(w.docs.SetSequence(v.docs.Sequence()), w.finish(v.counter(appliedKey)))
}

// copyBatch is how many bytes go into one transaction of a copy.
const copyBatch = 4 << 20

// copyBucket appends all of a bucket, a bounded piece per transaction.
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

// copyPiece appends the pairs behind a key, up to a bound, and gives the last key; nil
// when there was none.
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
			// A branch of a damaged file may lead back to where the walk came from.
			if after != nil && bytes.Compare(key, after) <= 0 {
				return fmt.Errorf("%w: keys are out of order", errCorrupt)
			}
			size += len(key) + len(value)
			if err := to.Put(key, value); err != nil {
				return fmt.Errorf("%w: %w", errCorrupt, err) // another file took the same pair
			}
			last, after = key, key
		}
		return nil
	})
	return bytes.Clone(last), err
}

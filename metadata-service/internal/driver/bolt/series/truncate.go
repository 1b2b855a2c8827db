package series

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// truncate writes the documents after end to a new file and puts it in the place
// of the old one. Deleting in place would leave the file as large as it was, and
// compacting afterwards would write everything twice. Readers stay on the file
// they began with; the old one is released, and its space with it, when the last
// of them has left.
func (x *index) truncate(ctx context.Context, end int64) (gone int64, err error) {
	if err := x.lock(ctx); err != nil {
		return 0, err
	}
	defer x.unlock()
	var fresh *bbolt.DB
	err = x.view(func(v view) error {
		plain, exploded, err := v.until(ctx, end)
		if gone = plain + exploded; err != nil || gone == 0 {
			return err
		}
		after := func(time int64) bool { return time > end }
		fresh, err = x.rewrite(ctx, v, cutoff{stays: after, plain: plain, exploded: exploded})
		return err
	})
	if err != nil || fresh == nil {
		return 0, err
	}
	replaced, err := x.replace(fresh)
	if !replaced {
		return 0, err
	}
	return gone, err
}

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
		fresh, err = x.rewrite(ctx, v, cutoff{stays: func(int64) bool { return true }})
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

// until counts the documents at or before end.
func (v view) until(ctx context.Context, end int64) (plain, exploded int64, err error) {
	q := timeseries.Query{To: &end, Ascending: true}
	m, err := q.Matcher()
	if err != nil {
		return 0, 0, err
	}
	if err := v.matching(ctx, &q, m, false, func(hit) { plain++ }); err != nil {
		return 0, 0, err
	}
	err = v.matching(ctx, &q, m, true, func(hit) { exploded++ })
	return plain, exploded, err
}

// cutoff tells what stays by its time, and how many documents go.
type cutoff struct {
	stays           func(time int64) bool
	plain, exploded int64
}

func (x *index) rewrite(ctx context.Context, v view, cut cutoff) (*bbolt.DB, error) {
	db, err := x.fresh()
	if err != nil {
		return nil, err
	}
	if err := copyRemaining(ctx, v, db, cut); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(x.temp))
	}
	return db, nil
}

func copyRemaining(ctx context.Context, v view, db *bbolt.DB, cut cutoff) error {
	if err := db.Update(makeBuckets); err != nil {
		return err
	}
	timeAt := func(key []byte, at int) (bool, error) {
		if len(key) < at+timeBytes {
			return false, errCorrupt
		}
		return cut.stays(timeOf(key[at:])), nil
	}
	err := errors.Join(
		copyBucket(ctx, db, docsBucket, v.docs, func(_, value []byte) (bool, error) {
			time, err := docTime(value)
			return cut.stays(time), err
		}),
		copyBucket(ctx, db, idsBucket, v.ids, func(_, value []byte) (bool, error) {
			location, err := decodeLocation(value)
			return cut.stays(location.time), err
		}),
		copyBucket(ctx, db, urnsBucket, v.urns, func(key, _ []byte) (bool, error) { return timeAt(key, hashBytes+1) }),
		copyBucket(ctx, db, timesBucket, v.times, func(key, _ []byte) (bool, error) { return timeAt(key, 1) }),
	)
	if err != nil {
		return err
	}
	return db.Update(func(tx *bbolt.Tx) error {
		copied, err := newView(tx)
		if err != nil {
			return err
		}
		w := writer{
			view:     copied,
			plain:    v.counter(plainKey) - uint64(cut.plain),
			exploded: v.counter(explodedKey) - uint64(cut.exploded),
		}
		return errors.Join(w.docs.SetSequence(v.docs.Sequence()), w.finish(v.counter(appliedKey)))
	})
}

// copyBatch is how many bytes go into one transaction of a copy.
const copyBatch = 4 << 20

// copyBucket appends what keep lets pass, a bounded piece per transaction.
func copyBucket(
	ctx context.Context, db *bbolt.DB, name []byte, from *bbolt.Bucket, keep func(key, value []byte) (bool, error),
) error {
	cursor := from.Cursor()
	key, value := cursor.First()
	for key != nil {
		err := db.Update(func(tx *bbolt.Tx) error {
			to := tx.Bucket(name)
			to.FillPercent = fillPercent
			for size, rows := 0, 0; key != nil && size < copyBatch; key, value = cursor.Next() {
				if rows++; rows%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				stays, err := keep(key, value)
				if err != nil {
					return err
				}
				if !stays {
					continue
				}
				size += len(key) + len(value)
				if err := to.Put(key, value); err != nil {
					return fmt.Errorf("%w: %w", errCorrupt, err) // another file took the same pair
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

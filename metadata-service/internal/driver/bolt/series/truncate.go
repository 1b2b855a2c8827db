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
func (x *tsIndex) truncate(ctx context.Context, end int64) (gone int64, err error) {
	if err := x.lock(ctx); err != nil {
		return 0, err
	}
	defer x.unlock()
	var fresh *bbolt.DB
	err = x.view(func(v tsView) error {
		plain, exploded, err := v.until(ctx, end)
		if gone = plain + exploded; err != nil || gone == 0 {
			return err
		}
		after := func(time int64) bool { return time > end }
		fresh, err = x.rewrite(ctx, v, tsCut{stays: after, plain: plain, exploded: exploded})
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
func (x *tsIndex) heal(ctx context.Context) error {
	if !x.doubtful {
		return nil
	}
	var fresh *bbolt.DB
	err := x.view(func(v tsView) (err error) {
		fresh, err = x.rewrite(ctx, v, tsCut{stays: func(int64) bool { return true }})
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
func (x *tsIndex) replace(fresh *bbolt.DB) (replaced bool, err error) {
	old, err := x.publish(fresh)
	if old == nil {
		return false, err
	}
	x.doubtful = err != nil
	return true, errors.Join(err, old.release())
}

// until counts the documents at or before end.
func (v tsView) until(ctx context.Context, end int64) (plain, exploded int64, err error) {
	q := timeseries.Query{To: &end, Ascending: true}
	m, err := q.Matcher()
	if err != nil {
		return 0, 0, err
	}
	if err := v.matching(ctx, &q, m, false, func(tsHit) { plain++ }); err != nil {
		return 0, 0, err
	}
	err = v.matching(ctx, &q, m, true, func(tsHit) { exploded++ })
	return plain, exploded, err
}

// tsCut tells what stays by its time, and how many documents go.
type tsCut struct {
	stays           func(time int64) bool
	plain, exploded int64
}

func (x *tsIndex) rewrite(ctx context.Context, v tsView, cut tsCut) (*bbolt.DB, error) {
	db, err := x.fresh()
	if err != nil {
		return nil, err
	}
	if err := tsCopyAfter(ctx, v, db, cut); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(x.temp))
	}
	return db, nil
}

func tsCopyAfter(ctx context.Context, v tsView, db *bbolt.DB, cut tsCut) error {
	if err := db.Update(tsMakeBuckets); err != nil {
		return err
	}
	timeAt := func(key []byte, at int) (bool, error) {
		if len(key) < at+tsTimeBytes {
			return false, errTSCorrupt
		}
		return cut.stays(tsTime(key[at:])), nil
	}
	err := errors.Join(
		tsCopyBucket(ctx, db, tsDocs, v.docs, func(_, value []byte) (bool, error) {
			time, err := tsDocTime(value)
			return cut.stays(time), err
		}),
		tsCopyBucket(ctx, db, tsIDs, v.ids, func(_, value []byte) (bool, error) {
			place, err := tsDecodePlace(value)
			return cut.stays(place.time), err
		}),
		tsCopyBucket(ctx, db, tsURNs, v.urns, func(key, _ []byte) (bool, error) { return timeAt(key, tsHashBytes+1) }),
		tsCopyBucket(ctx, db, tsTimes, v.times, func(key, _ []byte) (bool, error) { return timeAt(key, 1) }),
	)
	if err != nil {
		return err
	}
	return db.Update(func(tx *bbolt.Tx) error {
		copied, err := newTSView(tx)
		if err != nil {
			return err
		}
		w := tsWriter{
			tsView:   copied,
			plain:    v.counter(tsPlain) - uint64(cut.plain),
			exploded: v.counter(tsExploded) - uint64(cut.exploded),
		}
		return errors.Join(w.docs.SetSequence(v.docs.Sequence()), w.finish(v.counter(tsApplied)))
	})
}

// tsCopyBatch is how many bytes go into one transaction of a copy.
const tsCopyBatch = 4 << 20

// tsCopyBucket appends what keep lets pass, a bounded piece per transaction.
func tsCopyBucket(
	ctx context.Context, db *bbolt.DB, name []byte, from *bbolt.Bucket, keep func(key, value []byte) (bool, error),
) error {
	cursor := from.Cursor()
	key, value := cursor.First()
	for key != nil {
		err := db.Update(func(tx *bbolt.Tx) error {
			to := tx.Bucket(name)
			to.FillPercent = tsFill
			for size, rows := 0, 0; key != nil && size < tsCopyBatch; key, value = cursor.Next() {
				if rows++; rows%tsCheckEvery == 0 && ctx.Err() != nil {
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
					return fmt.Errorf("%w: %w", errTSCorrupt, err) // another file took the same pair
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

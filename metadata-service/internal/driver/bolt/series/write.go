package series

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

// errTSApplied ends the transaction of a batch that the index has already.
var errTSApplied = errors.New("batch is applied already")

// tsFill packs pages that are written in the order of their keys.
const tsFill = 1.0

func (x *tsIndex) apply(ctx context.Context, batch timeseries.Batch) error {
	if err := x.lock(ctx); err != nil {
		return err
	}
	defer x.unlock()
	if err := x.heal(ctx); err != nil {
		return err
	}
	file, err := x.use()
	if err != nil {
		return err
	}
	if file == nil {
		return x.create(ctx, batch)
	}
	defer file.users.Done()
	var refused error
	err = x.update(file.db, func(tx *bbolt.Tx) error {
		file.db.AllocSize = min(max(tsGrowLeast, int(tx.Size()/8)), tsGrowMost)
		refused = tsApply(ctx, tx, batch)
		return refused
	})
	if errors.Is(refused, errTSApplied) {
		return nil
	}
	x.doubtful = err != nil && refused == nil && !tsNeverWritten(err)
	return err
}

// tsNeverWritten tells whether a commit failed in handing pages to the system,
// as it does when the disk is full, and not in syncing them. Nothing is in doubt
// then: the library has rolled back, and pages it had written are free ones. A
// rewrite of the index would need room for a copy, which is just what lacks.
func tsNeverWritten(err error) bool {
	var failed *fs.PathError
	full := errors.Is(dbfile.Translate(err), fault.StorageFull)
	return full && errors.As(dbfile.RestoreErrno(err), &failed) && (failed.Op == "write" || failed.Op == "truncate")
}

// create makes the index with its first batch, or nothing at all.
func (x *tsIndex) create(ctx context.Context, batch timeseries.Batch) error {
	if !batch.Upserts() || batch.Sequence == 0 {
		return nil
	}
	db, err := x.fresh()
	if err != nil {
		return err
	}
	err = x.update(db, func(tx *bbolt.Tx) error {
		if err := tsMakeBuckets(tx); err != nil {
			return err
		}
		return tsApply(ctx, tx, batch)
	})
	if err != nil {
		return errors.Join(err, db.Close(), os.Remove(x.temp))
	}
	_, err = x.publish(db)
	x.doubtful = err != nil
	return err
}

func tsMakeBuckets(tx *bbolt.Tx) error {
	for _, name := range [][]byte{tsDocs, tsIDs, tsURNs, tsTimes, tsMeta} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

func tsApply(ctx context.Context, tx *bbolt.Tx, batch timeseries.Batch) error {
	v, err := newTSView(tx)
	if err != nil {
		return err
	}
	if batch.Sequence <= v.counter(tsApplied) {
		return errTSApplied
	}
	w := tsWriter{tsView: v, plain: v.counter(tsPlain), exploded: v.counter(tsExploded)}
	w.docs.FillPercent = tsFill
	for _, op := range batch.Ops {
		if err := ctx.Err(); err != nil {
			return err
		}
		if op.Upsert != nil {
			err = w.upsert(op.Upsert)
		} else {
			err = w.erase(ctx, op.Erase)
		}
		if err != nil {
			return err
		}
	}
	return w.finish(batch.Sequence)
}

// tsWriter changes an index within one transaction.
type tsWriter struct {
	tsView
	plain, exploded uint64
}

func (w *tsWriter) upsert(d *timeseries.Document) error {
	id := []byte(d.ID)
	number, err := w.vacate(id)
	if err != nil {
		return err
	}
	if number == 0 {
		if number, err = w.docs.NextSequence(); err != nil {
			return err
		}
	}
	value, err := tsEncode(d)
	if err != nil {
		return err
	}
	place, key := tsPlaceOf(number, d), tsAppendNumber(nil, number)
	*w.tally(place.flag)++
	return errors.Join(
		w.docs.Put(key, value),
		w.ids.Put(id, place.encode()),
		w.urns.Put(place.urnKey(d.ID), key),
		w.times.Put(place.timeKey(d.ID), key),
	)
}

// vacate removes all keys of a document but its number, which it gives back; 0
// when there is no such document.
func (w *tsWriter) vacate(id []byte) (uint64, error) {
	b := w.ids.Get(id)
	if b == nil {
		return 0, nil
	}
	place, err := tsDecodePlace(b)
	if err != nil {
		return 0, err
	}
	*w.tally(place.flag)--
	return place.number, errors.Join(
		w.ids.Delete(id),
		w.urns.Delete(place.urnKey(string(id))),
		w.times.Delete(place.timeKey(string(id))),
	)
}

func (w *tsWriter) erase(ctx context.Context, q *timeseries.Query) error {
	matcher, err := q.Matcher()
	if err != nil {
		return err
	}
	all := *q
	// Backwards, a bbolt cursor stops early at a page that this transaction has emptied.
	all.After, all.Ascending = nil, true
	var ids [][]byte
	for _, exploded := range []bool{false, true} {
		collect := func(hit tsHit) { ids = append(ids, slices.Clone(hit.id())) }
		if err := w.matching(ctx, &all, matcher, exploded, collect); err != nil {
			return err
		}
	}
	for _, id := range ids {
		number, err := w.vacate(id)
		if err != nil {
			return err
		}
		if err := w.docs.Delete(tsAppendNumber(nil, number)); err != nil {
			return err
		}
	}
	return nil
}

func (w *tsWriter) tally(flag byte) *uint64 {
	if flag == tsDocExploded {
		return &w.exploded
	}
	return &w.plain
}

func (w *tsWriter) finish(applied uint64) error {
	return errors.Join(
		w.meta.Put(tsApplied, tsAppendNumber(nil, applied)),
		w.meta.Put(tsPlain, tsAppendNumber(nil, w.plain)),
		w.meta.Put(tsExploded, tsAppendNumber(nil, w.exploded)),
	)
}

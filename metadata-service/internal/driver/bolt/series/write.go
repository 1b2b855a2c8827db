package series

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

// errApplied ends the transaction of a batch that the index has applied already.
var errApplied = errors.New("batch is applied already")

// fillPercent packs pages that are written in key order.
const fillPercent = 1.0

func (x *index) apply(ctx context.Context, batch timeseries.Batch) error {
	if err := x.lock(ctx); err != nil {
		return err
	}
	defer x.unlock()
	if err := x.rewriteUnreliable(ctx); err != nil {
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
		file.db.AllocSize = min(max(growLeast, int(tx.Size()/8)), growMost)
		refused = applyBatch(ctx, tx, batch, x.changed)
		return refused
	})
	if errors.Is(refused, errApplied) {
		return nil
	}
	x.unreliable = err != nil && refused == nil && !neverWritten(err)
	return err
}

// neverWritten reports whether a commit failed while passing pages to the system, as it does on a
// full disk, and not while syncing them. Then the state is certain: bbolt has rolled back, and the
// pages it had written are free. A rewrite of the index would need disk space for a copy, which is
// lacking.
func neverWritten(err error) bool {
	var failed *fs.PathError
	full := errors.Is(dbfile.Translate(err), fault.StorageFull)
	return full && errors.As(dbfile.RestoreErrno(err), &failed) && (failed.Op == "write" || failed.Op == "truncate")
}

// create creates the index with its first batch, or nothing at all.
func (x *index) create(ctx context.Context, batch timeseries.Batch) error {
	if !batch.Upserts() || batch.Sequence == 0 {
		return nil
	}
	db, err := x.fresh(x.temp)
	if err != nil {
		return err
	}
	err = x.update(db, func(tx *bbolt.Tx) error {
		if err := makeBuckets(tx); err != nil {
			return err
		}
		return applyBatch(ctx, tx, batch, nil)
	})
	if err != nil {
		return errors.Join(err, db.Close(), os.Remove(x.temp))
	}
	_, err = x.publish(db)
	x.unreliable = err != nil
	return err
}

func makeBuckets(tx *bbolt.Tx) error {
	for _, name := range [][]byte{docsBucket, idsBucket, urnsBucket, timesBucket, metaBucket} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

func applyBatch(ctx context.Context, tx *bbolt.Tx, batch timeseries.Batch, changed changes) error {
	v, err := newView(tx)
	if err != nil {
		return err
	}
	if batch.Sequence <= v.counter(appliedKey) {
		return errApplied
	}
	w := writer{view: v, plain: v.counter(plainKey), exploded: v.counter(explodedKey), changed: changed}
	w.docs.FillPercent = fillPercent
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

// writer changes an index within one transaction.
type writer struct {
	view
	plain, exploded uint64
	changed         changes
}

func (w *writer) upsert(d *timeseries.Document) error {
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
	value, err := encode(d)
	if err != nil {
		return err
	}
	location, key := locate(number, d), appendNumber(nil, number)
	w.changed.add(id, location)
	*w.tally(location.flag)++
	return errors.Join(
		w.docs.Put(key, value),
		w.ids.Put(id, location.encode()),
		w.urns.Put(location.urnKey(d.ID), key),
		w.times.Put(location.timeKey(d.ID), key),
	)
}

// vacate removes all keys of a document except its number, which it returns; 0 when there is no
// such document.
func (w *writer) vacate(id []byte) (uint64, error) {
	b := w.ids.Get(id)
	if b == nil {
		return 0, nil
	}
	location, err := decodeLocation(b)
	if err != nil {
		return 0, err
	}
	*w.tally(location.flag)--
	w.changed.add(id, location)
	return location.number, errors.Join(
		w.ids.Delete(id),
		w.urns.Delete(location.urnKey(string(id))),
		w.times.Delete(location.timeKey(string(id))),
	)
}

func (w *writer) erase(ctx context.Context, q *timeseries.Query) error {
	matcher, err := q.Matcher()
	if err != nil {
		return err
	}
	all := *q
	// A backward bbolt cursor stops early at a page that this transaction has emptied.
	all.After, all.Ascending = nil, true
	plain, complete, err := w.oldest(ctx, &all, matcher)
	if err != nil {
		return err
	}
	exploded, err := w.explodedOf(ctx, &all, matcher, plain, complete)
	if err != nil {
		return err
	}
	for _, list := range [][]place{plain, exploded} {
		for _, p := range list {
			number, err := w.vacate(p.id)
			if err != nil {
				return err
			}
			if err := w.docs.Delete(appendNumber(nil, number)); err != nil {
				return err
			}
		}
	}
	return nil
}

// place identifies a document to be erased.
type place struct {
	id   []byte
	time int64
}

func placeOf(h hit) place { return place{id: slices.Clone(h.id()), time: timeOf(h.order)} }

// oldest lists the plain documents to be erased, and reports whether the list is complete.
func (w *writer) oldest(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher) (list []place, complete bool, err error) {
	err = w.matching(ctx, q, m, false, func(h hit) bool {
		if q.Limit > 0 && len(list) == q.Limit {
			return false
		}
		list = append(list, placeOf(h))
		return true
	})
	return list, q.Limit <= 0 || len(list) < q.Limit, err
}

// explodedOf lists the exploded documents to be erased with plain ones. If plain is complete, these
// are all exploded documents that the query selects. Otherwise they are the ones older than the
// newest plain document, and those with the same time whose parent is in the list.
func (w *writer) explodedOf(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher, plain []place, complete bool) (list []place, err error) {
	collect := func(h hit) bool {
		list = append(list, placeOf(h))
		return true
	}
	if complete {
		return list, w.matching(ctx, q, m, true, collect)
	}
	newest := plain[len(plain)-1].time
	if newest > math.MinInt64 {
		before, older := *q, newest-1
		before.To = &older
		if err := w.matching(ctx, &before, m, true, collect); err != nil {
			return nil, err
		}
	}
	for _, p := range plain {
		if p.time < newest {
			continue
		}
		if err := w.elements(p, func(h hit) { collect(h) }); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// elements visits the exploded documents that belong to a plain one.
func (w *writer) elements(p place, visit func(hit)) error {
	location, err := decodeLocation(w.ids.Get(p.id))
	if err != nil {
		return err
	}
	prefix := append(location.hash[:], docExploded)
	for walk := newWalk(w.urns.Cursor(), prefix, &timeseries.Query{From: &p.time, To: &p.time, Ascending: true}); walk.next(); {
		d, _, err := w.document(walk.hit())
		if err != nil {
			return err
		}
		if d.Parent == string(p.id) {
			visit(walk.hit())
		}
	}
	return nil
}

func (w *writer) tally(flag byte) *uint64 {
	if flag == docExploded {
		return &w.exploded
	}
	return &w.plain
}

func (w *writer) finish(applied uint64) error {
	return errors.Join(
		w.meta.Put(appliedKey, appendNumber(nil, applied)),
		w.meta.Put(plainKey, appendNumber(nil, w.plain)),
		w.meta.Put(explodedKey, appendNumber(nil, w.exploded)),
	)
}

package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// storeTx is the transaction of one member of a group: an overlay above what
// its predecessors left. It is thrown away whole when the member fails.
type storeTx struct {
	under    *storeView
	overlay  storeOverlay
	counters storeCounters
	origin   string // of the entries it appends
	entries  []store.Entry
	over     bool // the function has returned
}

var (
	_ store.Tx    = (*storeTx)(nil)
	_ storeSource = (*storeTx)(nil)
)

var errStoreTxOver = errors.New("a transaction was used after its function had returned")

func (tx *storeTx) get(b storeBucket, key []byte) []byte {
	if value, written := tx.overlay.buckets[b].get(key); written {
		return value
	}
	return tx.under.get(b, key)
}

func (tx *storeTx) set(b storeBucket, key, value []byte) { tx.overlay.set(b, key, value) }

func (tx *storeTx) each(b storeBucket, from, prefix []byte) iter.Seq2[[]byte, []byte] {
	written := &tx.overlay.buckets[b]
	if len(written.blocks) == 0 {
		return tx.under.each(b, from, prefix)
	}
	return storeMerge(tx.under.each(b, from, prefix), written.within(from, prefix))
}

func (tx *storeTx) text(d storeDictionary, number uint32) (string, bool) {
	if raw, written := tx.overlay.buckets[d.texts()].get(d.key(number)); written {
		return string(raw), true
	}
	return tx.under.text(d, number)
}

func (tx *storeTx) number(d storeDictionary, text string) (uint32, bool) {
	if number, known := tx.under.number(d, text); known {
		return number, true
	}
	raw, _ := tx.overlay.buckets[d.numbers()].get([]byte(text))
	return d.parse(raw)
}

// Get implements store.Tx.
func (tx *storeTx) Get(_ context.Context, keys ...store.Key) ([]*model.Record, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	records := make([]*model.Record, len(keys))
	for i, key := range keys {
		var err error
		if records[i], err = storeRow(tx, key, 0); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// Row implements store.Tx.
func (tx *storeTx) Row(_ context.Context, key store.Key, row int64) (*model.Record, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRow(tx, key, row)
}

// Rows implements store.Tx.
func (tx *storeTx) Rows(_ context.Context, key store.Key) ([]int64, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRows(tx, key)
}

// Aspects implements store.Tx.
func (tx *storeTx) Aspects(_ context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	lists := make([][]model.Record, len(urns))
	for i, u := range urns {
		var err error
		if lists[i], err = storeAspects(tx, u, names); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// Scan implements store.Tx.
func (tx *storeTx) Scan(_ context.Context, q store.Scan) ([]urn.URN, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeScan(tx, q), nil
}

// RunKeys implements store.Tx.
func (tx *storeTx) RunKeys(_ context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRunKeys(tx, run, after, limit)
}

// LastSequence implements store.Tx.
func (tx *storeTx) LastSequence(context.Context) (uint64, error) { return tx.counters.sequence, nil }

// Put implements store.Tx.
func (tx *storeTx) Put(_ context.Context, rec model.Record) error {
	if tx.over {
		return errStoreTxOver
	}
	if err := storeCheckRecord(&rec); err != nil {
		return err
	}
	e, aspect, err := tx.address(rec.URN, rec.Aspect)
	if err != nil {
		return err
	}
	bucket, key := storeRowKey(e.id, aspect, rec.Row)
	old := tx.get(bucket, key)
	oldRun, err := tx.runOf(old)
	if err != nil {
		return err
	}
	raw, err := storeEncodeRow(&rec, tx.word)
	if err != nil {
		return err
	}
	run, err := storeRowRun(raw)
	if err != nil {
		return err
	}
	tx.set(bucket, key, raw)
	if old == nil && rec.Row == 0 {
		if err := tx.resize(rec.URN, e, e.latest+1); err != nil {
			return err
		}
	}
	// The old run leaves last, so that a row which stays in its run keeps the run alive.
	observed := rec.System.LastObserved
	if observed == 0 {
		observed = rec.CreatedOn
	}
	if err := tx.enterRun(run, rec.URN, aspect, run != oldRun, observed); err != nil {
		return err
	}
	if run == oldRun {
		return nil
	}
	return tx.leaveRun(oldRun, rec.URN, aspect)
}

// Remove implements store.Tx.
func (tx *storeTx) Remove(_ context.Context, key store.Key, row int64) error {
	if tx.over {
		return errStoreTxOver
	}
	e, found, err := storeFindEntity(tx, key.URN)
	if err != nil || !found || row < 0 {
		return err
	}
	aspect, found := tx.number(storeAspectNames, key.Aspect)
	if !found {
		return nil
	}
	bucket, k := storeRowKey(e.id, aspect, row)
	old := tx.get(bucket, k)
	if old == nil {
		return nil
	}
	run, err := tx.runOf(old)
	if err != nil {
		return err
	}
	tx.set(bucket, k, nil)
	if row == 0 {
		if err := tx.resize(key.URN, e, e.latest-1); err != nil {
			return err
		}
	}
	return tx.leaveRun(run, key.URN, aspect)
}

// RemoveHistory implements store.Tx.
func (tx *storeTx) RemoveHistory(_ context.Context, key store.Key, upTo int64) (int, error) {
	return tx.removeHistory(key, func(row storeHistoryRow) bool { return row.number <= upTo })
}

// RemoveOlder implements store.Tx.
func (tx *storeTx) RemoveOlder(_ context.Context, key store.Key, before int64) (int, error) {
	return tx.removeHistory(key, func(row storeHistoryRow) bool { return row.created < before })
}

// removeHistory deletes history rows from the oldest on while they are to go. They
// are collected first, as a listing does not bear changes meanwhile.
func (tx *storeTx) removeHistory(key store.Key, goes func(storeHistoryRow) bool) (int, error) {
	if tx.over {
		return 0, errStoreTxOver
	}
	e, found, err := storeFindEntity(tx, key.URN)
	if err != nil || !found {
		return 0, err
	}
	aspect, found := tx.number(storeAspectNames, key.Aspect)
	if !found {
		return 0, nil
	}
	rows, err := tx.oldest(e.id, aspect, goes)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		tx.set(storeHistory, row.key, nil)
		if err := tx.leaveRun(row.run, key.URN, aspect); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// storeHistoryRow is what the removal of a history row needs to know of it.
type storeHistoryRow struct {
	key     []byte
	number  int64
	run     uint32
	created int64 // epoch ms
}

// oldest lists history rows of an aspect from the oldest on while they match.
func (tx *storeTx) oldest(entity uint64, aspect uint32, match func(storeHistoryRow) bool) ([]storeHistoryRow, error) {
	_, prefix := storeRowKey(entity, aspect, 0)
	var rows []storeHistoryRow
	for key, raw := range tx.each(storeHistory, prefix, prefix) {
		if len(key) != len(prefix)+8 {
			return nil, storeCorrupt("key of a history row")
		}
		row := storeHistoryRow{number: int64(binary.BigEndian.Uint64(key[len(prefix):]))}
		var err error
		if row.run, row.created, err = storeRowHead(raw); err != nil {
			return nil, err
		}
		if !match(row) {
			break
		}
		row.key = bytes.Clone(key)
		rows = append(rows, row)
	}
	return rows, nil
}

// Append implements store.Tx.
func (tx *storeTx) Append(_ context.Context, entry store.Entry) (uint64, error) {
	if tx.over {
		return 0, errStoreTxOver
	}
	entry.Origin = cmp.Or(entry.Origin, tx.origin)
	if err := storeCheckEntry(&entry); err != nil {
		return 0, err
	}
	var e storeEntity
	var aspect uint32
	var err error
	if entry.URN != "" {
		if e, err = tx.entity(entry.URN); err != nil {
			return 0, err
		}
	}
	if entry.Aspect != "" {
		if aspect, err = tx.aspect(entry.Aspect); err != nil {
			return 0, err
		}
	}
	raw, err := storeEncodeEntry(&entry, e.id, aspect, tx.word)
	if err != nil {
		return 0, err
	}
	tx.counters.sequence++
	tx.set(storeEntries, storeIDKey(tx.counters.sequence), raw)
	entry.Sequence = tx.counters.sequence
	entry.Value = storeEntryValue(raw, len(entry.Value))
	tx.entries = append(tx.entries, entry)
	return entry.Sequence, nil
}

func storeCheckRecord(rec *model.Record) error {
	if rec.Aspect == "" {
		return fault.New(fault.Invalid, "aspect of %s is empty", rec.URN)
	}
	if rec.Row < 0 {
		return fault.New(fault.Invalid, "row %d of %s is negative", rec.Row, rec.Aspect)
	}
	return errors.Join(
		storeCheckURN(rec.URN),
		storeCheckText("aspect name", rec.Aspect, store.MaxAspectBytes),
		storeCheckText("run id", rec.System.RunID, store.MaxRunBytes),
		storeCheckValue(len(rec.Value)),
	)
}

func storeCheckEntry(entry *store.Entry) error {
	return errors.Join(
		storeCheckText("urn", string(entry.URN), store.MaxURNBytes),
		storeCheckText("aspect name", entry.Aspect, store.MaxAspectBytes),
		storeCheckText("run id", entry.RunID, store.MaxRunBytes),
		storeCheckText("origin", entry.Origin, store.MaxOriginBytes),
		storeCheckValue(len(entry.Value)),
	)
}

func storeCheckValue(size int) error {
	if size > store.MaxValueBytes {
		return fault.New(fault.TooLarge, "value has %d bytes, at most %d are possible", size, store.MaxValueBytes)
	}
	return nil
}

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

// tx is the transaction of one member of a group: an overlay above the state that the earlier
// members left. It is dropped whole when the member fails.
type tx struct {
	under      *view
	overlay    overlay
	counters   counters
	origin     string // origin of the entries it appends; caller likewise
	caller     *store.Caller
	lastCaller callerPlace // the last entry that holds its caller itself
	entries    []store.Entry
	over       bool // the function has returned
}

var (
	_ store.Tx = (*tx)(nil)
	_ source   = (*tx)(nil)
)

var errTxOver = errors.New("a transaction was used after its function had returned")

func (tx *tx) get(b bucket, key []byte) []byte {
	if value, written := tx.overlay.buckets[b].get(key); written {
		return value
	}
	return tx.under.get(b, key)
}

// set writes a key, or deletes it if the value is nil. Deleting a key that only this transaction
// has written removes it from the overlay. Otherwise a batch that creates and removes versions
// would leave deletions that all its listings must skip.
func (tx *tx) set(b bucket, key, value []byte) {
	if value == nil {
		if _, written := tx.overlay.buckets[b].get(key); written && tx.under.get(b, key) == nil {
			tx.overlay.buckets[b].forget(key)
			return
		}
	}
	tx.overlay.set(b, key, value)
}

func (tx *tx) each(b bucket, from, prefix []byte) iter.Seq2[[]byte, []byte] {
	written := &tx.overlay.buckets[b]
	if len(written.blocks) == 0 {
		return tx.under.each(b, from, prefix)
	}
	return mergeWrites(tx.under.each(b, from, prefix), written.within(from, prefix))
}

func (tx *tx) text(d dictionary, number uint32) (string, bool) {
	if raw, written := tx.overlay.buckets[d.texts()].get(d.key(number)); written {
		return string(raw), true
	}
	return tx.under.text(d, number)
}

func (tx *tx) number(d dictionary, text string) (uint32, bool) {
	if number, known := tx.under.number(d, text); known {
		return number, true
	}
	raw, _ := tx.overlay.buckets[d.numbers()].get([]byte(text))
	return d.parse(raw)
}

// Get implements store.Tx.
func (tx *tx) Get(_ context.Context, keys ...store.Key) ([]*model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	rows := rowReader{src: tx}
	records := make([]*model.Record, len(keys))
	for i, key := range keys {
		var err error
		if records[i], err = rows.read(key, 0); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// Row implements store.Tx.
func (tx *tx) Row(_ context.Context, key store.Key, row int64) (*model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	return readRow(tx, key, row)
}

// Rows implements store.Tx.
func (tx *tx) Rows(_ context.Context, key store.Key) ([]int64, error) {
	if tx.over {
		return nil, errTxOver
	}
	return readRows(tx, key)
}

// Aspects implements store.Tx.
func (tx *tx) Aspects(_ context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	lists := make([][]model.Record, len(urns))
	for i, u := range urns {
		var err error
		if lists[i], err = readAspects(tx, u, names); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// Scan implements store.Tx.
func (tx *tx) Scan(_ context.Context, q store.Scan) ([]urn.URN, error) {
	if tx.over {
		return nil, errTxOver
	}
	return scanURNs(tx, q), nil
}

// RunKeys implements store.Tx.
func (tx *tx) RunKeys(_ context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	if tx.over {
		return nil, errTxOver
	}
	return readRunKeys(tx, run, after, limit)
}

// LastSequence implements store.Tx.
func (tx *tx) LastSequence(context.Context) (uint64, error) { return tx.counters.sequence, nil }

// Put implements store.Tx.
func (tx *tx) Put(_ context.Context, rec model.Record) error {
	if tx.over {
		return errTxOver
	}
	if err := checkRecord(&rec); err != nil {
		return err
	}
	e, aspect, err := tx.address(rec.URN, rec.Aspect)
	if err != nil {
		return err
	}
	bucket, key := rowKey(e.id, aspect, rec.Row)
	old := tx.get(bucket, key)
	oldRun, err := tx.runOf(old)
	if err != nil {
		return err
	}
	raw, err := encodeRow(&rec, tx.word)
	if err != nil {
		return err
	}
	run, err := rowRun(raw)
	if err != nil {
		return err
	}
	tx.set(bucket, key, raw)
	if old == nil && rec.Row == 0 {
		if err := tx.resize(rec.URN, e, e.latest+1); err != nil {
			return err
		}
	}
	// The row leaves its old run last: a row that stays in its run keeps the run alive.
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
func (tx *tx) Remove(_ context.Context, key store.Key, row int64) error {
	if tx.over {
		return errTxOver
	}
	e, found, err := findEntity(tx, key.URN)
	if err != nil || !found || row < 0 {
		return err
	}
	aspect, found := tx.number(aspectNames, key.Aspect)
	if !found {
		return nil
	}
	bucket, k := rowKey(e.id, aspect, row)
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
func (tx *tx) RemoveHistory(_ context.Context, key store.Key, upTo int64) (int, error) {
	return tx.removeHistory(key, func(row historyRow) bool { return row.number <= upTo })
}

// RemoveOlder implements store.Tx.
func (tx *tx) RemoveOlder(_ context.Context, key store.Key, before int64) (int, error) {
	return tx.removeHistory(key, func(row historyRow) bool { return row.created < before })
}

// removeHistory deletes history rows from the oldest on as long as goes returns true. It collects
// them first, because a listing does not allow changes while it runs.
func (tx *tx) removeHistory(key store.Key, goes func(historyRow) bool) (int, error) {
	if tx.over {
		return 0, errTxOver
	}
	e, found, err := findEntity(tx, key.URN)
	if err != nil || !found {
		return 0, err
	}
	aspect, found := tx.number(aspectNames, key.Aspect)
	if !found {
		return 0, nil
	}
	rows, err := tx.oldest(e.id, aspect, goes)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		tx.set(bucketHistory, row.key, nil)
		if err := tx.leaveRun(row.run, key.URN, aspect); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// historyRow holds the parts of a history row that its removal needs.
type historyRow struct {
	key     []byte
	number  int64
	run     uint32
	created int64 // epoch ms
}

// oldest lists history rows of an aspect, oldest first, up to the first that does not match.
func (tx *tx) oldest(entity uint64, aspect uint32, match func(historyRow) bool) ([]historyRow, error) {
	_, prefix := rowKey(entity, aspect, 0)
	var rows []historyRow
	for key, raw := range tx.each(bucketHistory, prefix, prefix) {
		if len(key) != len(prefix)+8 {
			return nil, corrupt("key of a history row")
		}
		row := historyRow{number: int64(binary.BigEndian.Uint64(key[len(prefix):]))}
		var err error
		if row.run, row.created, err = rowHead(raw); err != nil {
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
func (tx *tx) Append(_ context.Context, entry store.Entry) (uint64, error) {
	if tx.over {
		return 0, errTxOver
	}
	entry.Origin = cmp.Or(entry.Origin, tx.origin)
	entry.Caller = cmp.Or(entry.Caller, tx.caller)
	if err := checkEntry(&entry); err != nil {
		return 0, err
	}
	var e entity
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
	sequence := tx.counters.sequence + 1
	raw, err := encodeEntry(&entry, entryPlaces{urn: e.id, caller: tx.lastCaller.distance(entry.Caller, sequence)}, aspect, tx.word)
	if err != nil {
		return 0, err
	}
	tx.lastCaller.note(entry.Caller, sequence)
	tx.counters.sequence = sequence
	tx.set(bucketEntries, idKey(tx.counters.sequence), raw)
	entry.Sequence = tx.counters.sequence
	entry.Value = entryValue(raw, len(entry.Value))
	tx.entries = append(tx.entries, entry)
	return entry.Sequence, nil
}

func checkRecord(rec *model.Record) error {
	if rec.Aspect == "" {
		return fault.New(fault.Invalid, "aspect of %s is empty", rec.URN)
	}
	if rec.Row < 0 {
		return fault.New(fault.Invalid, "row %d of %s is negative", rec.Row, rec.Aspect)
	}
	return errors.Join(
		checkURN(rec.URN),
		checkText("aspect name", rec.Aspect, store.MaxAspectBytes),
		checkText("run id", rec.System.RunID, store.MaxRunBytes),
		checkValue(len(rec.Value)),
	)
}

func checkEntry(entry *store.Entry) error {
	return errors.Join(
		checkText("urn", string(entry.URN), store.MaxURNBytes),
		checkText("aspect name", entry.Aspect, store.MaxAspectBytes),
		checkText("run id", entry.RunID, store.MaxRunBytes),
		checkText("origin", entry.Origin, store.MaxOriginBytes),
		checkValue(len(entry.Value)),
	)
}

func checkValue(size int) error {
	if size > store.MaxValueBytes {
		return fault.New(fault.TooLarge, "value has %d bytes, at most %d are possible", size, store.MaxValueBytes)
	}
	return nil
}

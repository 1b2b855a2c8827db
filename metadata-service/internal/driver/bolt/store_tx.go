package bolt

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"slices"

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
func (tx *storeTx) Get(key store.Key) (*model.Record, error) { return tx.Row(key, 0) }

// Row implements store.Tx.
func (tx *storeTx) Row(key store.Key, row int64) (*model.Record, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRow(tx, key, row)
}

// Rows implements store.Tx.
func (tx *storeTx) Rows(key store.Key) ([]int64, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRows(tx, key)
}

// Aspects implements store.Tx.
func (tx *storeTx) Aspects(u urn.URN) ([]model.Record, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeAspects(tx, u, nil)
}

// Scan implements store.Tx.
func (tx *storeTx) Scan(q store.Scan) ([]urn.URN, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeScan(tx, q), nil
}

// RunKeys implements store.Tx.
func (tx *storeTx) RunKeys(run string, after store.Key, limit int) ([]store.Key, error) {
	if tx.over {
		return nil, errStoreTxOver
	}
	return storeRunKeys(tx, run, after, limit)
}

// LastSequence implements store.Tx.
func (tx *storeTx) LastSequence() uint64 { return tx.counters.sequence }

// Put implements store.Tx.
func (tx *storeTx) Put(rec model.Record) error {
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
func (tx *storeTx) Remove(key store.Key, row int64) error {
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

// Append implements store.Tx.
func (tx *storeTx) Append(entry store.Entry) (uint64, error) {
	if tx.over {
		return 0, errStoreTxOver
	}
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
	return tx.counters.sequence, nil
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
		storeCheckValue(len(entry.Value)),
	)
}

func storeCheckValue(size int) error {
	if size > store.MaxValueBytes {
		return fault.New(fault.TooLarge, "value has %d bytes, at most %d are possible", size, store.MaxValueBytes)
	}
	return nil
}

// address gives the numbers of a key, new ones if need be.
func (tx *storeTx) address(u urn.URN, aspect string) (storeEntity, uint32, error) {
	e, err := tx.entity(u)
	if err != nil {
		return e, 0, err
	}
	number, err := tx.aspect(aspect)
	return e, number, err
}

func (tx *storeTx) entity(u urn.URN) (storeEntity, error) {
	e, found, err := storeFindEntity(tx, u)
	if found || err != nil {
		return e, err
	}
	tx.counters.entity++
	e.id = tx.counters.entity
	tx.set(storeURNs, storeIDKey(e.id), []byte(u))
	tx.set(storeRetired, []byte(u), e.encode())
	return e, nil
}

func (tx *storeTx) aspect(name string) (uint32, error) {
	if number, known := tx.number(storeAspectNames, name); known {
		return number, nil
	}
	if tx.counters.aspect == math.MaxUint16 {
		return 0, fault.New(fault.TooLarge, "the store holds %d aspect names, no more are possible", math.MaxUint16)
	}
	tx.counters.aspect++
	return tx.counters.aspect, tx.name(storeAspectNames, tx.counters.aspect, name)
}

func (tx *storeTx) word(text string) (uint32, error) {
	if number, known := tx.number(storeWords, text); known {
		return number, nil
	}
	if tx.counters.word == math.MaxUint32 {
		return 0, fault.New(fault.TooLarge, "the store holds %d words, no more are possible", uint32(math.MaxUint32))
	}
	tx.counters.word++
	return tx.counters.word, tx.name(storeWords, tx.counters.word, text)
}

func (tx *storeTx) name(d storeDictionary, number uint32, text string) error {
	tx.set(d.numbers(), []byte(text), binary.AppendUvarint(nil, uint64(number)))
	tx.set(d.texts(), d.key(number), []byte(text))
	return nil
}

// resize notes how many latest rows an entity has, and moves it between the
// living and the retired when that begins or ends.
func (tx *storeTx) resize(u urn.URN, e storeEntity, latest uint64) error {
	before := e.latest
	e.latest = latest
	key := []byte(u)
	if latest > 0 {
		tx.set(storeEntities, key, e.encode())
	} else {
		tx.set(storeEntities, key, nil)
		tx.set(storeRetired, key, e.encode())
		return tx.countEntities(u, -1)
	}
	if before == 0 {
		tx.set(storeRetired, key, nil)
		return tx.countEntities(u, 1)
	}
	return nil
}

func (tx *storeTx) countEntities(u urn.URN, more int) error {
	key := storeCountKey(storeTypeOf(u))
	n, err := storeCountOf(tx.get(storeCounts, key))
	if err != nil {
		return err
	}
	tx.set(storeCounts, key, binary.AppendUvarint(nil, uint64(n+more)))
	return nil
}

// runOf is the run of a row that may be absent; 0 is no run.
func (tx *storeTx) runOf(raw []byte) (uint32, error) {
	if raw == nil {
		return 0, nil
	}
	return storeRowRun(raw)
}

// enterRun notes a write under a run and, when the row was not in it, the row.
func (tx *storeTx) enterRun(run uint32, u urn.URN, aspect uint32, isNew bool, time int64) error {
	if run == 0 {
		return nil
	}
	summary, err := tx.runSummary(run)
	if err != nil {
		return err
	}
	before := summary
	if summary.rows == 0 {
		summary.time = time
	}
	summary.time = max(summary.time, time)
	if isNew {
		summary.rows++
		if err := tx.countMember(run, u, aspect, 1); err != nil {
			return err
		}
	}
	if summary != before {
		tx.set(storeRunSummaries, storeRunKey(run), summary.encode())
	}
	return nil
}

// leaveRun takes one row out of a run. A run without rows is forgotten.
func (tx *storeTx) leaveRun(run uint32, u urn.URN, aspect uint32) error {
	if run == 0 {
		return nil
	}
	summary, err := tx.runSummary(run)
	if err != nil {
		return err
	}
	if summary.rows == 0 {
		return storeCorrupt("run without rows")
	}
	if summary.rows--; summary.rows == 0 {
		tx.set(storeRunSummaries, storeRunKey(run), nil)
	} else {
		tx.set(storeRunSummaries, storeRunKey(run), summary.encode())
	}
	return tx.countMember(run, u, aspect, -1)
}

func (tx *storeTx) runSummary(run uint32) (storeRunSummary, error) {
	raw := tx.get(storeRunSummaries, storeRunKey(run))
	if raw == nil {
		return storeRunSummary{}, nil
	}
	return storeDecodeRun(raw)
}

// countMember changes how many rows of an aspect carry a run.
func (tx *storeTx) countMember(run uint32, u urn.URN, aspect uint32, more int) error {
	key := storeRunEntityKey(run, u)
	members, err := storeDecodeMembers(tx.get(storeRunEntities, key))
	if err != nil {
		return err
	}
	at := slices.IndexFunc(members, func(m storeRunMember) bool { return m.aspect == aspect })
	switch {
	case at < 0 && more < 0:
		return storeCorrupt("run index")
	case at < 0:
		members = append(members, storeRunMember{aspect: aspect, rows: 1})
	default:
		members[at].rows += uint64(more)
		if members[at].rows == 0 {
			members = slices.Delete(members, at, at+1)
		}
	}
	if len(members) == 0 {
		tx.set(storeRunEntities, key, nil)
		return nil
	}
	tx.set(storeRunEntities, key, storeEncodeMembers(members))
	return nil
}

package bolt

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Data that a transaction keeps consistent with the rows: numbers, counts and the run index.

// address returns the numbers of a key and assigns new ones where needed.
func (tx *tx) address(u urn.URN, aspect string) (entity, uint32, error) {
	e, err := tx.entity(u)
	if err != nil {
		return e, 0, err
	}
	number, err := tx.aspect(aspect)
	return e, number, err
}

func (tx *tx) entity(u urn.URN) (entity, error) {
	e, found, err := findEntity(tx, u)
	if found || err != nil {
		return e, err
	}
	tx.counters.entity++
	e.id = tx.counters.entity
	tx.set(bucketURNs, idKey(e.id), []byte(u))
	tx.set(bucketRetired, []byte(u), e.encode())
	return e, nil
}

func (tx *tx) aspect(name string) (uint32, error) {
	if number, known := tx.number(aspectNames, name); known {
		return number, nil
	}
	if tx.counters.aspect == math.MaxUint16 {
		return 0, fault.New(fault.TooLarge, "the store holds %d aspect names, no more are possible", math.MaxUint16)
	}
	tx.counters.aspect++
	return tx.counters.aspect, tx.name(aspectNames, tx.counters.aspect, name)
}

func (tx *tx) word(text string) (uint32, error) {
	if number, known := tx.number(words, text); known {
		return number, nil
	}
	if tx.counters.word == math.MaxUint32 {
		return 0, fault.New(fault.TooLarge, "the store holds %d words, no more are possible", uint32(math.MaxUint32))
	}
	tx.counters.word++
	return tx.counters.word, tx.name(words, tx.counters.word, text)
}

func (tx *tx) name(d dictionary, number uint32, text string) error {
	tx.set(d.numbers(), []byte(text), binary.AppendUvarint(nil, uint64(number)))
	tx.set(d.texts(), d.key(number), []byte(text))
	return nil
}

// resize records the number of latest rows of an entity. It moves the entity between bucketEntities
// and bucketRetired when the number becomes or ceases to be 0.
func (tx *tx) resize(u urn.URN, e entity, latest uint64) error {
	before := e.latest
	e.latest = latest
	key := []byte(u)
	if latest > 0 {
		tx.set(bucketEntities, key, e.encode())
	} else {
		tx.set(bucketEntities, key, nil)
		tx.set(bucketRetired, key, e.encode())
		return tx.countEntities(u, -1)
	}
	if before == 0 {
		tx.set(bucketRetired, key, nil)
		return tx.countEntities(u, 1)
	}
	return nil
}

func (tx *tx) countEntities(u urn.URN, more int) error {
	key := countKey(typeOf(u))
	n, err := decodeCount(tx.get(bucketCounts, key))
	if err != nil {
		return err
	}
	tx.set(bucketCounts, key, binary.AppendUvarint(nil, uint64(n+more)))
	return nil
}

// runOf returns the run number of a row, or 0 when the row is absent or has no run.
func (tx *tx) runOf(raw []byte) (uint32, error) {
	if raw == nil {
		return 0, nil
	}
	return rowRun(raw)
}

// enterRun records a write under a run, and adds the row if it is new in the run.
func (tx *tx) enterRun(run uint32, u urn.URN, aspect uint32, isNew bool, time int64) error {
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
		tx.set(bucketRunSummaries, runKey(run), summary.encode())
	}
	return nil
}

// leaveRun removes one row from a run. A run without rows is deleted.
func (tx *tx) leaveRun(run uint32, u urn.URN, aspect uint32) error {
	if run == 0 {
		return nil
	}
	summary, err := tx.runSummary(run)
	if err != nil {
		return err
	}
	if summary.rows == 0 {
		return corrupt("run without rows")
	}
	if summary.rows--; summary.rows == 0 {
		tx.set(bucketRunSummaries, runKey(run), nil)
	} else {
		tx.set(bucketRunSummaries, runKey(run), summary.encode())
	}
	return tx.countMember(run, u, aspect, -1)
}

func (tx *tx) runSummary(run uint32) (runSummary, error) {
	raw := tx.get(bucketRunSummaries, runKey(run))
	if raw == nil {
		return runSummary{}, nil
	}
	return decodeRun(raw)
}

// countMember changes the number of rows of an aspect that carry a run.
func (tx *tx) countMember(run uint32, u urn.URN, aspect uint32, more int) error {
	key := runEntityKey(run, u)
	members, err := decodeMembers(tx.get(bucketRunEntities, key))
	if err != nil {
		return err
	}
	at := slices.IndexFunc(members, func(m runMember) bool { return m.aspect == aspect })
	switch {
	case at < 0 && more < 0:
		return corrupt("run index")
	case at < 0:
		members = append(members, runMember{aspect: aspect, rows: 1})
	default:
		members[at].rows += uint64(more)
		if members[at].rows == 0 {
			members = slices.Delete(members, at, at+1)
		}
	}
	if len(members) == 0 {
		tx.set(bucketRunEntities, key, nil)
		return nil
	}
	tx.set(bucketRunEntities, key, encodeMembers(members))
	return nil
}

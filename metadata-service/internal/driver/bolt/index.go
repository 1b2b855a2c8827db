package bolt

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// What a transaction keeps in step with the rows: numbers, counts and the run index.

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

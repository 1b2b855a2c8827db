package bolt

import (
	"bytes"
	"encoding/binary"
	"iter"
	"sync"

	"go.etcd.io/bbolt"
)

// storeSource is a state of the file that can be read: the committed one
// (storeView) or the one an Update sees (storeTx). Slices it hands out are
// valid until its transaction ends.
type storeSource interface {
	get(b storeBucket, key []byte) []byte
	// each lists keys that are at or after from and start with prefix, in order.
	each(b storeBucket, from, prefix []byte) iter.Seq2[[]byte, []byte]
	text(d storeDictionary, number uint32) (string, bool)
	number(d storeDictionary, text string) (uint32, bool)
}

// storeView reads through a bbolt transaction.
type storeView struct {
	tx      *bbolt.Tx
	buckets [storeBuckets]*bbolt.Bucket
	names   *storeNames // what is committed
	learned *storeNames // where findings go: names itself, or the list of a group not committed yet
}

func (v *storeView) bucket(b storeBucket) *bbolt.Bucket {
	if v.buckets[b] == nil {
		v.buckets[b] = v.tx.Bucket(storeBucketNames[b])
		if fill := storeFill[b]; fill > 0 {
			v.buckets[b].FillPercent = fill
		}
	}
	return v.buckets[b]
}

func (v *storeView) get(b storeBucket, key []byte) []byte { return v.bucket(b).Get(key) }

func (v *storeView) each(b storeBucket, from, prefix []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		if bytes.Compare(from, prefix) < 0 {
			from = prefix
		}
		cursor := v.bucket(b).Cursor()
		for key, value := cursor.Seek(from); key != nil && bytes.HasPrefix(key, prefix); key, value = cursor.Next() {
			if !yield(key, value) {
				return
			}
		}
	}
}

// last is the greatest key, nil when there is none.
func (v *storeView) last(b storeBucket) []byte {
	key, _ := v.bucket(b).Cursor().Last()
	return key
}

func (v *storeView) text(d storeDictionary, number uint32) (string, bool) {
	if text, ok := v.names.text(d, number); ok {
		return text, true
	}
	if text, ok := v.learned.text(d, number); ok {
		return text, true
	}
	raw := v.get(d.texts(), d.key(number))
	if raw == nil {
		return "", false
	}
	text := string(raw)
	v.learned.add(d, number, text)
	return text, true
}

func (v *storeView) number(d storeDictionary, text string) (uint32, bool) {
	if number, ok := v.names.number(d, text); ok {
		return number, true
	}
	if number, ok := v.learned.number(d, text); ok {
		return number, true
	}
	number, ok := d.parse(v.get(d.numbers(), []byte(text)))
	if ok {
		v.learned.add(d, number, text)
	}
	return number, ok
}

// storeDictionary is one of the lists that replace a text by a number. Numbers
// start at 1 and are never taken back, so what a cache knows stays true.
type storeDictionary int

const (
	storeAspectNames storeDictionary = iota // two-byte numbers, part of the keys of rows
	storeWords                              // actors, run ids and other texts that many rows share
)

func (d storeDictionary) numbers() storeBucket {
	if d == storeAspectNames {
		return storeAspectNums
	}
	return storeWordNums
}

func (d storeDictionary) texts() storeBucket {
	if d == storeAspectNames {
		return storeAspectTexts
	}
	return storeWordTexts
}

func (d storeDictionary) key(number uint32) []byte {
	if d == storeAspectNames {
		return binary.BigEndian.AppendUint16(nil, uint16(number))
	}
	return binary.BigEndian.AppendUint32(nil, number)
}

func (d storeDictionary) parse(value []byte) (uint32, bool) {
	number, n := binary.Uvarint(value)
	return uint32(number), n > 0
}

// storeNames remembers dictionary entries. It is bounded: when full it starts
// anew, since the file knows them all.
type storeNames struct {
	mu      sync.RWMutex
	byText  [2]map[string]uint32
	byValue [2]map[uint32]string
}

const storeNamesKept = 1 << 14 // of each dictionary

func newStoreNames() *storeNames {
	n := &storeNames{}
	for d := range n.byText {
		n.byText[d], n.byValue[d] = make(map[string]uint32), make(map[uint32]string)
	}
	return n
}

func (n *storeNames) text(d storeDictionary, number uint32) (string, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	text, ok := n.byValue[d][number]
	return text, ok
}

func (n *storeNames) number(d storeDictionary, text string) (uint32, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	number, ok := n.byText[d][text]
	return number, ok
}

func (n *storeNames) add(d storeDictionary, number uint32, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.byText[d]) >= storeNamesKept {
		clear(n.byText[d])
		clear(n.byValue[d])
	}
	n.byText[d][text], n.byValue[d][number] = number, text
}

// merge takes over what a committed group learned.
func (n *storeNames) merge(group *storeNames) {
	for d := range group.byText {
		for text, number := range group.byText[d] {
			n.add(storeDictionary(d), number, text)
		}
	}
}

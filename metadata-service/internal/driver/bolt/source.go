package bolt

import (
	"bytes"
	"encoding/binary"
	"iter"
	"sync"

	"go.etcd.io/bbolt"
)

// source is a readable state of the file: the committed state (view) or the state inside an Update
// (tx). Slices that it returns are valid until its transaction ends.
type source interface {
	get(b bucket, key []byte) []byte
	// each yields the keys that are at or after from and start with prefix, in order.
	each(b bucket, from, prefix []byte) iter.Seq2[[]byte, []byte]
	text(d dictionary, number uint32) (string, bool)
	number(d dictionary, text string) (uint32, bool)
}

// view reads through a bbolt transaction.
type view struct {
	tx        *bbolt.Tx
	buckets   [bucketCount]*bbolt.Bucket
	names     *dictionaryCache // committed entries
	readCache *dictionaryCache // receives entries read from the file: names itself, or the cache of a group before its commit
	state     uint64           // state of the pool when the transaction began, see viewPool
}

func (v *view) bucket(b bucket) *bbolt.Bucket {
	if v.buckets[b] == nil {
		v.buckets[b] = v.tx.Bucket(bucketNames[b])
		if fill := bucketFill[b]; fill > 0 {
			v.buckets[b].FillPercent = fill
		}
	}
	return v.buckets[b]
}

func (v *view) get(b bucket, key []byte) []byte { return v.bucket(b).Get(key) }

func (v *view) each(b bucket, from, prefix []byte) iter.Seq2[[]byte, []byte] {
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

// last returns the greatest key, or nil.
func (v *view) last(b bucket) []byte {
	key, _ := v.bucket(b).Cursor().Last()
	return key
}

func (v *view) text(d dictionary, number uint32) (string, bool) {
	if text, ok := v.names.text(d, number); ok {
		return text, true
	}
	if text, ok := v.readCache.text(d, number); ok {
		return text, true
	}
	raw := v.get(d.texts(), d.key(number))
	if raw == nil {
		return "", false
	}
	text := string(raw)
	v.readCache.add(d, number, text)
	return text, true
}

func (v *view) number(d dictionary, text string) (uint32, bool) {
	if number, ok := v.names.number(d, text); ok {
		return number, true
	}
	if number, ok := v.readCache.number(d, text); ok {
		return number, true
	}
	number, ok := d.parse(v.get(d.numbers(), []byte(text)))
	if ok {
		v.readCache.add(d, number, text)
	}
	return number, ok
}

// dictionary is a list that replaces texts by numbers. Numbers start at 1 and are never reassigned,
// so cached entries stay valid.
type dictionary int

const (
	aspectNames dictionary = iota // two-byte numbers, part of the keys of rows
	words                         // actors, run ids and other texts that many rows share
)

func (d dictionary) numbers() bucket {
	if d == aspectNames {
		return bucketAspectNums
	}
	return bucketWordNums
}

func (d dictionary) texts() bucket {
	if d == aspectNames {
		return bucketAspectTexts
	}
	return bucketWordTexts
}

func (d dictionary) key(number uint32) []byte {
	if d == aspectNames {
		return binary.BigEndian.AppendUint16(nil, uint16(number))
	}
	return binary.BigEndian.AppendUint32(nil, number)
}

func (d dictionary) parse(value []byte) (uint32, bool) {
	number, n := binary.Uvarint(value)
	return uint32(number), n > 0
}

// dictionaryCache caches dictionary entries. Its size is limited: when full it starts empty again,
// since the file has all entries. It is safe for concurrent use.
type dictionaryCache struct {
	mu      sync.RWMutex
	byText  [2]map[string]uint32
	byValue [2]map[uint32]string
}

const dictionaryCacheSize = 1 << 14 // of each dictionary

func newDictionaryCache() *dictionaryCache {
	n := &dictionaryCache{}
	for d := range n.byText {
		n.byText[d], n.byValue[d] = make(map[string]uint32), make(map[uint32]string)
	}
	return n
}

func (n *dictionaryCache) text(d dictionary, number uint32) (string, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	text, ok := n.byValue[d][number]
	return text, ok
}

func (n *dictionaryCache) number(d dictionary, text string) (uint32, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	number, ok := n.byText[d][text]
	return number, ok
}

func (n *dictionaryCache) add(d dictionary, number uint32, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.byText[d]) >= dictionaryCacheSize {
		clear(n.byText[d])
		clear(n.byValue[d])
	}
	n.byText[d][text], n.byValue[d][number] = number, text
}

// merge adds the entries that a committed group read or assigned.
func (n *dictionaryCache) merge(group *dictionaryCache) {
	for d := range group.byText {
		for text, number := range group.byText[d] {
			n.add(dictionary(d), number, text)
		}
	}
}

package bolt

import (
	"bytes"
	"iter"
	"slices"
)

// overlay holds the writes of one Update until it succeeds: for each bucket the keys in order, each
// with its new value or a deletion.
type overlay struct {
	buckets [bucketCount]sortedWrites
	bytes   int
}

type pendingWrite struct {
	key   []byte
	value []byte // nil: the key is deleted
}

func (o *overlay) set(b bucket, key, value []byte) {
	o.buckets[b].set(pendingWrite{key, value})
	o.bytes += len(key) + len(value)
}

// sortedWrites is a sorted list split into blocks. An insertion moves at most one block in memory,
// whatever the length of the list.
type sortedWrites struct {
	blocks [][]pendingWrite
}

const blockSize = 256

func compareWrite(w pendingWrite, key []byte) int { return bytes.Compare(w.key, key) }

// find returns the block that contains or would contain key, and the position in it.
func (l *sortedWrites) find(key []byte) (block, place int, found bool) {
	block, found = slices.BinarySearchFunc(l.blocks, key, func(b []pendingWrite, key []byte) int {
		return compareWrite(b[0], key)
	})
	if found {
		return block, 0, true
	}
	if block == 0 {
		return 0, 0, false
	}
	block--
	place, found = slices.BinarySearchFunc(l.blocks[block], key, compareWrite)
	return block, place, found
}

func (l *sortedWrites) get(key []byte) (value []byte, found bool) {
	block, place, found := l.find(key)
	if !found {
		return nil, false
	}
	return l.blocks[block][place].value, true
}

func (l *sortedWrites) set(w pendingWrite) {
	if len(l.blocks) == 0 {
		l.blocks = append(l.blocks, []pendingWrite{w})
		return
	}
	block, place, found := l.find(w.key)
	if found {
		l.blocks[block][place].value = w.value
		return
	}
	writes := slices.Insert(l.blocks[block], place, w)
	l.blocks[block] = writes
	if len(writes) <= blockSize {
		return
	}
	cut := blockSize / 2
	if block == len(l.blocks)-1 && place == len(writes)-1 {
		cut = blockSize // ascending keys leave full blocks
	}
	l.blocks[block] = slices.Clip(writes[:cut])
	l.blocks = slices.Insert(l.blocks, block+1, slices.Clone(writes[cut:]))
}

// forget drops the write of a key, as if it had never happened.
func (l *sortedWrites) forget(key []byte) {
	block, place, found := l.find(key)
	if !found {
		return
	}
	if l.blocks[block] = slices.Delete(l.blocks[block], place, place+1); len(l.blocks[block]) == 0 {
		l.blocks = slices.Delete(l.blocks, block, block+1)
	}
}

// within yields the writes at or after from whose keys start with prefix, in key order.
func (l *sortedWrites) within(from, prefix []byte) iter.Seq[pendingWrite] {
	if bytes.Compare(from, prefix) < 0 {
		from = prefix
	}
	return func(yield func(pendingWrite) bool) {
		if len(l.blocks) == 0 {
			return
		}
		block, place, _ := l.find(from)
		for ; block < len(l.blocks); block, place = block+1, 0 {
			for _, w := range l.blocks[block][place:] {
				if !bytes.HasPrefix(w.key, prefix) || !yield(w) {
					return
				}
			}
		}
	}
}

// mergeWrites merges writes into the sorted pairs below: a written key replaces the pair below, a
// deleted key removes it.
func mergeWrites(under iter.Seq2[[]byte, []byte], over iter.Seq[pendingWrite]) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		next, stop := iter.Pull(over)
		defer stop()
		w, more := next()
		for key, value := range under {
			for more && bytes.Compare(w.key, key) < 0 {
				if w.value != nil && !yield(w.key, w.value) {
					return
				}
				w, more = next()
			}
			if more && bytes.Equal(w.key, key) {
				key, value = w.key, w.value
				w, more = next()
			}
			if value != nil && !yield(key, value) {
				return
			}
		}
		for ; more; w, more = next() {
			if w.value != nil && !yield(w.key, w.value) {
				return
			}
		}
	}
}

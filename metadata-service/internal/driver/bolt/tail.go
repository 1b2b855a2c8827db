package bolt

import (
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Limits of the entries that a logTail holds.
const (
	tailEntries = 2048
	tailBytes   = 1 << 20 // of their values
)

// logTail is the end of the committed log: the last sequence, a notification of the next commit,
// and a cache of the last entries. Followers that keep up read each entry shortly after its commit.
// They get the entry that the writer created, which saves decoding it and looking up its URN.
type logTail struct {
	mu        sync.Mutex
	sequence  uint64
	committed chan struct{} // closed and replaced at each commit that adds entries
	entries   []store.Entry // the end of the log without gaps, oldest first
	bytes     int           // total size of the values
	closed    bool
}

func (t *logTail) init(sequence uint64) {
	t.sequence, t.committed = sequence, make(chan struct{})
}

func (t *logTail) last() (uint64, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sequence, t.committed
}

// advance adds the entries of a commit whose last sequence is given.
func (t *logTail) advance(sequence uint64, entries []store.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if sequence == t.sequence {
		return
	}
	t.sequence = sequence
	t.entries = append(t.entries, entries...)
	for i := range entries {
		t.bytes += len(entries[i].Value)
	}
	t.shrink()
	close(t.committed)
	t.committed = make(chan struct{})
}

// shrink drops the oldest entries beyond the limits. It drops half of them at once, so the rest is
// seldom copied. Slices returned earlier stay unchanged.
func (t *logTail) shrink() {
	if len(t.entries) <= tailEntries && t.bytes <= tailBytes {
		return
	}
	from := len(t.entries)
	for kept := 0; from > 0 && len(t.entries)-from < tailEntries/2; from-- {
		if kept += len(t.entries[from-1].Value); kept > tailBytes/2 {
			break
		}
	}
	t.drop(from)
}

// drop removes the first n entries.
func (t *logTail) drop(n int) {
	for i := range t.entries[:n] {
		t.bytes -= len(t.entries[i].Value)
	}
	t.entries = slices.Clone(t.entries[n:])
}

// forget drops the entries up to a sequence, which were trimmed from the log.
func (t *logTail) forget(upTo uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for n < len(t.entries) && t.entries[n].Sequence <= upTo {
		n++
	}
	if n > 0 {
		t.drop(n)
	}
}

// after returns up to limit entries after a sequence, or false when the cache does not hold all of
// them. The entries are shared: callers must not change them.
func (t *logTail) after(sequence uint64, limit int) ([]store.Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || len(t.entries) == 0 || sequence+1 < t.entries[0].Sequence || sequence >= t.sequence {
		return nil, false
	}
	from := int(sequence + 1 - t.entries[0].Sequence)
	to := min(from+limit, len(t.entries))
	return t.entries[from:to:to], true
}

// close sends all readers to the file, which reports that it is closed.
func (t *logTail) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.entries = true, nil
}

package document

import (
	"container/list"
	"hash/maphash"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cacheKey stands for a text and an operation name. The seeds are random, so
// nobody outside can make two requests collide.
type cacheKey struct {
	a, b uint64
	size int
}

// outcome is what compiling a request gave.
type outcome struct {
	doc  *Document
	errs Errors
}

// bytes estimates what an outcome occupies. A parsed document takes some fifty
// bytes for each byte of text, and what callers leave with it up to thirty-five; a
// failure keeps nothing of the text.
func (o outcome) bytes() int64 {
	total := 512
	if o.doc != nil {
		total += 85*len(o.doc.source) + len(o.doc.text)
	}
	for i := range o.errs {
		total += 128 + len(o.errs[i].Message)
	}
	return int64(total)
}

// cache keeps outcomes, least recently used first to go, and has one
// compilation at a time for each key.
type cache struct {
	seeds  [2]maphash.Seed
	flight singleflight.Group

	mu    sync.Mutex
	room  int64
	order *list.List
	index map[cacheKey]*list.Element
}

type cacheEntry struct {
	key     cacheKey
	outcome outcome
}

func newCache(bytes int64) *cache {
	return &cache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		room:  bytes,
		order: list.New(),
		index: map[cacheKey]*list.Element{},
	}
}

func (c *cache) key(text, operation string) cacheKey {
	var sums [2]uint64
	for i, seed := range c.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_, _ = h.WriteString(text)
		_ = h.WriteByte(0)
		_, _ = h.WriteString(operation)
		sums[i] = h.Sum64()
	}
	return cacheKey{a: sums[0], b: sums[1], size: len(text)}
}

// get gives the outcome for a request, from compile when it is not known.
func (c *cache) get(text, operation string, compile func() outcome) outcome {
	key := c.key(text, operation)
	if o, ok := c.lookup(key); ok {
		return o
	}
	name := string(appendKey(nil, key))
	shared, _, _ := c.flight.Do(name, func() (any, error) {
		if o, ok := c.lookup(key); ok {
			return o, nil
		}
		o := compile()
		c.store(key, o)
		return o, nil
	})
	return shared.(outcome)
}

func appendKey(to []byte, k cacheKey) []byte {
	for _, n := range []uint64{k.a, k.b, uint64(k.size)} {
		for range 8 {
			to = append(to, byte(n))
			n >>= 8
		}
	}
	return to
}

func (c *cache) lookup(key cacheKey) (outcome, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.index[key]
	if !ok {
		return outcome{}, false
	}
	c.order.MoveToBack(e)
	return e.Value.(cacheEntry).outcome, true
}

func (c *cache) store(key cacheKey, o outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.bytes() > c.room && c.order.Len() == 0 {
		return
	}
	c.index[key] = c.order.PushBack(cacheEntry{key, o})
	c.room -= o.bytes()
	for c.room < 0 {
		oldest := c.order.Front()
		c.order.Remove(oldest)
		gone := oldest.Value.(cacheEntry)
		delete(c.index, gone.key)
		c.room += gone.outcome.bytes()
	}
}

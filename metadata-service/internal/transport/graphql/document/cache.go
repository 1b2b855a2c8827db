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
// bytes for each byte of text; a failure keeps nothing of the text.
func (o outcome) bytes() int64 {
	total := 512
	if o.doc != nil {
		total += 50*len(o.doc.source) + len(o.doc.text)
		if kept := o.doc.Kept(); kept != nil {
			total += kept.Bytes()
		}
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

	size int64 // of all, in bytes

	mu    sync.Mutex
	taken int64
	order *list.List
	index map[cacheKey]*list.Element
}

type cacheEntry struct {
	key     cacheKey
	outcome outcome
	weight  int64
}

func newCache(bytes int64) *cache {
	return &cache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		size:  bytes,
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
		if o.doc != nil {
			o.doc.key = key
		}
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
	return e.Value.(*cacheEntry).outcome, true
}

// reckon takes note of how an outcome has grown since it was stored.
func (c *cache) reckon(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.index[key]; ok {
		c.weigh(e)
	}
}

func (c *cache) store(key cacheKey, o outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.order.PushBack(&cacheEntry{key: key, outcome: o})
	c.index[key] = e
	c.weigh(e)
}

// weigh takes note of what an entry occupies, and makes room. One that would leave
// no room for others goes itself.
func (c *cache) weigh(e *list.Element) {
	entry := e.Value.(*cacheEntry)
	c.taken -= entry.weight
	entry.weight = entry.outcome.bytes()
	c.taken += entry.weight
	if entry.weight > c.size {
		c.drop(e)
	}
	for c.taken > c.size {
		c.drop(c.order.Front())
	}
}

func (c *cache) drop(e *list.Element) {
	gone := c.order.Remove(e).(*cacheEntry)
	delete(c.index, gone.key)
	c.taken -= gone.weight
}

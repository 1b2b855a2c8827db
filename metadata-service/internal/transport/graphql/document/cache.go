package document

import (
	"container/list"
	"hash/maphash"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cacheKey identifies a text and an operation name by two hashes and the length of the text. The
// hash seeds are random, so no client can construct two requests that collide.
type cacheKey struct {
	a, b uint64
	size int
}

// compilation is the result of compiling a request: a document or errors.
type compilation struct {
	doc  *Document
	errs Errors
}

// bytes estimates the memory of a compilation. A parsed document takes about fifty bytes for each
// byte of text; a failure does not hold the text.
func (o compilation) bytes() int64 {
	total := 512
	if o.doc != nil {
		total += 50*len(o.doc.source) + len(o.doc.text)
		if kept := o.doc.Attachment(); kept != nil {
			total += kept.Bytes()
		}
	}
	for i := range o.errs {
		total += 128 + len(o.errs[i].Message)
	}
	return int64(total)
}

// cache is an LRU cache of compilations, bounded by bytes. For each key at most one compilation
// runs at a time. It is safe for concurrent use.
type cache struct {
	seeds  [2]maphash.Seed
	flight singleflight.Group

	limit int64 // of all entries, in bytes

	mu    sync.Mutex
	used  int64
	order *list.List
	index map[cacheKey]*list.Element
}

type cacheEntry struct {
	key         cacheKey
	compilation compilation
	size        int64
}

func newCache(bytes int64) *cache {
	return &cache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		limit: bytes,
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

// get returns the cached compilation of a request, or the result of compile, which it caches.
// Concurrent calls for the same request share one call of compile.
func (c *cache) get(text, operation string, compile func() compilation) compilation {
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
	return shared.(compilation)
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

func (c *cache) lookup(key cacheKey) (compilation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.index[key]
	if !ok {
		return compilation{}, false
	}
	c.order.MoveToBack(e)
	return e.Value.(*cacheEntry).compilation, true
}

// updateSize updates the recorded size of a compilation that has grown since it was stored.
func (c *cache) updateSize(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.index[key]; ok {
		c.resize(e)
	}
}

func (c *cache) store(key cacheKey, o compilation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.order.PushBack(&cacheEntry{key: key, compilation: o})
	c.index[key] = e
	c.resize(e)
}

// resize records the size of an entry and evicts the least recently used entries until the cache
// is within its limit. An entry larger than the whole limit is evicted itself.
func (c *cache) resize(e *list.Element) {
	entry := e.Value.(*cacheEntry)
	c.used -= entry.size
	entry.size = entry.compilation.bytes()
	c.used += entry.size
	if entry.size > c.limit {
		c.drop(e)
	}
	for c.used > c.limit {
		c.drop(c.order.Front())
	}
}

func (c *cache) drop(e *list.Element) {
	removed := c.order.Remove(e).(*cacheEntry)
	delete(c.index, removed.key)
	c.used -= removed.size
}

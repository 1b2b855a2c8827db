// Package cache holds values until they are invalidated.
//
// A reader may have loaded a value just before the stored value changes. Putting the loaded value
// into the cache afterwards would, for example, make a revoked token valid again. A reader
// therefore takes a Mark before it loads the value and passes it to Put, and Put drops the value if
// any invalidation happened in between.
package cache

import "sync"

// Cache maps keys to values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	limit int

	mu      sync.RWMutex
	entries map[K]V
	mark    Mark
}

// Mark is a point in the sequence of invalidations of a cache.
type Mark uint64

// New returns a cache of at most limit values.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, entries: map[K]V{}}
}

// Get returns the cached value of a key.
func (c *Cache[K, V]) Get(key K) (answer V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	answer, ok = c.entries[key]
	return answer, ok
}

// Mark returns the current mark. Call it before loading a value for Put.
func (c *Cache[K, V]) Mark() Mark {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mark
}

// Put caches a value, unless an invalidation happened since the mark. A full cache evicts an
// arbitrary value, which its next reader loads again.
func (c *Cache[K, V]) Put(since Mark, key K, answer V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mark != since {
		return
	}
	if _, there := c.entries[key]; !there && len(c.entries) >= c.limit {
		for victim := range c.entries {
			delete(c.entries, victim)
			break
		}
	}
	c.entries[key] = answer
}

// Forget removes the value of a key. After it returns, no reader gets the value from the cache.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	delete(c.entries, key)
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	clear(c.entries)
}

// Len returns the number of cached values.
func (c *Cache[K, V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.entries)
}

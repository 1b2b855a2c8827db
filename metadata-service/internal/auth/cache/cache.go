// Package cache keeps answers until they are invalidated.
//
// The difficulty is the reader that has just loaded an answer
// when the truth changes: storing it would bring a revoked token back.
// So a reader takes a Mark before it loads and hands it to Put, and Put drops
// the answer when anything was forgotten in between.
package cache

import "sync"

// Cache maps keys to answers. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	limit int

	mu      sync.RWMutex
	entries map[K]V
	mark    Mark
}

// Mark is a moment of a cache.
type Mark uint64

// New makes a cache of at most limit answers.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, entries: map[K]V{}}
}

// Get gives the answer that is remembered.
func (c *Cache[K, V]) Get(key K) (answer V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	answer, ok = c.entries[key]
	return answer, ok
}

// Mark is to be called before loading what Put will remember.
func (c *Cache[K, V]) Mark() Mark {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mark
}

// Put remembers an answer, unless something was forgotten since the mark. A
// full cache gives up an arbitrary answer, which costs its next reader a load.
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

// Forget drops the answer for a key. When it returns no reader sees it again.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	delete(c.entries, key)
}

// Clear drops all answers.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	clear(c.entries)
}

// Len is how many answers are remembered.
func (c *Cache[K, V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.entries)
}

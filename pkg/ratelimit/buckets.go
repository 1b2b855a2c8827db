package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is how much a token bucket allows: tokens come steadily, and as many as Burst
// are kept.
type Rate struct {
	PerMinute, Burst int
}

// Buckets are token buckets by key. They are safe for concurrent use.
type Buckets struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex
	buckets *table[*rate.Limiter]
	refused uint64
}

// NewBuckets makes Buckets that remember so many keys; 0 means the usual number.
func NewBuckets(r Rate, size int, now func() time.Time) *Buckets {
	return &Buckets{rate: r, now: now, buckets: newTable[*rate.Limiter](size)}
}

// Take takes a token. When there is none it tells how long it takes until there is
// one, and takes nothing.
func (b *Buckets) Take(key string) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limiter, known := b.buckets.get(key)
	if !known {
		*limiter = rate.NewLimiter(rate.Limit(float64(b.rate.PerMinute)/60), b.rate.Burst)
	}
	now := b.now()
	reserved := (*limiter).ReserveN(now, 1)
	if wait = reserved.DelayFrom(now); wait <= 0 {
		return 0
	}
	reserved.CancelAt(now)
	b.refused++
	return wait
}

// Len is how many keys are remembered.
func (b *Buckets) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.buckets.entries)
}

// Refused counts the times that there was no token.
func (b *Buckets) Refused() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

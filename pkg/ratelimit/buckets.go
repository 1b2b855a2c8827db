package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate configures a token bucket: tokens are added at a steady rate, up to Burst.
type Rate struct {
	PerMinute, Burst int
}

// Buckets holds token buckets by key. It is safe for concurrent use.
type Buckets struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex
	buckets *table[*rate.Limiter]
	refused uint64
}

// NewBuckets creates Buckets for at most size keys; 0 means the default number.
func NewBuckets(r Rate, size int, now func() time.Time) *Buckets {
	return &Buckets{rate: r, now: now, buckets: newTable[*rate.Limiter](size)}
}

// Take takes a token and returns zero. If there is none, it takes nothing and returns the time
// until there is one.
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

// Len returns the number of keys in memory.
func (b *Buckets) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.buckets.entries)
}

// Refused returns the number of calls of Take without a token.
func (b *Buckets) Refused() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

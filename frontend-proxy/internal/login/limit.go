package login

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

// Limits say how often one may try.
type Limits struct {
	PerMinute int // attempts of one client address, refilled steadily
	Burst     int // attempts it may make at once
}

const (
	freeFailures  = 5
	firstDelay    = 5 * time.Second
	longestDelay  = 15 * time.Minute
	forgetAccount = time.Hour
	remembered    = 10_000
)

// limiter counts attempts by address and failures by account. Both tables are
// bounded: the entry that was used longest ago makes room.
type limiter struct {
	limits Limits
	now    func() time.Time

	mu        sync.Mutex
	addresses *table[bucket]
	accounts  *table[failures]
}

type bucket struct {
	tokens float64
	at     time.Time
}

type failures struct {
	count int
	at    time.Time
	until time.Time // no attempt before
}

func newLimiter(limits Limits, now func() time.Time) *limiter {
	return &limiter{limits: limits, now: now, addresses: newTable[bucket](remembered), accounts: newTable[failures](remembered)}
}

// address takes one attempt of a client; wait is how long to stay away when it has none left.
func (l *limiter) address(client string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	perSecond := float64(l.limits.PerMinute) / 60
	b, known := l.addresses.get(network(client))
	if !known {
		*b = bucket{tokens: float64(l.limits.Burst), at: now}
	}
	b.tokens = min(float64(l.limits.Burst), b.tokens+now.Sub(b.at).Seconds()*perSecond)
	b.at = now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / perSecond * float64(time.Second))
	}
	b.tokens--
	return 0
}

// begin books an attempt on an account as failed, so that attempts made side by
// side count at once; succeeded and undo take it back.
func (l *limiter) begin(account string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	f, known := l.accounts.get(account)
	if known && now.Sub(f.at) > forgetAccount {
		*f = failures{}
	}
	if wait := f.until.Sub(now); wait > 0 {
		return wait
	}
	f.count++
	f.at = now
	if f.count >= freeFailures {
		f.until = now.Add(delay(f.count - freeFailures))
	}
	return 0
}

func delay(step int) time.Duration {
	d := firstDelay
	for range step {
		if d *= 2; d >= longestDelay {
			return longestDelay
		}
	}
	return d
}

func (l *limiter) succeeded(account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accounts.remove(account)
}

// refund is for attempts that were not judged, because the service was away.
func (l *limiter) refund(account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, known := l.accounts.get(account); known && f.count > 0 {
		f.count--
		f.until = time.Time{}
	}
}

// network is what counts as one client: a home has one IPv4 address, and a
// whole /64 of IPv6.
func network(client string) string {
	addr, err := netip.ParseAddr(client)
	if err != nil || addr.Unmap().Is4() {
		return client
	}
	prefix, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return client
	}
	return prefix.String()
}

// table is a map that forgets its least recently used key beyond a size.
type table[V any] struct {
	size    int
	order   *list.List // of *row[V], the last used in front
	entries map[string]*list.Element
}

type row[V any] struct {
	key   string
	value V
}

func newTable[V any](size int) *table[V] {
	return &table[V]{size: size, order: list.New(), entries: make(map[string]*list.Element)}
}

// get returns the value of key, made zero when it was not known. The pointer
// holds until the next call.
func (t *table[V]) get(key string) (value *V, known bool) {
	if e, ok := t.entries[key]; ok {
		t.order.MoveToFront(e)
		return &e.Value.(*row[V]).value, true
	}
	if len(t.entries) >= t.size {
		t.remove(t.order.Back().Value.(*row[V]).key)
	}
	r := &row[V]{key: key}
	t.entries[key] = t.order.PushFront(r)
	return &r.value, false
}

func (t *table[V]) remove(key string) {
	if e, ok := t.entries[key]; ok {
		t.order.Remove(e)
		delete(t.entries, key)
	}
}

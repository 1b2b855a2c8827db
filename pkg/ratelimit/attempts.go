package ratelimit

import (
	"sync"
	"time"
)

// Delays say how guesses are slowed down: Free failures cost nothing, the next is
// followed by First, and each further one by twice as much, up to Longest. Failures
// are forgotten after Forget without another.
type Delays struct {
	Free           int
	First, Longest time.Duration
	Forget         time.Duration
}

// trustFor is how long a success counts as one.
const trustFor = 30 * 24 * time.Hour

// Attempts counts failures by key. It is safe for concurrent use.
type Attempts struct {
	delays Delays
	now    func() time.Time

	mu       sync.Mutex
	failures *table[failures]
	trusted  *table[time.Time] // by key, when it succeeded last
	refused  uint64
}

type failures struct {
	count int
	at    time.Time
	until time.Time // no attempt before
}

// NewAttempts makes Attempts that remember so many keys; 0 means the usual number.
func NewAttempts(d Delays, size int, now func() time.Time) *Attempts {
	return &Attempts{delays: d, now: now, failures: newTable[failures](size), trusted: newTable[time.Time](size)}
}

// Wait is how long there may be no attempt, zero when there may be one now.
func (a *Attempts) Wait(key string) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.wait(key)
}

func (a *Attempts) wait(key string) time.Duration {
	f := a.current(key)
	if f == nil {
		return 0
	}
	wait := max(0, f.until.Sub(a.now()))
	if wait > 0 {
		a.refused++
	}
	return wait
}

// current gives the failures of a key that are not forgotten. The mutex is held.
func (a *Attempts) current(key string) *failures {
	f := a.failures.find(key)
	if f != nil && a.now().Sub(f.at) > a.delays.Forget {
		a.failures.remove(key)
		return nil
	}
	return f
}

// Failed counts a failure.
func (a *Attempts) Failed(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fail(key)
}

func (a *Attempts) fail(key string) {
	f := a.current(key)
	if f == nil {
		f, _ = a.failures.get(key)
	}
	now := a.now()
	f.count++
	f.at = now
	if f.count >= a.delays.Free {
		f.until = now.Add(a.delays.after(f.count - a.delays.Free))
	}
}

func (d Delays) after(step int) time.Duration {
	wait := d.First
	for range step {
		if wait *= 2; wait >= d.Longest {
			return d.Longest
		}
	}
	return min(wait, d.Longest)
}

// Begin counts an attempt as a failure before it is judged, or tells how long to wait
// for it and counts nothing. So attempts that come at once cannot all pass while none
// is judged. Succeeded or Refund takes the failure back.
func (a *Attempts) Begin(key string) (wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if wait = a.wait(key); wait == 0 {
		a.fail(key)
	}
	return wait
}

// Succeeded forgets the failures of a key and trusts it.
func (a *Attempts) Succeeded(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures.remove(key)
	a.trustNow(key)
}

// trust is Succeeded for a key whose failures stay.
func (a *Attempts) trust(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trustNow(key)
}

func (a *Attempts) trustNow(key string) {
	at, _ := a.trusted.get(key)
	*at = a.now()
}

// Trusts tells whether a key has succeeded within a month, as far as that is remembered.
func (a *Attempts) Trusts(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.trusted.find(key)
	return at != nil && a.now().Sub(*at) < trustFor
}

// Refund takes back a failure that was none: the attempt was not judged.
func (a *Attempts) Refund(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f := a.failures.find(key); f != nil && f.count > 0 {
		f.count--
		f.until = time.Time{}
	}
}

// Len is how many keys with failures are remembered.
func (a *Attempts) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.failures.entries)
}

// Refused counts the times that somebody had to wait.
func (a *Attempts) Refused() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused
}

// Guard slows down guesses of the secret of a name. Failures of one client at one name
// are followed by long delays. Those of all clients at a name are followed by short
// ones, so that many clients together do not guess faster. A client that has signed in
// before does not wait for the failures of others at all. It is safe for concurrent use.
type Guard struct {
	clients *Attempts // by client and name
	names   *Attempts
}

// Client is who tries to sign in.
type Client struct {
	// Address is the network address, of which the failures of clients without a
	// Device are counted.
	Address string
	// Device identifies a browser in which the name that is tried has signed in before,
	// as the caller has made sure of; empty where there is none. Its failures are its
	// own, so that nobody at the same address keeps it away.
	Device string
}

// NewGuard makes a Guard.
func NewGuard(client, name Delays, size int, now func() time.Time) *Guard {
	return &Guard{clients: NewAttempts(client, size, now), names: NewAttempts(name, size, now)}
}

// Begin counts an attempt of a client at a name, or tells how long to wait for it.
// Succeeded or Refund takes back the failure that was counted.
func (g *Guard) Begin(client Client, name string) (wait time.Duration) {
	key, trusted := g.place(client, name)
	if !trusted {
		if wait = g.names.Begin(name); wait > 0 {
			return wait
		}
	}
	if wait = g.clients.Begin(key); wait > 0 && !trusted {
		g.names.Refund(name)
	}
	return wait
}

// Succeeded trusts the client and forgets its failures. Those of others stay, also
// those of the address of a device.
func (g *Guard) Succeeded(client Client, name string) {
	key, trusted := g.place(client, name)
	if !trusted {
		g.names.Refund(name)
	}
	g.clients.Succeeded(key)
	if client.Device != "" {
		g.clients.trust(pair(client.Address, name))
	}
}

// Refund takes back an attempt that was not judged.
func (g *Guard) Refund(client Client, name string) {
	key, trusted := g.place(client, name)
	if !trusted {
		g.names.Refund(name)
	}
	g.clients.Refund(key)
}

// Refused counts the times that somebody had to wait.
func (g *Guard) Refused() uint64 { return g.clients.Refused() + g.names.Refused() }

// place is where the failures of a client at a name are counted, and whether those of
// others do not concern it.
func (g *Guard) place(client Client, name string) (key string, trusted bool) {
	if client.Device != "" {
		return "device " + client.Device + " " + name, true
	}
	key = pair(client.Address, name)
	return key, g.clients.Trusts(key)
}

func pair(address, name string) string { return Network(address) + " " + name }

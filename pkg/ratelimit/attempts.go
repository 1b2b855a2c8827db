package ratelimit

import (
	"sync"
	"time"
)

// Delays configures the delays after failed guesses: the first Free failures cause no delay, the
// next one causes a delay of First, and each further one doubles it, up to Longest. Failures are
// forgotten after the time Forget without another one.
type Delays struct {
	Free           int
	First, Longest time.Duration
	Forget         time.Duration
}

// trustFor is how long a success makes a key trusted.
const trustFor = 30 * 24 * time.Hour

// Attempts counts failures by key. It is safe for concurrent use.
type Attempts struct {
	delays Delays
	now    func() time.Time

	mu       sync.Mutex
	failures *table[failures]
	trusted  *table[time.Time] // time of the last success, by key
	refused  uint64
}

type failures struct {
	count int
	at    time.Time
	until time.Time // no attempt is allowed before
}

// NewAttempts creates Attempts for at most size keys; 0 means the default number.
func NewAttempts(d Delays, size int, now func() time.Time) *Attempts {
	return &Attempts{delays: d, now: now, failures: newTable[failures](size), trusted: newTable[time.Time](size)}
}

// Wait returns the time until the next attempt is allowed, zero if it is allowed now.
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

// current returns the unexpired failures of a key, or nil. The caller holds the mutex.
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

// Begin counts an attempt as a failure before its result is known. If the key has to wait, Begin
// returns the time and counts nothing. Concurrent attempts therefore cannot all pass before the
// first result is known. Succeeded or Refund removes the failure.
func (a *Attempts) Begin(key string) (wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if wait = a.wait(key); wait == 0 {
		a.fail(key)
	}
	return wait
}

// Succeeded removes the failures of a key and trusts the key.
func (a *Attempts) Succeeded(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures.remove(key)
	a.trustNow(key)
}

// trust makes a key trusted without removing its failures.
func (a *Attempts) trust(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trustNow(key)
}

func (a *Attempts) trustNow(key string) {
	at, _ := a.trusted.get(key)
	*at = a.now()
}

// Trusts reports whether a key has succeeded within 30 days, if it is still in memory.
func (a *Attempts) Trusts(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.trusted.find(key)
	return at != nil && a.now().Sub(*at) < trustFor
}

// Refund removes a failure that Begin counted for an attempt without a result.
func (a *Attempts) Refund(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f := a.failures.find(key); f != nil && f.count > 0 {
		f.count--
		f.until = time.Time{}
	}
}

// Len returns the number of keys with failures in memory.
func (a *Attempts) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.failures.entries)
}

// Refused returns the number of attempts that had to wait.
func (a *Attempts) Refused() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused
}

// Guard slows down guesses of the secret of a name. Failures of one client at one name cause long
// delays. Failures of all clients at a name cause short delays, so that many clients together
// cannot guess faster. A client that has signed in before never waits because of failures of
// others. It is safe for concurrent use.
type Guard struct {
	clients *Attempts // by client and name
	names   *Attempts
}

// Client identifies the origin of a sign-in attempt.
type Client struct {
	// Address is the network address. It is the key of the failures of clients without a Device.
	Address string
	// Device identifies a browser in which the attempted name has signed in before; the caller must
	// have verified that. It is empty for other browsers. A device has its own failures, so other
	// clients at the same address cannot lock it out.
	Device string
}

// NewGuard creates a Guard for at most size keys of each kind.
func NewGuard(client, name Delays, size int, now func() time.Time) *Guard {
	return &Guard{clients: NewAttempts(client, size, now), names: NewAttempts(name, size, now)}
}

// Begin counts an attempt of a client at a name, or returns the time to wait. Succeeded or Refund
// removes the counted failure.
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

// Succeeded trusts the client and removes its failures. Failures of others stay, including those of
// the address of a device.
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

// Refund removes a failure that Begin counted for an attempt without a result.
func (g *Guard) Refund(client Client, name string) {
	key, trusted := g.place(client, name)
	if !trusted {
		g.names.Refund(name)
	}
	g.clients.Refund(key)
}

// Refused returns the number of attempts that had to wait.
func (g *Guard) Refused() uint64 { return g.clients.Refused() + g.names.Refused() }

// place returns the key for the failures of a client at a name, and reports whether failures of
// other clients do not apply to it.
func (g *Guard) place(client Client, name string) (key string, trusted bool) {
	if client.Device != "" {
		return "device " + client.Device + " " + name, true
	}
	key = pair(client.Address, name)
	return key, g.clients.Trusts(key)
}

func pair(address, name string) string { return Network(address) + " " + name }

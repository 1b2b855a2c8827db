// Package outage remembers since when the metadata service cannot be reached.
//
// The rooms that call the service report here how it went, and get an error for
// their answer that tells since when calls fail and when to try again: at once
// at first, later the longer it lasts, so that waiting clients do not all come
// in the moment of a restart.
package outage

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	shortestWait = time.Second
	longestWait  = 30 * time.Second
)

// Watch holds the state of one service. It is safe for concurrent use.
type Watch struct {
	now func() time.Time

	missed, late atomic.Uint64

	mu    sync.RWMutex
	since time.Time // of the first call that failed; zero while calls succeed
}

// NewWatch makes a watch of a service nobody has called yet.
func NewWatch(now func() time.Time) *Watch { return &Watch{now: now} }

// Reached reports that the service answered, whatever it said.
func (w *Watch) Reached() {
	w.mu.RLock()
	well := w.since.IsZero()
	w.mu.RUnlock()
	if well {
		return
	}
	w.mu.Lock()
	w.since = time.Time{}
	w.mu.Unlock()
}

// Missed reports that a call did not reach the service, and why. Calls that the
// client broke off are not reported, and those that the service was too slow for are Late.
func (w *Watch) Missed(cause error) *Error {
	w.missed.Add(1)
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since.IsZero() {
		w.since = now
	}
	return &Error{Since: w.since, wait: min(max(now.Sub(w.since), shortestWait), longestWait), cause: cause}
}

// Late reports that the service was too slow for a call.
func (w *Watch) Late() { w.late.Add(1) }

// MissedCalls counts the calls that did not reach the service.
func (w *Watch) MissedCalls() uint64 { return w.missed.Load() }

// LateCalls counts the calls that the service was too slow for.
func (w *Watch) LateCalls() uint64 { return w.late.Load() }

// Away tells whether the last call that was reported did not reach the service.
func (w *Watch) Away() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return !w.since.IsZero()
}

// Error is a call that did not reach the service.
type Error struct {
	// Since is when the first call failed after which none succeeded.
	Since time.Time

	wait  time.Duration
	cause error
}

func (e *Error) Error() string { return fmt.Sprintf("not reached %s: %v", e.Duration(), e.cause) }

func (e *Error) Unwrap() error { return e.cause }

// RetryAfter is when to try again.
func (e *Error) RetryAfter() time.Duration { return e.wait }

// Duration says since when, for people.
func (e *Error) Duration() string { return "since " + e.Since.UTC().Format(time.RFC3339) }

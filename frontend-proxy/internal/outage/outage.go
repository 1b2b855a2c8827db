// Package outage records since when the metadata service has been unreachable.
//
// The packages that call the service report the results here. For a failure they get an error for
// their response with the start of the outage and the time to wait before a retry: short at first
// and longer the longer the outage lasts, so that waiting clients do not all return at the moment
// of a restart.
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
	since time.Time // first failed call; zero while calls succeed
}

// NewWatch creates the watch of a service that has not been called yet.
func NewWatch(now func() time.Time) *Watch { return &Watch{now: now} }

// Reached records that the service responded, with any status.
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

// Missed records that a call did not reach the service, and the cause. Do not report calls that the
// client cancelled; report calls that timed out with Late.
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

// Late records that a call timed out.
func (w *Watch) Late() { w.late.Add(1) }

// MissedCalls returns the number of calls that did not reach the service.
func (w *Watch) MissedCalls() uint64 { return w.missed.Load() }

// LateCalls returns the number of calls that timed out.
func (w *Watch) LateCalls() uint64 { return w.late.Load() }

// Away reports whether the last reported call did not reach the service.
func (w *Watch) Away() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return !w.since.IsZero()
}

// Error is the error of a call that did not reach the service.
type Error struct {
	// Since is the time of the first failure after the last success.
	Since time.Time

	wait  time.Duration
	cause error
}

func (e *Error) Error() string { return fmt.Sprintf("not reached %s: %v", e.Duration(), e.cause) }

func (e *Error) Unwrap() error { return e.cause }

// RetryAfter returns the time to wait before a retry.
func (e *Error) RetryAfter() time.Duration { return e.wait }

// Duration returns the start of the outage as a text for people.
func (e *Error) Duration() string { return "since " + e.Since.UTC().Format(time.RFC3339) }

package disk

import (
	"sync"
	"time"
)

// Condition records the result of the last write to a storage, so that health and metrics can
// report failures that single callers have seen. The zero value is a working storage. It is safe
// for concurrent use.
type Condition struct {
	mu    sync.Mutex
	state State
}

// State is the state of a storage.
type State struct {
	Err      error     // of the last write, nil if it succeeded
	Since    time.Time // first failure of the current series; zero if the last write succeeded
	Failures uint64    // failed writes since the process began
	Damage   error     // the first damage found, kept until the process ends; nil without damage
}

// Or returns the state, or the failure of other if this state has none.
func (s State) Or(other State) State {
	if s.Err == nil && other.Err != nil {
		s.Err, s.Since, s.Failures = other.Err, other.Since, max(s.Failures, other.Failures)
	}
	return s
}

// Note records the result of a write that reached the storage. Do not note requests that never
// reached it, such as invalid ones.
func (c *Condition) Note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.state.Err, c.state.Since = nil, time.Time{}
		return
	}
	if c.state.Err == nil {
		c.state.Since = time.Now()
	}
	c.state.Err = err
	c.state.Failures++
}

// Damaged records that a file does not contain the data that was written to it. It keeps only the
// first damage.
func (c *Condition) Damaged(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Damage == nil {
		c.state.Damage = err
	}
}

// State returns the current state.
func (c *Condition) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

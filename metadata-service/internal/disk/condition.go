package disk

import (
	"sync"
	"time"
)

// Condition remembers how the last write to a storage went, so that health and
// metrics can tell of failures that single callers have seen. The zero value is
// a storage that works. It is safe for concurrent use.
type Condition struct {
	mu    sync.Mutex
	state State
}

// State is how a storage is.
type State struct {
	Err      error     // of the last write, nil when it went well
	Since    time.Time // of the first failure of an unbroken row; zero while there is none
	Failures uint64    // writes that failed since the process began
	Damage   error     // the first damage met, which stays until the process ends; nil without any
}

// Or is the state, with the failure of another one while this one has none.
func (s State) Or(other State) State {
	if s.Err == nil && other.Err != nil {
		s.Err, s.Since, s.Failures = other.Err, other.Since, max(s.Failures, other.Failures)
	}
	return s
}

// Note takes down the outcome of a write that reached the storage. What the
// storage was never asked for, an invalid request say, is not to be noted.
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

// Damaged takes down that a file does not hold what was written to it.
func (c *Condition) Damaged(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Damage == nil {
		c.state.Damage = err
	}
}

// State tells how the last write went.
func (c *Condition) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

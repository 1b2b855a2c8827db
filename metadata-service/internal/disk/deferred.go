package disk

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Storage is what a Deferred opens.
type Storage interface {
	// Condition tells how the last write went.
	Condition() State
	Close() error
}

// Deferred opens a storage at its first use, and tries again at each use while that
// fails, as on a full disk. So a service starts without it. It is safe for concurrent use.
type Deferred[T Storage] struct {
	name      string
	open      func() (T, error)
	condition Condition // of opening

	mu     sync.Mutex
	opened T
	is     bool // opened
	shut   bool
}

// NewDeferred makes a Deferred of a storage that is not open yet. The name says for
// people what the storage holds, as in "the store of tasks".
func NewDeferred[T Storage](name string, open func() (T, error)) *Deferred[T] {
	return &Deferred[T]{name: name, open: open}
}

// Use gives the storage, which is opened if need be. The error is that of opening it, and
// fault.Unavailable after Close.
func (d *Deferred[T]) Use() (T, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var none T
	switch {
	case d.shut:
		return none, fault.New(fault.Unavailable, "%s is closed", d.name)
	case d.is:
		return d.opened, nil
	}
	opened, err := d.open()
	d.condition.Note(err)
	if err != nil {
		return none, err
	}
	d.opened, d.is = opened, true
	return opened, nil
}

// Condition is that of the storage, and until it is open how the last attempt to open it went.
func (d *Deferred[T]) Condition() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.is {
		return d.condition.State()
	}
	return d.opened.Condition()
}

// Close closes the storage, if it is open, and lets nobody open it. Closing twice is fine
// where it is with the storage.
func (d *Deferred[T]) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
	if !d.is {
		return nil
	}
	return d.opened.Close()
}

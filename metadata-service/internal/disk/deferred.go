package disk

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Storage is the type of storage that a Deferred opens.
type Storage interface {
	// Condition reports the result of the last write.
	Condition() State
	Close() error
}

// Deferred opens a storage at its first use, and retries at each use while opening fails, for
// example on a full disk. A service can therefore start without it. It is safe for concurrent use.
type Deferred[T Storage] struct {
	name      string
	open      func() (T, error)
	condition Condition // of opening

	mu     sync.Mutex
	opened T
	isOpen bool // opened
	shut   bool
}

// NewDeferred creates a Deferred for a storage that is not open yet. The name describes the storage
// in messages, as in "the store of tasks".
func NewDeferred[T Storage](name string, open func() (T, error)) *Deferred[T] {
	return &Deferred[T]{name: name, open: open}
}

// Use returns the storage, and opens it if needed. It returns the error of opening, and an error of
// kind fault.Unavailable after Close.
func (d *Deferred[T]) Use() (T, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var none T
	switch {
	case d.shut:
		return none, fault.New(fault.Unavailable, "%s is closed", d.name)
	case d.isOpen:
		return d.opened, nil
	}
	opened, err := d.open()
	d.condition.Note(err)
	if err != nil {
		return none, err
	}
	d.opened, d.isOpen = opened, true
	return opened, nil
}

// Condition returns the state of the storage; until it is open, the result of the last attempt to
// open it.
func (d *Deferred[T]) Condition() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isOpen {
		return d.condition.State()
	}
	return d.opened.Condition()
}

// Close closes the storage if it is open, and prevents later opening. It may be called more than
// once if the storage allows that.
func (d *Deferred[T]) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
	if !d.isOpen {
		return nil
	}
	return d.opened.Close()
}

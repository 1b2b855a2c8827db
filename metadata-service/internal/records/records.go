// Package records is the port of an ordered key-value store for small operational
// state that is no metadata: webhooks with their positions, and writes that failed.
package records

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Tx is one transaction. Buckets are made when something is put into them. What Get and
// Scan give must not be changed, and not be kept after the transaction.
type Tx interface {
	// Get gives the value of a key, nil when there is none.
	Get(bucket, key string) []byte
	// Put stores a value under a key, which must not be empty.
	Put(bucket, key string, value []byte) error
	// Delete removes a key; one that is not there is no error.
	Delete(bucket, key string) error
	// Scan visits the keys that begin with a prefix in the order of their bytes, until visit
	// returns false. The bucket must not be changed meanwhile.
	Scan(bucket, prefix string, visit func(key string, value []byte) bool)
}

// Store keeps records. It is safe for concurrent use; what Update has stored is durable
// when it returns. After Close every call fails with fault.Unavailable.
type Store interface {
	View(ctx context.Context, fn func(Tx) error) error
	// Update stores all that fn puts, or nothing if fn fails.
	Update(ctx context.Context, fn func(Tx) error) error
	Close() error
}

// Deferred is a Store that is opened at its first use, and tried again at each use while
// that fails, as on a full disk.
func Deferred(open func() (Store, error)) Store { return &deferred{open: open} }

type deferred struct {
	open func() (Store, error)

	mu     sync.Mutex
	opened Store
	shut   bool
}

func (d *deferred) store() (Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return nil, fault.New(fault.Unavailable, "the store of records is closed")
	}
	if d.opened != nil {
		return d.opened, nil
	}
	opened, err := d.open()
	if err != nil {
		return nil, err
	}
	d.opened = opened
	return opened, nil
}

// View implements Store.
func (d *deferred) View(ctx context.Context, fn func(Tx) error) error {
	s, err := d.store()
	if err != nil {
		return err
	}
	return s.View(ctx, fn)
}

// Update implements Store.
func (d *deferred) Update(ctx context.Context, fn func(Tx) error) error {
	s, err := d.store()
	if err != nil {
		return err
	}
	return s.Update(ctx, fn)
}

// Close implements Store.
func (d *deferred) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}

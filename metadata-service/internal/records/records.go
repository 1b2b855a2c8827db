// Package records is the port of an ordered key-value store for small operational state that is not
// metadata: webhooks with their positions, and failed writes.
package records

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// MaxKey is the maximum length in bytes of a bucket name and of a key.
const MaxKey = 4 << 10

// ErrReadOnly is the error of Put and Delete in a View.
var ErrReadOnly = errors.New("records cannot be changed in a View")

// Tx is one transaction. Put creates missing buckets. Callers must not change the results of Get
// and Scan, and must not use them after the transaction.
type Tx interface {
	// Get returns the value of a key, or nil if there is none. An empty value is not nil.
	Get(bucket, key string) []byte
	// Put stores a value under a key; bucket and key must pass CheckKey. The transaction keeps the
	// slice: callers must not change it before the transaction ends.
	Put(bucket, key string, value []byte) error
	// Delete removes a key. An absent key is not an error.
	Delete(bucket, key string) error
	// Scan calls visit for the keys with a prefix in byte order, until visit returns false. The
	// bucket must not be changed meanwhile.
	Scan(bucket, prefix string, visit func(key string, value []byte) bool)
}

// CheckKey is the check that every driver runs in Put. It returns an error of kind fault.Invalid
// for a bucket or key that is empty or too long.
func CheckKey(bucket, key string) error {
	for _, part := range []struct{ name, text string }{{"bucket", bucket}, {"key", key}} {
		if part.text == "" || len(part.text) > MaxKey {
			return fault.New(fault.Invalid, "%s of a record: must have 1 to %d bytes, has %d", part.name, MaxKey, len(part.text))
		}
	}
	return nil
}

// Store keeps records. It is safe for concurrent use. An Update is durable when it returns. After
// Close every call fails with fault.Unavailable.
type Store interface {
	// View passes the state of the records at its start to fn. It does not wait for Updates.
	View(ctx context.Context, fn func(Tx) error) error
	// Update stores all changes of fn, or none if fn fails. Updates run one at a time, and fn sees
	// its own changes.
	Update(ctx context.Context, fn func(Tx) error) error
	// Probe writes harmless data to test the storage.
	Probe(ctx context.Context) error
	// Condition reports the result of the last write.
	Condition() disk.State
	// Close waits for reads and writes in progress. It may be called more than once.
	Close() error
}

// Deferred returns a Store that is opened at its first use; see disk.Deferred.
func Deferred(open func() (Store, error)) Store {
	return deferred{disk.NewDeferred("the store of records", open)}
}

type deferred struct{ *disk.Deferred[Store] }

// View implements Store.
func (d deferred) View(ctx context.Context, fn func(Tx) error) error {
	s, err := d.Use()
	if err != nil {
		return err
	}
	return s.View(ctx, fn)
}

// Update implements Store.
func (d deferred) Update(ctx context.Context, fn func(Tx) error) error {
	s, err := d.Use()
	if err != nil {
		return err
	}
	return s.Update(ctx, fn)
}

// Probe implements Store.
func (d deferred) Probe(ctx context.Context) error {
	s, err := d.Use()
	if err != nil {
		return err
	}
	return s.Probe(ctx)
}

// Package records is the port of an ordered key-value store for small operational
// state that is no metadata: webhooks with their positions, and writes that failed.
package records

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// MaxKey is how many bytes the name of a bucket and a key may have.
const MaxKey = 4 << 10

// ErrReadOnly is the error of Put and Delete in a View.
var ErrReadOnly = errors.New("records cannot be changed in a View")

// Tx is one transaction. Buckets are made when something is put into them. What Get and
// Scan give must not be changed, and not be kept after the transaction.
type Tx interface {
	// Get gives the value of a key, nil when there is none. An empty value is not nil.
	Get(bucket, key string) []byte
	// Put stores a value under a key; bucket and key must pass CheckKey. The value is kept by
	// the transaction and must not be changed before it ends.
	Put(bucket, key string, value []byte) error
	// Delete removes a key; one that is not there is no error.
	Delete(bucket, key string) error
	// Scan visits the keys that begin with a prefix in the order of their bytes, until visit
	// returns false. The bucket must not be changed meanwhile.
	Scan(bucket, prefix string, visit func(key string, value []byte) bool)
}

// CheckKey is what every driver checks before Put: fault.Invalid for a bucket or key that is
// empty or too long.
func CheckKey(bucket, key string) error {
	for _, part := range []struct{ name, text string }{{"bucket", bucket}, {"key", key}} {
		if part.text == "" || len(part.text) > MaxKey {
			return fault.New(fault.Invalid, "%s of a record: must have 1 to %d bytes, has %d", part.name, MaxKey, len(part.text))
		}
	}
	return nil
}

// Store keeps records. It is safe for concurrent use; what Update has stored is durable
// when it returns. After Close every call fails with fault.Unavailable.
type Store interface {
	// View gives fn one state of the records: what was stored when it began. It waits for no
	// Update.
	View(ctx context.Context, fn func(Tx) error) error
	// Update stores all that fn puts, or nothing if fn fails. One runs at a time, and fn sees what
	// it has put.
	Update(ctx context.Context, fn func(Tx) error) error
	// Probe writes something of no consequence.
	Probe(ctx context.Context) error
	// Condition tells how the last write went.
	Condition() disk.State
	// Close waits for reads and writes in progress. Closing twice is fine.
	Close() error
}

// Deferred is a Store that is opened at its first use; see disk.Deferred.
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

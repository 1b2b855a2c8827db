// Package records is the embedded driver of the operational records: one separate bbolt file. A
// damaged file is renamed, and a new one takes its place.
package records

import (
	"bytes"
	"context"
	"log/slog"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
)

// Config holds the settings and dependencies of a Store.
type Config struct {
	Path string
	Now  func() time.Time
	Log  *slog.Logger
}

var _ records.Store = (*Store)(nil)

// Store keeps records in one file, with one bbolt bucket per bucket of the port.
type Store struct{ file *auxfile.File }

// Open opens the file and creates it if it is absent. A file in use by another process is an error
// of kind fault.Unavailable.
func Open(cfg Config) (*Store, error) {
	file, err := auxfile.Open(auxfile.Config{
		Path: cfg.Path, Holds: "the file of webhooks and failed writes", Initialise: func(*bbolt.Tx) error { return nil }, Now: cfg.Now, Log: cfg.Log,
	})
	if err != nil {
		return nil, err
	}
	return &Store{file: file}, nil
}

// View implements records.Store.
func (s *Store) View(ctx context.Context, fn func(records.Tx) error) error {
	return s.file.View(ctx, func(tx *bbolt.Tx) error { return fn(transaction{tx}) })
}

// Update implements records.Store.
func (s *Store) Update(ctx context.Context, fn func(records.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.file.Update(func(tx *bbolt.Tx) error { return fn(transaction{tx}) })
}

// Probe implements records.Store.
func (s *Store) Probe(ctx context.Context) error {
	return s.Update(ctx, func(records.Tx) error { return nil })
}

// Condition implements records.Store.
func (s *Store) Condition() disk.State { return s.file.Condition() }

// Snapshot captures the current state. Copy it with WriteTo and close it soon.
func (s *Store) Snapshot() (*auxfile.Snapshot, error) { return s.file.Snapshot() }

// Close waits for reads and writes in progress.
func (s *Store) Close() error { return s.file.Close() }

// Inspect reads every page of a file that no process writes, and returns the problems found. It
// changes nothing.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return auxfile.Inspect(ctx, path, func(context.Context, *bbolt.Tx) ([]string, error) { return nil, nil })
}

type transaction struct{ tx *bbolt.Tx }

func (t transaction) Get(bucket, key string) []byte {
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.Get([]byte(key))
}

func (t transaction) Put(bucket, key string, value []byte) error {
	if !t.tx.Writable() {
		return records.ErrReadOnly
	}
	if err := records.CheckKey(bucket, key); err != nil {
		return err
	}
	b, err := t.tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return err
	}
	return b.Put([]byte(key), value)
}

func (t transaction) Delete(bucket, key string) error {
	if !t.tx.Writable() {
		return records.ErrReadOnly
	}
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.Delete([]byte(key))
}

func (t transaction) Scan(bucket, prefix string, visit func(key string, value []byte) bool) {
	b := t.tx.Bucket([]byte(bucket))
	if b == nil {
		return
	}
	cursor := b.Cursor()
	for key, value := cursor.Seek([]byte(prefix)); key != nil && bytes.HasPrefix(key, []byte(prefix)); key, value = cursor.Next() {
		if !visit(string(key), value) {
			return
		}
	}
}

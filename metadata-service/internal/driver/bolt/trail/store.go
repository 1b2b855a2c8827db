// Package trail is the embedded driver of the audit log. It uses a separate bbolt file, so its
// failures do not affect the store of the catalog. A damaged file is renamed, and a new one takes
// its place.
package trail

import (
	"bytes"
	"context"
	"encoding/binary"
	"log/slog"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
)

const (
	fillPercent = 0.98 // keys ascend, so pages can be filled
	trimStep    = 4096 // events deleted in one transaction
)

// Config holds the settings and dependencies of a Store.
type Config struct {
	Path string
	Now  func() time.Time
	Log  *slog.Logger
}

var _ audit.Store = (*Store)(nil)

// Store keeps events in one file.
type Store struct{ file *auxfile.File }

// Open opens the file and creates it if it is absent. A damaged file is renamed and replaced by a
// new one.
func Open(cfg Config) (*Store, error) {
	file, err := auxfile.Open(auxfile.Config{Path: cfg.Path, Holds: "the audit log", Initialise: initialise, Now: cfg.Now, Log: cfg.Log})
	if err != nil {
		return nil, err
	}
	return &Store{file}, nil
}

func initialise(tx *bbolt.Tx) error {
	for _, name := range append([][]byte{metaBucket}, buckets()...) {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	return nil
}

func buckets() (names [][]byte) {
	for _, c := range audit.Classes() {
		names = append(names, classBuckets[c])
	}
	return names
}

// Append implements audit.Store.
func (s *Store) Append(ctx context.Context, events []audit.Event) error {
	if err := ctx.Err(); err != nil || len(events) == 0 {
		return err
	}
	err := s.file.Update(func(tx *bbolt.Tx) error { return put(tx, events) })
	if auxfile.IsDamage(err) {
		err = s.file.Update(func(tx *bbolt.Tx) error { return put(tx, events) })
	}
	return err
}

// Condition implements audit.Store.
func (s *Store) Condition() disk.State { return s.file.Condition() }

// Close waits for reads and writes in progress.
func (s *Store) Close() error { return s.file.Close() }

func put(tx *bbolt.Tx, events []audit.Event) error {
	sizes, err := readSizes(tx)
	if err != nil {
		return err
	}
	for i := range events {
		class := events[i].Class()
		b := tx.Bucket(classBuckets[class])
		b.FillPercent = fillPercent
		key, value := placeKey(events[i].Place()), encode(&events[i])
		size := sizes[class]
		if before := b.Get(key); before != nil {
			size.add(-1, -len(key)-len(before))
		}
		size.add(1, len(key)+len(value))
		sizes[class] = size
		if err := b.Put(key, value); err != nil {
			return err
		}
	}
	return writeSizes(tx, sizes)
}

// size is the number of events of a class and their bytes.
type size audit.Size

func (z *size) add(events, bytes int) {
	z.Events += int64(events)
	z.Bytes += int64(bytes)
}

func readSizes(tx *bbolt.Tx) (map[audit.Class]size, error) {
	sizes := map[audit.Class]size{}
	for _, c := range audit.Classes() {
		raw := tx.Bucket(metaBucket).Get([]byte{byte(c)})
		if raw == nil {
			continue
		}
		if len(raw) != 2*numberBytes {
			return nil, auxfile.ErrCorrupt
		}
		sizes[c] = size{Bytes: int64(binary.BigEndian.Uint64(raw)), Events: int64(binary.BigEndian.Uint64(raw[numberBytes:]))}
	}
	return sizes, nil
}

func writeSizes(tx *bbolt.Tx, sizes map[audit.Class]size) error {
	for c, z := range sizes {
		raw := binary.BigEndian.AppendUint64(nil, uint64(z.Bytes))
		raw = binary.BigEndian.AppendUint64(raw, uint64(z.Events))
		if err := tx.Bucket(metaBucket).Put([]byte{byte(c)}, raw); err != nil {
			return err
		}
	}
	return nil
}

// Sizes implements audit.Store.
func (s *Store) Sizes(ctx context.Context) (map[audit.Class]audit.Size, error) {
	out := map[audit.Class]audit.Size{}
	err := s.file.View(ctx, func(tx *bbolt.Tx) error {
		sizes, err := readSizes(tx)
		for c, z := range sizes {
			out[c] = audit.Size(z)
		}
		return err
	})
	return out, err
}

// Trim implements audit.Store. It works in small steps, and other writes may run between them.
func (s *Store) Trim(ctx context.Context, l audit.Limits) (int, error) {
	removed := 0
	for _, c := range audit.Classes() {
		for {
			if err := ctx.Err(); err != nil {
				return removed, err
			}
			n := 0
			err := s.file.Update(func(tx *bbolt.Tx) (err error) {
				n, err = trim(tx, c, l)
				return err
			})
			removed += n
			if err != nil {
				return removed, err
			}
			if n < trimStep {
				break
			}
		}
	}
	return removed, nil
}

func trim(tx *bbolt.Tx, c audit.Class, l audit.Limits) (removed int, err error) {
	sizes, err := readSizes(tx)
	if err != nil {
		return 0, err
	}
	left, share, b := sizes[c], l.Share(c), tx.Bucket(classBuckets[c])
	oldest := timeKey(l.Before)
	var keys [][]byte
	cursor := b.Cursor()
	for key, value := cursor.First(); key != nil && len(keys) < trimStep; key, value = cursor.Next() {
		expired := l.Before > 0 && bytes.Compare(key, oldest) < 0
		if !expired && (l.MaxBytes <= 0 || left.Bytes <= share) {
			break
		}
		left.add(-1, -len(key)-len(value))
		keys = append(keys, bytes.Clone(key))
	}
	for _, key := range keys {
		if err := b.Delete(key); err != nil {
			return 0, err
		}
	}
	sizes[c] = left
	return len(keys), writeSizes(tx, sizes)
}

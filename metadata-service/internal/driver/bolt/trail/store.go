// Package trail is the embedded driver of the audit log: one bbolt file of its
// own, so that nothing that happens to it concerns the store of the catalog.
//
// A file that is damaged is set aside under another name, and a new one takes its
// place, both at the opening and when a page turns out to be damaged later. What
// it held is not read any more; it stays on the disk for whoever wants to look.
package trail

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	fillPercent = 0.98    // pages fill in the order of their keys
	growStep    = 1 << 20 // bytes by which the file grows
	lockTimeout = 2 * time.Second
	trimStep    = 4096 // events forgotten in one transaction
	setAside    = ".damaged-"
	timeFormat  = "20060102T150405.000Z"
)

// Config is what a Store works with.
type Config struct {
	Path string
	Now  func() time.Time
	Log  *slog.Logger
}

var _ audit.Store = (*Store)(nil)

// Store keeps events in one file.
type Store struct {
	cfg       Config
	condition disk.Condition
	writing   sync.Mutex // held by whoever changes the file or replaces it

	mu     sync.RWMutex
	db     *bbolt.DB
	broken bool // a damaged page was met
	shut   bool
}

// Open opens the file, which is made if it is absent. A damaged one is set aside.
func Open(cfg Config) (*Store, error) {
	s := &Store{cfg: cfg}
	db, err := s.open()
	if dbfile.IsDamage(err) {
		s.condition.Damaged(err)
		db, err = s.replacement(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", dbfile.Translate(err))
	}
	s.db = db
	return s, nil
}

func (s *Store) open() (*bbolt.DB, error) {
	_, err := os.Stat(s.cfg.Path)
	fresh := errors.Is(err, os.ErrNotExist)
	db, err := dbfile.Open(s.cfg.Path, &bbolt.Options{Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, dbfile.ErrInUse) {
		return nil, fault.New(fault.Unavailable, "another process uses the file of the audit log")
	}
	if err != nil {
		return nil, err
	}
	db.AllocSize = growStep
	err = dbfile.Guard(s.cfg.Path, func() error { return db.Update(initialise) })
	if err == nil && fresh {
		err = dbfile.SyncFolder(filepath.Dir(s.cfg.Path))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
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

// replacement sets a damaged file aside and opens a new one. The old one is not
// closed where it was open: a transaction that ended in a panic would be waited for.
func (s *Store) replacement(damage error) (*bbolt.DB, error) {
	aside := s.cfg.Path + setAside + s.cfg.Now().UTC().Format(timeFormat)
	if err := os.Rename(s.cfg.Path, aside); err != nil {
		return nil, err
	}
	s.cfg.Log.Error("audit log is damaged and was set aside; a new one has begun", "file", aside, "error", damage)
	return s.open()
}

// Append implements audit.Store.
func (s *Store) Append(ctx context.Context, events []audit.Event) error {
	if err := ctx.Err(); err != nil || len(events) == 0 {
		return err
	}
	err := s.update(func(tx *bbolt.Tx) error { return put(tx, events) })
	if dbfile.IsDamage(err) {
		err = s.update(func(tx *bbolt.Tx) error { return put(tx, events) })
	}
	return err
}

// update changes the file, or the one that replaces it once a page was found damaged.
func (s *Store) update(fn func(*bbolt.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	db, broken, err := s.use()
	if err != nil {
		return err
	}
	if broken {
		if db, err = s.replace(); err != nil {
			err = dbfile.Translate(err)
			s.condition.Note(err)
			return err
		}
	}
	err = dbfile.Translate(dbfile.Guard(s.cfg.Path, func() error { return db.Update(fn) }))
	s.note(err)
	s.condition.Note(err)
	return err
}

func (s *Store) replace() (*bbolt.DB, error) {
	db, err := s.replacement(s.condition.State().Damage)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db, s.broken = db, false
	return db, nil
}

func (s *Store) use() (db *bbolt.DB, broken bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.shut {
		return nil, false, fault.New(fault.Unavailable, "the audit log is closed")
	}
	return s.db, s.broken, nil
}

func (s *Store) note(err error) {
	if !dbfile.IsDamage(err) && !errors.Is(err, errCorrupt) {
		return
	}
	s.condition.Damaged(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = true
}

// Condition implements audit.Store.
func (s *Store) Condition() disk.State { return s.condition.State() }

// Close waits for reads and writes in progress.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return nil
	}
	s.shut = true
	if s.broken {
		return nil
	}
	return s.db.Close()
}

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

// size is what a class takes.
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
			return nil, errCorrupt
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
	err := s.view(ctx, func(tx *bbolt.Tx) error {
		sizes, err := readSizes(tx)
		for c, z := range sizes {
			out[c] = audit.Size(z)
		}
		return err
	})
	return out, err
}

// Trim implements audit.Store, in small steps between which others write.
func (s *Store) Trim(ctx context.Context, l audit.Limits) (int, error) {
	gone := 0
	for _, c := range audit.Classes() {
		for {
			if err := ctx.Err(); err != nil {
				return gone, err
			}
			n := 0
			err := s.update(func(tx *bbolt.Tx) (err error) {
				n, err = trim(tx, c, l)
				return err
			})
			gone += n
			if err != nil {
				return gone, err
			}
			if n < trimStep {
				break
			}
		}
	}
	return gone, nil
}

func trim(tx *bbolt.Tx, c audit.Class, l audit.Limits) (gone int, err error) {
	sizes, err := readSizes(tx)
	if err != nil {
		return 0, err
	}
	left, share, b := sizes[c], l.Share(c), tx.Bucket(classBuckets[c])
	oldest := timeKey(l.Before)
	var keys [][]byte
	cursor := b.Cursor()
	for key, value := cursor.First(); key != nil && len(keys) < trimStep; key, value = cursor.Next() {
		aged := l.Before > 0 && bytes.Compare(key, oldest) < 0
		if !aged && (l.MaxBytes <= 0 || left.Bytes <= share) {
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

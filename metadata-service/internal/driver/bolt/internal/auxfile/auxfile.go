// Package auxfile manages bbolt files that the catalog can lose without harm to the store. When a
// file is damaged, at opening or later, auxfile renames it and starts a new one in its place. The
// contents of the old file are no longer read; it stays on disk for inspection.
package auxfile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	growStep    = 1 << 20 // bytes by which the file grows
	lockTimeout = 2 * time.Second
	setAside    = ".damaged-"
	timeFormat  = "20060102T150405.000Z"
)

// ErrCorrupt reports an unreadable value of the file. When a function passed to View or Update
// returns it, the file counts as damaged.
var ErrCorrupt = errors.New("a value cannot be read")

// Config holds the settings and dependencies of a File. All fields are required.
type Config struct {
	Path string
	// Holds names the contents of the file for messages, as in "the audit log".
	Holds string
	// Initialise creates the missing buckets.
	Initialise func(*bbolt.Tx) error
	Now        func() time.Time
	Log        *slog.Logger
}

// File is the open file. It is safe for concurrent use; readers do not wait for writers.
type File struct {
	cfg       Config
	condition disk.Condition
	writing   sync.Mutex // held by the goroutine that changes or replaces the file

	mu     sync.RWMutex
	db     *bbolt.DB
	broken bool // a damaged page was found
	shut   bool
}

// Open opens the file and creates it if it is absent. A damaged file is renamed and replaced by a
// new one. A file in use by another process is an error of kind fault.Unavailable.
func Open(cfg Config) (*File, error) {
	f := &File{cfg: cfg}
	db, err := f.open()
	if dbfile.IsDamage(err) {
		f.condition.Damaged(err)
		db, err = f.replacement(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", cfg.Holds, dbfile.Translate(err))
	}
	f.db = db
	return f, nil
}

func (f *File) open() (*bbolt.DB, error) {
	_, err := os.Stat(f.cfg.Path)
	fresh := errors.Is(err, os.ErrNotExist)
	db, err := dbfile.Open(f.cfg.Path, &bbolt.Options{Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, dbfile.ErrInUse) {
		return nil, fault.New(fault.Unavailable, "another process uses the file of %s", f.cfg.Holds)
	}
	if err != nil {
		return nil, err
	}
	db.AllocSize = growStep
	err = dbfile.Guard(f.cfg.Path, func() error { return db.Update(f.cfg.Initialise) })
	if err == nil && fresh {
		err = dbfile.SyncFolder(filepath.Dir(f.cfg.Path))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// replacement renames a damaged file and opens a new one. It does not close an old file that was
// open: closing would wait for a transaction that ended in a panic.
func (f *File) replacement(damage error) (*bbolt.DB, error) {
	asidePath := f.cfg.Path + setAside + f.cfg.Now().UTC().Format(timeFormat)
	if err := os.Rename(f.cfg.Path, asidePath); err != nil {
		return nil, err
	}
	f.cfg.Log.Error(f.cfg.Holds+" is damaged and was set aside; a new one has begun", "file", asidePath, "error", damage)
	return f.open()
}

// View runs fn on one state of the file. It returns the error of fn.
func (f *File) View(ctx context.Context, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db, _, err := f.use()
	if err != nil {
		return err
	}
	err = dbfile.Guard(f.cfg.Path, func() error { return db.View(fn) })
	f.note(err)
	return err
}

// Snapshot is one state of the file.
type Snapshot = dbfile.Snapshot

// Snapshot captures the current state. Copy and close it soon.
func (f *File) Snapshot() (*Snapshot, error) {
	db, _, err := f.use()
	if err != nil {
		return nil, err
	}
	s, err := dbfile.TakeSnapshot(db, nil)
	f.note(err)
	return s, err
}

// Update changes the file, or the new file that replaces a damaged one. It returns the error of fn.
// After an error for which IsDamage returns true, the next call works on a new file.
func (f *File) Update(fn func(*bbolt.Tx) error) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	db, broken, err := f.use()
	if err != nil {
		return err
	}
	if broken {
		if db, err = f.replace(); err != nil {
			err = dbfile.Translate(err)
			f.condition.Note(err)
			return err
		}
	}
	var refused error
	err = dbfile.Translate(dbfile.Guard(f.cfg.Path, func() error {
		return db.Update(func(tx *bbolt.Tx) error {
			refused = fn(tx)
			return refused
		})
	}))
	f.note(err)
	if refused == nil || fault.KindOf(refused) == fault.Internal {
		f.condition.Note(err) // a refusal by fn is not a failure of the file
	}
	return err
}

func (f *File) replace() (*bbolt.DB, error) {
	db, err := f.replacement(f.condition.State().Damage)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.db, f.broken = db, false
	return db, nil
}

func (f *File) use() (db *bbolt.DB, broken bool, err error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.shut {
		return nil, false, fault.New(fault.Unavailable, "%s is closed", f.cfg.Holds)
	}
	return f.db, f.broken, nil
}

// IsDamage reports whether an error means that the file is damaged.
func IsDamage(err error) bool { return dbfile.IsDamage(err) || errors.Is(err, ErrCorrupt) }

func (f *File) note(err error) {
	if !IsDamage(err) {
		return
	}
	f.condition.Damaged(err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = true
}

// Condition reports the result of the last write.
func (f *File) Condition() disk.State { return f.condition.State() }

// Close waits for reads and writes in progress. It may be called more than once.
func (f *File) Close() error {
	f.writing.Lock()
	defer f.writing.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return nil
	}
	f.shut = true
	if f.broken {
		return nil
	}
	return f.db.Close()
}

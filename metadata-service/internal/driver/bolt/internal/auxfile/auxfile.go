// Package auxfile keeps a bbolt file beside the store that the catalog can do
// without: a damaged one is set aside under another name, and a new one takes its
// place, both at the opening and when a page turns out to be damaged later. What it
// held is not read any more; it stays on the disk for whoever wants to look.
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

// ErrCorrupt says that a value of the file cannot be read. Functions that meet one
// return it, and the file counts as damaged.
var ErrCorrupt = errors.New("a value cannot be read")

// Config is what a File works with. All fields are required.
type Config struct {
	Path string
	// Holds says for people what the file holds, as in "the audit log".
	Holds string
	// Initialise makes the buckets that are missing.
	Initialise func(*bbolt.Tx) error
	Now        func() time.Time
	Log        *slog.Logger
}

// File is the open file. It is safe for concurrent use; readers do not wait for
// writers.
type File struct {
	cfg       Config
	condition disk.Condition
	writing   sync.Mutex // held by whoever changes the file or replaces it

	mu     sync.RWMutex
	db     *bbolt.DB
	broken bool // a damaged page was met
	shut   bool
}

// Open opens the file, which is made if it is absent. A damaged one is set aside.
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

// replacement sets a damaged file aside and opens a new one. The old one is not
// closed where it was open: a transaction that ended in a panic would be waited for.
func (f *File) replacement(damage error) (*bbolt.DB, error) {
	aside := f.cfg.Path + setAside + f.cfg.Now().UTC().Format(timeFormat)
	if err := os.Rename(f.cfg.Path, aside); err != nil {
		return nil, err
	}
	f.cfg.Log.Error(f.cfg.Holds+" is damaged and was set aside; a new one has begun", "file", aside, "error", damage)
	return f.open()
}

// View runs fn on one state of the file.
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

// Snapshot keeps the state of this moment, to be copied and closed soon.
func (f *File) Snapshot() (*Snapshot, error) {
	db, _, err := f.use()
	if err != nil {
		return nil, err
	}
	s, err := dbfile.TakeSnapshot(db, nil)
	f.note(err)
	return s, err
}

// Update changes the file, or the one that replaces it once a page was found damaged.
// An error that IsDamage recognises means that the next call works on a new file.
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
		f.condition.Note(err) // what fn refuses is no failure of the file
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

// IsDamage tells whether an error means that the file is damaged.
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

// Condition tells how the last write went.
func (f *File) Condition() disk.State { return f.condition.State() }

// Close waits for reads and writes in progress. Closing twice is fine.
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

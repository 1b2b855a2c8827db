package series

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// A page wastes most on documents of about half its size, of which two just fail to fit, and
	// a new index has seven pages. Measured with documents of 0.3 to 9 KB, the small page beats
	// the 16 KiB of the main store: 28 KB for a new index, not 98, and smaller files on average.
	pageBytes = 4 << 10

	dirMode = 0o700

	// A file grows by an eighth of itself, within these bounds: its size stays near what it
	// holds, and a large one is not extended at every write.
	growLeast = 64 << 10
	growMost  = 16 << 20
)

// index is one index of the folder.
type index struct {
	name, path string
	temp       string // what a new file is written to
	compacted  string // the same for a compaction, which others write meanwhile
	cfg        Config

	compacting chan struct{} // holds a token while somebody compacts
	writing    chan struct{} // holds a token while somebody writes
	doubtful   bool          // a commit failed and the file is not to be trusted; belongs to the writer
	changed    changes       // by writers since a compaction began; nil while there is none; belongs to the writer

	mu     sync.Mutex // guards what follows; held for moments, and while the file is opened
	exists bool       // the file is there
	file   *file      // nil until first used
	broken error      // the file is damaged; it is neither opened again nor written
	shut   bool
}

// file is an open index file. It is closed when it has been replaced and its
// last user has left; the count rises only under the index's mutex and only
// while it is the current file, so waiting for zero is safe afterwards.
type file struct {
	db    *bbolt.DB
	users sync.WaitGroup
}

func newIndex(s *Store, name string, exists bool) *index {
	path := filepath.Join(s.dir, name)
	return &index{
		name:       name,
		path:       path + fileSuffix,
		temp:       path + tempSuffix,
		compacted:  path + compactSuffix,
		cfg:        s.cfg,
		compacting: make(chan struct{}, 1),
		writing:    make(chan struct{}, 1),
		exists:     exists,
	}
}

// lock makes the caller the only writer.
func (x *index) lock(ctx context.Context) error {
	select {
	case x.writing <- struct{}{}:
		if err := x.damage(); err != nil {
			x.unlock()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (x *index) unlock() { <-x.writing }

// use gives the current file, nil when the index is absent. The caller calls
// users.Done when it has finished with it.
func (x *index) use() (*file, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.shut {
		return nil, closedError()
	}
	if !x.exists {
		return nil, nil
	}
	if x.file == nil {
		if x.broken != nil {
			return nil, x.broken
		}
		db, err := x.open(x.path, false)
		if isDamage(err) {
			x.broken = err // an attempt that panics keeps the lock of the file
		}
		if err != nil {
			return nil, err
		}
		x.file = &file{db: db}
	}
	x.file.users.Add(1)
	return x.file, nil
}

// open opens an index file. The file of a bulk load is synced once at its end,
// by publish, and not at every commit.
func (x *index) open(path string, bulk bool) (*bbolt.DB, error) {
	db, err := dbfile.Open(path, &bbolt.Options{
		Timeout:         x.cfg.LockTimeout,
		PageSize:        pageBytes,
		InitialMmapSize: x.cfg.MapBytes,
		FreelistType:    bbolt.FreelistMapType,
		NoSync:          bulk,
		NoGrowSync:      bulk,
	})
	if errors.Is(err, dbfile.ErrInUse) {
		return nil, fault.New(fault.Unavailable, "the file is in use by another process")
	}
	if err != nil {
		return nil, err
	}
	db.AllocSize = growLeast
	return db, nil
}

// fresh opens an empty temporary file. A full disk can leave one half made
// behind that could not be opened any more.
func (x *index) fresh(path string) (*bbolt.DB, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	db, err := x.open(path, true)
	if err != nil {
		_ = os.Remove(path) // the reason for giving up matters more
	}
	return db, err
}

// publish makes a complete temporary file the file of the index, durably, and
// gives back the file it replaced. After an error without a file in place the
// temporary one is gone.
func (x *index) publish(db *bbolt.DB) (replaced *file, err error) {
	path := db.Path() // which a closed one does not tell
	if err := x.settle(db); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(path))
	}
	x.mu.Lock()
	replaced, x.file, x.exists = x.file, &file{db: db}, true
	x.mu.Unlock()
	return replaced, dbfile.SyncFolder(filepath.Dir(x.path))
}

func (x *index) settle(db *bbolt.DB) error {
	db.NoSync, db.NoGrowSync = false, false
	if err := db.Sync(); err != nil {
		return err
	}
	return os.Rename(db.Path(), x.path)
}

// release closes a file that is no longer current, after its last user.
func (f *file) release() error {
	f.users.Wait()
	return f.db.Close()
}

func (x *index) close() error {
	x.compacting <- struct{}{}
	defer func() { <-x.compacting }()
	x.writing <- struct{}{}
	defer x.unlock()
	x.mu.Lock()
	file := x.file
	x.shut, x.file = true, nil
	broken := x.broken
	x.mu.Unlock()
	if file == nil || broken != nil {
		return nil // closing a file with a transaction that did not end would wait for it
	}
	return file.release()
}

// view runs fn on one state of the index. Readers never wait for writers.
func (x *index) view(fn func(view) error) error {
	file, err := x.use()
	if err != nil || file == nil {
		return err
	}
	defer file.users.Done()
	return dbfile.Guard(x.path, func() error {
		return file.db.View(func(tx *bbolt.Tx) error {
			v, err := newView(tx)
			if err != nil {
				return err
			}
			return fn(v)
		})
	})
}

// update runs fn in a transaction that changes a file of the index. When that
// meets damage, nobody knows whether the library could end the transaction, so
// the file is not written again.
func (x *index) update(db *bbolt.DB, fn func(*bbolt.Tx) error) error {
	err := dbfile.Guard(db.Path(), func() error { return db.Update(fn) })
	var damage *dbfile.DamageError
	if errors.As(err, &damage) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.broken = err
	}
	return err
}

func (x *index) damage() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.broken
}

// size measures the file as it lies on the disk.
func (x *index) size() (size timeseries.Size, exists bool, err error) {
	size.Index = x.name
	err = x.view(func(v view) error {
		exists, size.Documents = true, v.total()
		info, err := os.Stat(x.path)
		if err == nil {
			size.Bytes = info.Size()
		}
		return err
	})
	return size, exists, err
}

func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return dbfile.SyncFolder(filepath.Dir(dir))
}

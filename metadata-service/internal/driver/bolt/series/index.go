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
	// A page wastes most on documents of about half its size, when two just do not fit, and a new
	// index has seven pages. In measurements with documents of 0.3 to 9 KB, the small page beat the
	// 16 KiB of the main store: 28 KB instead of 98 KB for a new index, and smaller files on
	// average.
	pageBytes = 4 << 10

	dirMode = 0o700

	// A file grows by an eighth of its size, within these limits: its size stays close to that of
	// its contents, and a large file is not extended at every write.
	growLeast = 64 << 10
	growMost  = 16 << 20
)

// index is one index of the folder.
type index struct {
	name, path string
	temp       string // path of a new file while it is written
	compacted  string // the same for a compaction, which runs beside writers
	cfg        Config

	compacting chan struct{} // holds a token during a compaction
	writing    chan struct{} // holds a token during a write
	unreliable bool          // a commit failed and the file is unreliable; owned by the writer
	changed    changes       // by writers since a compaction began, otherwise nil; owned by the writer

	mu     sync.Mutex // guards the following fields; held briefly, and while the file is opened
	exists bool       // the file exists
	file   *file      // nil until first used
	broken error      // the file is damaged; it is neither opened again nor written
	shut   bool
}

// file is an open index file. It is closed after it has been replaced and its last user has
// finished. The user count increases only under the index's mutex and only while the file is
// current, so waiting for zero is safe afterwards.
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

// lock makes the caller the only writer. It fails if the file is damaged.
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

// use returns the current file, or nil when the index does not exist. The caller must call
// users.Done on a returned file.
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
			x.broken = err // an attempt that panics leaves the file locked
		}
		if err != nil {
			return nil, err
		}
		x.file = &file{db: db}
	}
	x.file.users.Add(1)
	return x.file, nil
}

// open opens an index file. The file of a bulk load is not synced at every commit, but once at its
// end, by publish.
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

// fresh opens an empty temporary file. It first removes a partial file that a full disk may have
// left, which could not be opened.
func (x *index) fresh(path string) (*bbolt.DB, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	db, err := x.open(path, true)
	if err != nil {
		_ = os.Remove(path) // the error above is the one to report
	}
	return db, err
}

// publish durably makes a complete temporary file the file of the index, and returns the file it
// replaced. If it fails before the replacement, the temporary file is removed.
func (x *index) publish(db *bbolt.DB) (replaced *file, err error) {
	path := db.Path() // a closed database has no path
	if err := x.syncAndRename(db); err != nil {
		return nil, errors.Join(err, db.Close(), os.Remove(path))
	}
	x.mu.Lock()
	replaced, x.file, x.exists = x.file, &file{db: db}, true
	x.mu.Unlock()
	return replaced, dbfile.SyncFolder(filepath.Dir(x.path))
}

func (x *index) syncAndRename(db *bbolt.DB) error {
	db.NoSync, db.NoGrowSync = false, false
	if err := db.Sync(); err != nil {
		return err
	}
	return os.Rename(db.Path(), x.path)
}

// release closes a file that is no longer current, after its last user has finished.
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
		return nil // closing would wait for a transaction that did not end
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

// update runs fn in a transaction that changes a file of the index. After damage it is unknown
// whether bbolt could end the transaction, so the file is not written again.
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

// size returns the size of the file on disk and the number of documents.
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

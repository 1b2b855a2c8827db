package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	fileFormat = 5        // of the file; newer formats are refused
	pageBytes  = 16 << 10 // of new files
	allocStep  = 4 << 20  // the file grows in steps of this size
)

// Open opens the store in the file at path and creates the file when it is absent; the folder must
// exist. Only one process can have the file open: when another process holds it for longer than
// cfg.LockTimeout, Open returns an error of kind fault.Unavailable.
func Open(ctx context.Context, path string, cfg Config) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cfg.LockTimeout <= 0 {
		cfg.LockTimeout = 2 * time.Second
	}
	if cfg.MapBytes <= 0 {
		cfg.MapBytes = 1 << 30
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := createFile(path, cfg); err != nil {
			return nil, fmt.Errorf("create store %s: %w", path, dbfile.Translate(err))
		}
	}
	db, err := openFile(path, cfg)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	s := &Store{db: db, names: newDictionaryCache(), stuck: make(chan struct{})}
	if s.opened, err = os.Stat(path); err != nil {
		_ = db.Close() // the error above is the one to report
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	if err := dbfile.Guard(path, s.load); err != nil {
		_ = db.Close() // the error above is the one to report
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	if err := dbfile.Guard(path, s.upgrade); err != nil {
		// Not closed: that would wait for the transaction, which may not have ended.
		return nil, fmt.Errorf("open store %s: %w", path, dbfile.Translate(err))
	}
	s.queue.init()
	go s.writeLoop()
	return s, nil
}

// createFile prepares the file under another name and renames it. A file with the right name is
// therefore complete, even if the machine stops during the creation.
func createFile(path string, cfg Config) error {
	fresh := path + ".new"
	db, err := openFile(fresh, cfg)
	if isDamage(err) {
		if err := os.Remove(fresh); err != nil {
			return err
		}
		db, err = openFile(fresh, cfg)
	}
	if err != nil {
		return err
	}
	err = db.Update(initialise)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		if _, exists := os.Stat(path); exists == nil {
			return nil // another process was faster
		}
		return err
	}
	return dbfile.SyncFolder(filepath.Dir(path))
}

var errDamaged = errors.New("the file is damaged or not a store; let `metadata-service verify` list the damage, and restore the data folder from a backup")

func openFile(path string, cfg Config) (*bbolt.DB, error) {
	db, err := dbfile.Open(path, &bbolt.Options{
		Timeout:         cfg.LockTimeout,
		PageSize:        pageBytes,
		FreelistType:    bbolt.FreelistMapType,
		InitialMmapSize: cfg.MapBytes,
		NoStatistics:    true,
	})
	if errors.Is(err, dbfile.ErrInUse) {
		return nil, fault.New(fault.Unavailable, "another process uses %s; stop it first", path)
	}
	if err != nil {
		return nil, err
	}
	db.AllocSize = allocStep
	return db, nil
}

var formatKey = []byte("format")

// initialise creates the buckets that are missing and writes the current format.
func initialise(tx *bbolt.Tx) error {
	for b := range bucketCount {
		if _, err := tx.CreateBucketIfNotExists(bucketNames[b]); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketNames[bucketMeta]).Put(formatKey, binary.AppendUvarint(nil, fileFormat))
}

// upgrade converts a file of an older format to the current one: format 1 has no edges, 2 no
// origins of log entries, 3 no lookup terms, 4 no callers of log entries. It also raises the format
// number, because an older program would let edges or terms go stale, or would treat entries with
// an origin or a caller as damage.
func (s *Store) upgrade() error {
	if s.format == fileFormat {
		return nil
	}
	return s.db.Update(initialise)
}

// load verifies that the file is a store and reads its counters.
func (s *Store) load() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		// This check comes first, because reading a page beyond the end of the file would kill the
		// process.
		info, err := os.Stat(s.db.Path())
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return &dbfile.DamageError{Path: s.db.Path(), Reason: fmt.Sprintf("it has %d bytes of %d", info.Size(), tx.Size())}
		}
		if s.format, err = checkFormat(tx); err != nil {
			return err
		}
		s.counters, err = readCounters(&view{tx: tx, names: s.names, readCache: s.names})
		s.log.init(s.counters.sequence)
		return err
	})
}

func checkFormat(tx *bbolt.Tx) (format uint64, err error) {
	meta := tx.Bucket(bucketNames[bucketMeta])
	if meta == nil {
		return 0, errDamaged
	}
	format, n := binary.Uvarint(meta.Get(formatKey))
	if n <= 0 || format == 0 {
		return 0, errDamaged
	}
	if format > fileFormat {
		return 0, fault.New(fault.Unsupported,
			"the file has format %d and this program knows formats up to %d; use a newer version of the program", format, fileFormat)
	}
	for _, name := range bucketNames[:bucketsOf(format)] {
		if tx.Bucket(name) == nil {
			return 0, fmt.Errorf("%w: bucket %s is missing", errDamaged, name)
		}
	}
	return format, nil
}

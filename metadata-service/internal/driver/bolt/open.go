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
	storeFormat    = 4        // of the file; a newer one is refused
	storePageBytes = 16 << 10 // of new files
	storeAllocStep = 4 << 20  // the file grows in steps of so many bytes
)

// OpenStore opens the store in the file at path and creates it when there is
// none; the folder must exist. Only one process can have it open: when another
// one keeps it beyond cfg.LockTimeout the error is of kind fault.Unavailable.
func OpenStore(ctx context.Context, path string, cfg StoreConfig) (*Store, error) {
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
		if err := storeCreate(path, cfg); err != nil {
			return nil, fmt.Errorf("create store %s: %w", path, dbfile.Translate(err))
		}
	}
	db, err := storeOpenFile(path, cfg)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	s := &Store{db: db, names: newStoreNames()}
	if err := dbfile.Guard(path, s.load); err != nil {
		_ = db.Close() // the reason for giving up matters more
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

// storeCreate prepares the file under another name, so that a file with the
// right name is complete whenever the machine stops.
func storeCreate(path string, cfg StoreConfig) error {
	fresh := path + ".new"
	db, err := storeOpenFile(fresh, cfg)
	if isDamage(err) {
		if err := os.Remove(fresh); err != nil {
			return err
		}
		db, err = storeOpenFile(fresh, cfg)
	}
	if err != nil {
		return err
	}
	err = db.Update(storeInitialise)
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

var errStoreDamaged = errors.New("the file is damaged or not a store; let `metadata-service verify` list the damage, and restore the data folder from a backup")

func storeOpenFile(path string, cfg StoreConfig) (*bbolt.DB, error) {
	db, err := dbfile.Open(path, &bbolt.Options{
		Timeout:         cfg.LockTimeout,
		PageSize:        storePageBytes,
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
	db.AllocSize = storeAllocStep
	return db, nil
}

var storeFormatKey = []byte("format")

// storeInitialise makes the buckets of an empty file.
func storeInitialise(tx *bbolt.Tx) error {
	for b := range storeBuckets {
		if _, err := tx.CreateBucketIfNotExists(storeBucketNames[b]); err != nil {
			return err
		}
	}
	return tx.Bucket(storeBucketNames[storeMeta]).Put(storeFormatKey, binary.AppendUvarint(nil, storeFormat))
}

// upgrade brings a file of an older format to this one: format 1 has no edges, 2 no
// origins of log entries, 3 no lookup terms. The number moves too, as a program that
// knows nothing of edges or terms would let them grow stale, and one that knows nothing
// of origins would take entries that have one for damage.
func (s *Store) upgrade() error {
	if s.format == storeFormat {
		return nil
	}
	return s.db.Update(storeInitialise)
}

// load checks that the file is one of ours and reads where its counters stand.
func (s *Store) load() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		// Before anything else, as touching a page behind the end would kill the process.
		info, err := os.Stat(s.db.Path())
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return &dbfile.DamageError{Path: s.db.Path(), Reason: fmt.Sprintf("it has %d bytes of %d", info.Size(), tx.Size())}
		}
		if s.format, err = storeCheckFormat(tx); err != nil {
			return err
		}
		s.counters, err = storeReadCounters(&storeView{tx: tx, names: s.names, learned: s.names})
		s.log.init(s.counters.sequence)
		return err
	})
}

func storeCheckFormat(tx *bbolt.Tx) (format uint64, err error) {
	meta := tx.Bucket(storeBucketNames[storeMeta])
	if meta == nil {
		return 0, errStoreDamaged
	}
	format, n := binary.Uvarint(meta.Get(storeFormatKey))
	if n <= 0 || format == 0 {
		return 0, errStoreDamaged
	}
	if format > storeFormat {
		return 0, fault.New(fault.Unsupported,
			"the file has format %d and this program knows formats up to %d; use a newer version of the program", format, storeFormat)
	}
	for _, name := range storeBucketNames[:storeBucketsOf(format)] {
		if tx.Bucket(name) == nil {
			return 0, fmt.Errorf("%w: bucket %s is missing", errStoreDamaged, name)
		}
	}
	return format, nil
}

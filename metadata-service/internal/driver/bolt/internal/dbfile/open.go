package dbfile

import (
	"errors"
	"os"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// ErrInUse says that another process kept a file beyond the time to wait for it.
var ErrInUse = errors.New("another process uses the file")

// Open opens the file at path, which is made if it is absent and readable by its
// owner alone. A file that is damaged, or none of the library's, is a
// *DamageError, one that another process keeps beyond options.Timeout ErrInUse.
//
// The file of an attempt that the library ended by a panic stays locked until
// the process ends; opening it again would only meet that lock.
func Open(path string, options *bbolt.Options) (db *bbolt.DB, err error) {
	err = Guard(path, func() (err error) {
		db, err = bbolt.Open(path, 0o600, options)
		return err
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return nil, &DamageError{Path: path, Reason: err.Error()}
	case err != nil:
		return nil, err
	}
	if err := checkPages(db); err != nil {
		_ = db.Close() // the reason for giving up matters more
		return nil, err
	}
	return db, nil
}

// checkPages refuses a file whose pages would lead the library astray.
func checkPages(db *bbolt.DB) error {
	problems, err := inspect(db.Path(), db.Info().PageSize, false)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return &DamageError{Path: db.Path(), Reason: problems[0]}
	}
	return nil
}

// SyncFolder makes a new or renamed file of a folder survive a crash of the machine.
func SyncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

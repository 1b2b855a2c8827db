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
// owner alone. A file that is damaged, empty, or none of the library's, is a
// *DamageError, one that another process keeps beyond options.Timeout ErrInUse.
//
// The file of an attempt that the library ended by a panic stays locked until
// the process ends; opening it again would only meet that lock.
func Open(path string, options *bbolt.Options) (db *bbolt.DB, err error) {
	if reason := cut(path); reason != "" {
		return nil, &DamageError{Path: path, Reason: reason} // the library would panic
	}
	empty := isEmpty(path)
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
	case empty:
		if err := refuseEmpty(db); err != nil {
			_ = db.Close() // the reason for giving up matters more
			return nil, err
		}
	}
	if err := checkPages(db); err != nil {
		_ = db.Close() // the reason for giving up matters more
		return nil, err
	}
	return db, nil
}

// isEmpty tells whether a file is there and holds nothing. The library would begin it anew.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0
}

// refuseEmpty refuses a file that was empty before the library opened it, unless another
// process was making it at that moment. The file is left empty as it was.
func refuseEmpty(db *bbolt.DB) error {
	made := false
	err := Guard(db.Path(), func() error {
		return db.View(func(tx *bbolt.Tx) error {
			first, _ := tx.Cursor().First()
			made = first != nil
			return nil
		})
	})
	if err != nil || made {
		return err
	}
	return errors.Join(&DamageError{Path: db.Path(), Reason: emptyFile}, os.Truncate(db.Path(), 0))
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

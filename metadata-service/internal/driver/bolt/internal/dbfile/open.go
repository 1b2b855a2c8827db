package dbfile

import (
	"errors"
	"os"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// ErrInUse reports that another process held the file for longer than the timeout.
var ErrInUse = errors.New("another process uses the file")

// Open opens the file at path. It creates an absent file, readable only by its owner. It returns a
// *DamageError for a file that is damaged, empty or not a bbolt file, and ErrInUse when another
// process holds the file for longer than options.Timeout.
//
// When bbolt panics during an attempt, the file stays locked until the process ends, so another
// attempt would only find it locked.
func Open(path string, options *bbolt.Options) (db *bbolt.DB, err error) {
	if reason := cut(path); reason != "" {
		return nil, &DamageError{Path: path, Reason: reason} // bbolt would panic
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
			_ = db.Close() // the error above is the one to report
			return nil, err
		}
	}
	if err := checkPages(db); err != nil {
		_ = db.Close() // the error above is the one to report
		return nil, err
	}
	return db, nil
}

// isEmpty reports whether a file exists and is empty. bbolt would initialise it as new.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0
}

// refuseEmpty rejects a file that was empty before bbolt opened it, unless another process was
// creating it at that moment. It truncates the file to be empty again.
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

// checkPages rejects a file whose pages would make bbolt fail.
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

// SyncFolder syncs a folder, so that a new or renamed file in it survives a crash of the machine.
func SyncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

package auxfile

import (
	"context"
	"errors"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// Inspect reads every page of a file, and then lets check read the contents of its buckets, unless
// pages are damaged. It returns the problems found and changes nothing, whereas Open would replace
// a damaged file. No process may write the file meanwhile. A file in use is an error of kind
// fault.Unavailable, an absent one is fs.ErrNotExist.
func Inspect(ctx context.Context, path string, check func(context.Context, *bbolt.Tx) ([]string, error)) ([]string, error) {
	problems, err := dbfile.Inspect(ctx, path)
	if err != nil || len(problems) > 0 {
		return problems, err // a walk through a damaged file may fail or never end
	}
	err = dbfile.Guard(path, func() error {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		if err != nil {
			return err
		}
		err = db.View(func(tx *bbolt.Tx) (err error) {
			problems, err = check(ctx, tx)
			return err
		})
		return errors.Join(err, db.Close())
	})
	if dbfile.IsDamage(err) {
		return append(problems, err.Error()), nil
	}
	return problems, err
}

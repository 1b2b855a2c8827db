package auxfile

import (
	"context"
	"errors"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// Inspect reads every page of a file that no process writes, and then lets check read
// what its buckets hold, unless pages are damaged. It lists what is wrong and changes
// nothing; Open would set a damaged file aside. A file in use is of kind
// fault.Unavailable, an absent one fs.ErrNotExist.
func Inspect(ctx context.Context, path string, check func(context.Context, *bbolt.Tx) ([]string, error)) ([]string, error) {
	problems, err := dbfile.Inspect(ctx, path)
	if err != nil || len(problems) > 0 {
		return problems, err // what a damaged file holds would be walked in vain, or for ever
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

package bolt

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// isDamage tells whether an error is due to a damaged page or value.
func isDamage(err error) bool {
	return dbfile.IsDamage(err) || errors.Is(err, errDamaged)
}

// Inspect reads every page of a file of the store, or of an index of the time
// series, that no process writes, and lists what is wrong with it, at most 50 problems. A file in use is of kind
// fault.Unavailable, an absent one fs.ErrNotExist.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return dbfile.Inspect(ctx, path)
}

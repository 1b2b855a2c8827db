package bolt

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// isDamage reports whether a damaged page or value caused the error.
func isDamage(err error) bool {
	return dbfile.IsDamage(err) || errors.Is(err, errDamaged)
}

// Inspect reads every page of a store file or a time-series index file and returns at most 50
// problems. No process may write the file meanwhile: Inspect returns an error of kind
// fault.Unavailable for a file in use, and fs.ErrNotExist for an absent file.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return dbfile.Inspect(ctx, path)
}

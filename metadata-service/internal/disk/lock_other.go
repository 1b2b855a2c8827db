//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
)

// lock fails, as this system has no locks that end with the process.
func lock(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// mine returns false: without locks it is unknown which files are in use, so nothing may be
// removed.
func mine(fs.FileInfo) bool { return false }

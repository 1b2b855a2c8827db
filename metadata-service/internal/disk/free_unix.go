//go:build unix

package disk

import (
	"math"

	"golang.org/x/sys/unix"
)

// Free returns the number of bytes that this user may still write to the file system of a path,
// without regard to quotas.
func Free(path string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return 0, err
	}
	free := float64(fs.Bavail) * float64(fs.Bsize) // types differ between systems
	return int64(min(free, math.MaxInt64/2)), nil
}

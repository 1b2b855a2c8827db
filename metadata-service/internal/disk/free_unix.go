//go:build unix

package disk

import (
	"math"

	"golang.org/x/sys/unix"
)

// Free is how many bytes this user may still write to the file system of a path,
// quotas apart.
func Free(path string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return 0, err
	}
	free := float64(fs.Bavail) * float64(fs.Bsize) // types differ between systems
	return int64(min(free, math.MaxInt64/2)), nil
}

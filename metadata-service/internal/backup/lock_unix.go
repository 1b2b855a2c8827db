//go:build unix

package backup

import (
	"errors"
	"os"
	"syscall"

	"github.com/cartulary/cartulary/pkg/fault"
)

// lockFolder keeps other restores out of a directory until the file is closed.
func lockFolder(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Unavailable, "something is restored to %s already; wait for its end", path), f.Close())
	}
	return f, nil
}

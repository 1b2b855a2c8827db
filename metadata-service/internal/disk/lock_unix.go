//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock locks the file or folder at a path for this process, until the returned file is closed. It
// returns errLocked if another process holds the lock, and fs.ErrNotExist if the path was removed
// meanwhile.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = errLocked
	case err == nil && !isAt(f, path):
		err = fs.ErrNotExist // the locked file has lost its name
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, there)
}

// mine reports whether a file belongs to the user of the process. Files of other users in a shared
// folder are left to these users, even by root.
func mine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

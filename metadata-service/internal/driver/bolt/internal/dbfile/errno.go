package dbfile

import (
	"io/fs"
	"strings"
	"syscall"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
)

// Translate gives a failed write of a file its kind: fault.StorageFull on a full
// disk, whichever call of the library has met it. Other errors are returned unchanged.
func Translate(err error) error { return disk.Translate(RestoreErrno(err)) }

// The library tells that it could not make a file larger in text alone.
const (
	resizeFailed = "file resize error: "
	syncFailed   = "file sync error: "
)

// RestoreErrno finds the system's error in such a text, so that a full disk is
// known as one whichever call has met it. Other errors are returned unchanged.
func RestoreErrno(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	op := "truncate"
	switch {
	case strings.HasPrefix(text, syncFailed):
		op = "sync"
	case !strings.HasPrefix(text, resizeFailed):
		return err
	}
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS} {
		if strings.HasSuffix(text, errno.Error()) {
			return &fs.PathError{Op: op, Path: "the file", Err: errno}
		}
	}
	return err
}

package dbfile

import (
	"io/fs"
	"strings"
	"syscall"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
)

// Translate assigns the kind fault.StorageFull to a write that failed on a full disk, for any call
// of bbolt. It returns other errors unchanged.
func Translate(err error) error { return disk.Translate(RestoreErrno(err)) }

// Prefixes of bbolt's messages about a failed growth of the file; bbolt does not wrap the error of
// the system.
const (
	resizeFailed = "file resize error: "
	syncFailed   = "file sync error: "
)

// RestoreErrno recovers the system error from such a message, so that a full disk is recognised for
// all calls. It returns other errors unchanged.
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

// Package disk gives failures of the file system a kind, for the packages that
// write files: what the system calls ENOSPC is a fault.StorageFull up there.
package disk

import (
	"errors"
	"syscall"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Translate wraps an error of the file system in the fault that callers may act
// on: fault.StorageFull when there is no room for the write, fault.Unavailable
// when the file system takes no writes. Other errors, and those that have a kind
// already, are returned unchanged; nil stays nil.
func Translate(err error) error {
	if err == nil || fault.KindOf(err) != fault.Internal {
		return err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return full(err, "the disk of the data folder is full")
	case errors.Is(err, syscall.EDQUOT):
		return full(err, "the disk quota of the data folder is used up")
	case errors.Is(err, syscall.EFBIG):
		return full(err, "a file of the data folder would pass the largest size that its file system or `ulimit -f` allows")
	case errors.Is(err, syscall.EROFS):
		return fault.Wrap(err, fault.Unavailable, "the file system of the data folder is read-only: nothing was written; "+
			"an operator has to find out why (the system log says), and mount it for writing")
	}
	return err
}

// full ends with what there is to do, as the caller may be the operator.
func full(err error, reason string) error {
	return fault.Wrap(err, fault.StorageFull, "%s: nothing was written; make room there or raise the limit, then send the request again (no restart is needed)", reason)
}

// Package disk gives failures of the file system a kind, for the packages that
// write files: what the system calls ENOSPC is a fault.StorageFull up there.
// It also makes the temporary files and complete files of commands, of which a
// process that is killed leaves nothing that the next one does not remove.
package disk

import (
	"errors"
	"syscall"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Translate wraps an error of the file system in the fault that callers may act
// on: fault.StorageFull when there is no room for the write, fault.Unavailable
// when the file system takes no writes. Other errors, and those that have a kind
// already, are returned unchanged; nil stays nil. It is for the files of the data
// folder; TranslateAt is for others.
func Translate(err error) error {
	return translate(err, "the data folder", "send the request again (no restart is needed)")
}

// TranslateAt is Translate for what a command writes elsewhere, such as to the folder of
// its output. Messages name the place, which the operator has to make room at.
func TranslateAt(err error, place string) error {
	return translate(err, place, "run the command again")
}

func translate(err error, place, again string) error {
	if err == nil || fault.KindOf(err) != fault.Internal {
		return err
	}
	// The messages end with what there is to do, as the caller may be the operator.
	full := func(format string) error {
		return fault.Wrap(err, fault.StorageFull, format+": nothing was written; make room there or raise the limit, then %s", place, again)
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return full("the disk of %s is full")
	case errors.Is(err, syscall.EDQUOT):
		return full("the disk quota of %s is used up")
	case errors.Is(err, syscall.EFBIG):
		return full("a file of %s would pass the largest size that its file system or `ulimit -f` allows")
	case errors.Is(err, syscall.EROFS):
		return fault.Wrap(err, fault.Unavailable, "the file system of %s is read-only: nothing was written; "+
			"an operator has to find out why (the system log says), and mount it for writing", place)
	}
	return err
}

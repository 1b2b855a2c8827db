// Package disk assigns fault kinds to failures of the file system, for packages that write files:
// for example it converts ENOSPC to fault.StorageFull. It also creates the temporary files and
// complete files of commands. Files that a killed process leaves are removed by the next one.
package disk

import (
	"errors"
	"syscall"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Translate wraps an error of the file system in a fault that callers can handle: fault.StorageFull
// when there is no space for the write, fault.Unavailable when the file system is not writable. It
// returns other errors, and errors that already have a kind, unchanged; nil stays nil. Its messages
// are for the files of the data folder; use TranslateAt for others.
func Translate(err error) error {
	return translate(err, "the data folder", "send the request again (no restart is needed)")
}

// TranslateAt is Translate for files that a command writes elsewhere, such as its output folder.
// Messages name the place where the operator must free space.
func TranslateAt(err error, place string) error {
	return translate(err, place, "run the command again")
}

func translate(err error, place, again string) error {
	if err == nil || fault.KindOf(err) != fault.Internal {
		return err
	}
	// The messages end with the remedy, as the caller may be the operator.
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

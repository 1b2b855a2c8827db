package dbfile

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// prefetchBytes is the least size of a value that justifies a system call.
const prefetchBytes = 64 << 10

// Prefetch asks the system to read a large value of a mapped file at once. bbolt maps files for
// random access, so otherwise each page of the value that is not in memory would cost a separate
// read, one after the other. Prefetch does nothing for small values and for values in ordinary
// memory.
func Prefetch(value []byte) {
	if len(value) < prefetchBytes {
		return
	}
	at := uintptr(unsafe.Pointer(&value[0]))
	before := at & uintptr(os.Getpagesize()-1) // madvise requires an address at the beginning of a page
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, at-before, before+uintptr(len(value)), unix.MADV_WILLNEED)
	runtime.KeepAlive(value)
}

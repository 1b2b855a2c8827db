package dbfile

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// prefetchBytes is from where on a value is worth a system call.
const prefetchBytes = 64 << 10

// Prefetch makes the system read a large value of a mapped file at once. The library maps
// files for random access, so that each page of a value which is not in memory would be a read
// of its own, one after the other. Small values, and those in ordinary memory, stay as they are.
func Prefetch(value []byte) {
	if len(value) < prefetchBytes {
		return
	}
	at := uintptr(unsafe.Pointer(&value[0]))
	before := at & uintptr(os.Getpagesize()-1) // the system wants the beginning of a page
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, at-before, before+uintptr(len(value)), unix.MADV_WILLNEED)
	runtime.KeepAlive(value)
}

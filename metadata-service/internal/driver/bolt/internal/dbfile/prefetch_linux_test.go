package dbfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// majorFaults returns how often this thread has waited for a page to be read from disk.
func majorFaults(t *testing.T) int64 {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		t.Fatal(err)
	}
	return int64(usage.Majflt)
}

// TestLargeValuesAreReadFromTheDiskAtOnce reads a mapped value that is not in memory.
func TestLargeValuesAreReadFromTheDiskAtOnce(t *testing.T) {
	const size = 2 << 20
	path := filepath.Join(t.TempDir(), "mapped")
	text := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	read := func(prefetch bool) (faults int64) {
		t.Helper()
		if err := unix.Fadvise(int(f.Fd()), 0, size, unix.FADV_DONTNEED); err != nil {
			t.Fatal(err)
		}
		mapped, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Munmap(mapped) }()
		if err := unix.Madvise(mapped, unix.MADV_RANDOM); err != nil {
			t.Fatal(err)
		}
		before := majorFaults(t)
		value := mapped[100 : size-100]
		if prefetch {
			dbfile.Prefetch(value)
		}
		if !bytes.Equal(value, text[100:size-100]) {
			t.Error("the value has changed")
		}
		return majorFaults(t) - before
	}
	alone := read(false)
	if alone < 100 {
		t.Skipf("the system keeps the file in memory: %d reads", alone)
	}
	if got := read(true); got > alone/4 {
		t.Errorf("%d reads with prefetching, %d without", got, alone)
	}
}

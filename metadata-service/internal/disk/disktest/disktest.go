//go:build unix

// Package disktest simulates a full disk for a test, without privileges: it runs the test in a
// separate process and lowers the file size limit there. The program then gets EFBIG instead of
// ENOSPC, for every file it writes.
package disktest

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

const inside = "DISKTEST_INSIDE"

// Alone reports whether the test runs in a separate process. If not, it runs the test in one, and
// the test takes over the result.
func Alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inside) == t.Name() {
		return true
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1")
	command.Env = append(os.Environ(), inside+"="+t.Name())
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("in its own process: %v\n%s", err, out)
	}
	return false
}

// Full limits the size of files that this process writes, until the returned function is called.
// With 0 bytes nearly every write fails. The limit applies to the whole process: see Alone.
func Full(t testing.TB, bytes uint64) (lift func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	lift = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(lift)
	return lift
}

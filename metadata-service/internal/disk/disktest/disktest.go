//go:build unix

// Package disktest makes the disk full for a test, without privileges: it runs
// the test in a process of its own and lowers the file size limit there. To the
// program that is EFBIG in place of ENOSPC, in every file it writes.
package disktest

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

const inside = "DISKTEST_INSIDE"

// Alone tells whether the test runs in a process of its own. Where it does not,
// it is run in one, and its outcome is that of the test.
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

// Full lets files of this process grow no further than so many bytes, 0
// refusing nearly every write, until the function it returns is called. The
// limit is that of the process: see Alone.
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

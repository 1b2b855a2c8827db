// Package programtest builds the programs of the repository for tests that start them. A package
// that uses it must call Main in its TestMain.
package programtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
)

// folder holds the built programs; empty outside of Main.
var folder string

var (
	mu    sync.Mutex
	built = map[string]error{} // by main package
)

// Main runs the tests of a package, removes the programs that were built for them, and does not
// return.
func Main(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "programs"); err != nil {
		fmt.Fprintln(os.Stderr, "programtest:", err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

// Build compiles the main package in dir and returns the path of the binary. The last element of
// dir is the name of the program. Each program is compiled once per test run. Tests with the race
// detector get a program with it; others get the release configuration. Paths are trimmed if they
// are trimmed in the tests, so that no package is compiled twice.
func Build(tb testing.TB, dir string) string {
	tb.Helper()
	if folder == "" {
		tb.Fatal("programtest.Build is called without programtest.Main in TestMain")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		tb.Fatal(err)
	}
	binary := filepath.Join(folder, filepath.Base(dir))
	mu.Lock()
	defer mu.Unlock()
	err, done := built[binary]
	if !done {
		err = compile(dir, binary)
		built[binary] = err
	}
	if err != nil {
		tb.Fatal(err)
	}
	return binary
}

func compile(dir, binary string) error {
	command := exec.Command("go", "build", "-o", binary, "-trimpath="+strconv.FormatBool(builtWith("-trimpath")))
	command.Dir = dir
	if builtWith("-race") {
		command.Args = append(command.Args, "-race")
	} else {
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	out, err := command.CombinedOutput()
	if err != nil {
		err = errors.Join(fmt.Errorf("%v: %w", command, err), errors.New(string(out)))
	}
	return err
}

// builtWith reports whether the running tests were built with a flag.
func builtWith(flag string) bool {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == flag {
			return s.Value == "true"
		}
	}
	return false
}

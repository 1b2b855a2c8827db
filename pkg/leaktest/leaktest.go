// Package leaktest fails the tests of a package when a goroutine outlives them.
// Packages that start goroutines use it; what it finds has no owner that waits.
package leaktest

import (
	"fmt"
	"net/http"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and looks for goroutines that are left. It is
// called by TestMain and does not return.
func Main(m *testing.M) {
	libraries := goleak.IgnoreCurrent() // what they start when the process does
	code := m.Run()
	// Connections that clients of the tests keep are no leaks.
	http.DefaultClient.CloseIdleConnections()
	if code == 0 {
		code = check(libraries)
	}
	os.Exit(code)
}

// check is the exit code after tests that passed; others may have stopped half way.
func check(ignored goleak.Option) int {
	if err := goleak.Find(ignored); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines outlive the tests:", err)
		return 1
	}
	return 0
}

// Package leaktest fails the tests of a package if a goroutine outlives them. Packages that start
// goroutines use it: a remaining goroutine has no owner that waits for it.
package leaktest

import (
	"fmt"
	"net/http"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and then searches for remaining goroutines. TestMain calls it;
// it does not return.
func Main(m *testing.M) {
	libraries := goleak.IgnoreCurrent() // goroutines that libraries start in their init functions
	code := m.Run()
	// Idle client connections of the tests are not leaks.
	http.DefaultClient.CloseIdleConnections()
	if code == 0 {
		code = check(libraries)
	}
	os.Exit(code)
}

// check returns the exit code after tests that passed; tests that failed may have left goroutines.
func check(ignored goleak.Option) int {
	if err := goleak.Find(ignored); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines outlive the tests:", err)
		return 1
	}
	return 0
}

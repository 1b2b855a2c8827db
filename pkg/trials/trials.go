// Package trials determines the number of repetitions of tests with random input. The race detector
// makes a test about ten times as slow and finds nothing new in repetitions of one goroutine, so
// tests with it run a fifth of the repetitions. The continuous integration also runs such tests
// without it, with all repetitions (see .ci/coverage).
package trials

import (
	"fmt"
	"os"
	"strconv"
)

// Variable is the name of the environment variable with a whole number by which repetitions are
// multiplied, with and without the race detector, to test changes of the tested code more
// thoroughly.
const Variable = "TRIALS"

// withRaceDetector is the divisor of the repetitions with the race detector.
const withRaceDetector = 5

// Raced reports whether the race detector is on. A test may then skip checks that only verify the
// test itself; these also run without the race detector.
func Raced() bool { return raceDetector }

// Count returns the number of repetitions of a test for a regular number n: n, or a fifth of n with
// the race detector, or n times the factor in the environment variable. It is at least one. An
// invalid variable causes a panic.
func Count(n int) int {
	if text := os.Getenv(Variable); text != "" {
		factor, err := strconv.Atoi(text)
		if err != nil || factor < 1 {
			panic(fmt.Sprintf("%s is %q, want a whole number of at least 1", Variable, text))
		}
		return n * factor
	}
	if raceDetector {
		return max(1, n/withRaceDetector)
	}
	return n
}

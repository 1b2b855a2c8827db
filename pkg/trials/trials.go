// Package trials tells tests with random input how often to try. The race detector
// makes a test about ten times as slow and finds nothing new in repetitions of one
// goroutine, so tests with it try a fifth as often. The continuous integration runs
// such tests without it as well, as often as they say (see .ci/coverage).
package trials

import (
	"fmt"
	"os"
	"strconv"
)

// Variable names the environment variable with a whole number by which trials are
// multiplied, with the race detector and without: more of them, for changes of what
// they try.
const Variable = "TRIALS"

// withRaceDetector is the part of the trials that is left with the race detector, as
// a divisor.
const withRaceDetector = 5

// Raced reports whether the race detector is on. A test leaves controls out then that only tell whether it tests something:
// it tells so without the race detector.
func Raced() bool { return raceDetector }

// Count gives how often a test tries that is meant to try n times: n times, or a fifth
// of that with the race detector, or as many times n as the environment says. It is
// never less than one. An environment that says something else is a defect of the
// caller's, and panics.
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

package footprint_test

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/cartulary/cartulary/pkg/footprint"
)

// TestTheLimitThatWasSetCountsFirst changes a setting of the process, so it is not parallel.
func TestTheLimitThatWasSetCountsFirst(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	if got := footprint.SetLimit(1 << 40); got != 1<<40 || debug.SetMemoryLimit(-1) != 1<<40 {
		t.Errorf("set: %d, the runtime has %d", got, debug.SetMemoryLimit(-1))
	}
	// As the runtime does for GOMEMLIMIT.
	debug.SetMemoryLimit(1 << 41)
	if got := footprint.SetLimit(0); got != 1<<41 {
		t.Errorf("from the environment: %d", got)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	if got := footprint.SetLimit(0); got < 0 || got > 0 && debug.SetMemoryLimit(-1) != got {
		t.Errorf("of the container: %d, the runtime has %d", got, debug.SetMemoryLimit(-1))
	}
}

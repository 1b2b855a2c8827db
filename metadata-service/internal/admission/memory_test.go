package admission_test

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
)

// TestTheLimitThatWasSetCountsFirst changes a setting of the process, so it is not
// parallel.
func TestTheLimitThatWasSetCountsFirst(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	if got := admission.SetLimit(1 << 40); got != 1<<40 || debug.SetMemoryLimit(-1) != 1<<40 {
		t.Errorf("set: %d, the runtime has %d", got, debug.SetMemoryLimit(-1))
	}
	// As GOMEMLIMIT does it.
	debug.SetMemoryLimit(1 << 41)
	if got := admission.SetLimit(0); got != 1<<41 {
		t.Errorf("from the environment: %d", got)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	if got := admission.SetLimit(0); got < 0 || got > 0 && debug.SetMemoryLimit(-1) != got {
		t.Errorf("of the container: %d, the runtime has %d", got, debug.SetMemoryLimit(-1))
	}
}

func TestWhatIsReachableIsMeasured(t *testing.T) {
	t.Parallel()
	debug.FreeOSMemory()
	if live := admission.Live(); live < 10<<10 || live > 1<<30 {
		t.Errorf("%d bytes", live)
	}
}

package admission_test

import (
	"runtime/debug"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
)

func TestWhatIsReachableIsMeasured(t *testing.T) {
	t.Parallel()
	debug.FreeOSMemory()
	if live := admission.Live(); live < 10<<10 || live > 1<<30 {
		t.Errorf("%d bytes", live)
	}
}

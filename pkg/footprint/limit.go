package footprint

import (
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is the part of a container's memory that is set as the limit. The rest is for stacks,
// file pages, and garbage that is not collected yet.
const memoryShare = 0.9

// unlimited is the value from which a limit means none: the first version of control groups reports
// a number close to the greatest one.
const unlimited = 1 << 50

// SetLimit sets a soft memory limit, near which the garbage collector runs more often, and returns
// the limit in bytes, zero for none. The parameter takes precedence, then GOMEMLIMIT, which the
// runtime reads itself, then nine tenths of the container limit.
func SetLimit(set int64) int64 {
	switch known := debug.SetMemoryLimit(-1); {
	case set > 0:
		debug.SetMemoryLimit(set)
		return set
	case known < math.MaxInt64:
		return known
	}
	contained, err := memlimit.FromCgroup()
	if err != nil || contained >= unlimited {
		return 0 // the process has no container limit
	}
	limit := int64(memoryShare * float64(contained))
	debug.SetMemoryLimit(limit)
	return limit
}

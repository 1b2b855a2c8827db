package footprint

import (
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is the part of a container's memory that the process aims at. The rest is
// for stacks, for pages of files and for what grows before it is collected.
const memoryShare = 0.9

// unlimited is from where a limit is none: the first version of control groups
// writes a number close to the largest.
const unlimited = 1 << 50

// SetLimit makes the garbage collector work harder as memory comes near to a soft
// limit, and gives that limit in bytes. A limit that was set counts first, then
// GOMEMLIMIT, which the runtime reads itself, then nine tenths of what the
// container may take. It is zero when there is none.
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
		return 0 // nothing contains the process
	}
	limit := int64(memoryShare * float64(contained))
	debug.SetMemoryLimit(limit)
	return limit
}

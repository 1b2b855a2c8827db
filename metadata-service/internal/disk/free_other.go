//go:build !unix

package disk

import "math"

// Free returns a large number on this system, where the free space is unknown. A full disk is
// detected by the write itself.
func Free(string) (int64, error) { return math.MaxInt64 / 2, nil }

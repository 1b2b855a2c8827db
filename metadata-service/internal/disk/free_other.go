//go:build !unix

package disk

import "math"

// Free is not known on this system, where a full disk is met by the write itself.
func Free(string) (int64, error) { return math.MaxInt64 / 2, nil }

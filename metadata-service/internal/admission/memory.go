package admission

import "runtime/metrics"

// Live is what was reachable when the garbage collector last looked, in bytes.
func Live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

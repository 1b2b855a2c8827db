package admission

import "runtime/metrics"

// Live returns the memory that was reachable at the last garbage collection, in bytes.
func Live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

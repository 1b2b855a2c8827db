package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Memory of a comparison in bytes, measured with schemas and labels: for each value of a version,
// decoded and split into facts, and for each change, as an event and in the answer.
const (
	valueBytes = 200
	eventBytes = 1500
)

// valueTime is the processor time for reading, decoding and comparing one value of a version.
const valueTime = time.Microsecond

// Reserve waits for so many bytes of memory, and until the request may use so much processor time.
// It returns fault.TooLarge for amounts that exceed the limit of a request, and fault.Unavailable
// when there is no memory.
type Reserve func(ctx context.Context, bytes int64, work time.Duration) error

// memoryBudget tracks the memory of one request. Two versions are decoded at a time, so it reserves
// memory for the largest pair of consecutive versions.
type memoryBudget struct {
	reserve   Reserve
	pairBytes int64 // bytes reserved for a pair of versions
	lastBytes int64 // weight of the last decoded version
}

// weight returns the memory of a decoded version with so many values.
func weight(text []byte, values int) int64 { return int64(len(text)) + valueBytes*int64(values) }

// begin starts a new aspect, of which no version is decoded yet.
func (r *memoryBudget) begin() { r.lastBytes = 0 }

// version reserves memory and processor time for one more version, before it is decoded.
func (r *memoryBudget) version(ctx context.Context, a *catalog.Aspect) error {
	if r.reserve == nil {
		return nil
	}
	values := jsontree.Count(a.Value)
	now := weight(a.Value, values)
	need := max(r.pairBytes, r.lastBytes+now)
	if err := r.reserve(ctx, need-r.pairBytes, valueTime*time.Duration(values)); err != nil {
		return tooLarge(err, a)
	}
	r.lastBytes, r.pairBytes = now, need
	return nil
}

// keep reserves memory for the events of a version and, with diffs, for the version itself.
func (r *memoryBudget) keep(ctx context.Context, events int, a *catalog.Aspect, diffs bool) error {
	if r.reserve == nil || events == 0 {
		return nil
	}
	bytes := eventBytes * int64(events)
	if diffs {
		bytes += weight(a.Value, jsontree.Count(a.Value))
	}
	return tooLarge(r.reserve(ctx, bytes, 0), a)
}

func tooLarge(err error, a *catalog.Aspect) error {
	if err == nil || !errors.Is(err, fault.TooLarge) {
		return err
	}
	return fault.Wrap(err, fault.TooLarge, "the versions of %s of %s and their differences need more memory than one request may use", a.Spec.Name, a.URN)
}

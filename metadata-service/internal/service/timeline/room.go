package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
)

// What a comparison takes in bytes of memory, as measured with schemas and labels: each
// value of a version, decoded and made into facts, and each change, told and answered.
const (
	valueBytes = 200
	eventBytes = 1500
)

// valueTime is the processor time of reading, decoding and comparing one value of a version.
const valueTime = time.Microsecond

// Reserve waits for room in memory for so many bytes, and until the request may spend so
// much processor time. It gives fault.TooLarge for what no
// request may take, and fault.Unavailable when there is no room.
type Reserve func(ctx context.Context, bytes int64, work time.Duration) error

// room is the memory of one request. Two versions are decoded at a time, so that the
// largest two that follow each other are what is taken for versions.
type room struct {
	reserve Reserve
	pair    int64 // taken for versions
	before  int64 // weight of the version decoded last
}

// weight is what a version of so many values takes once it is decoded.
func weight(text []byte, values int) int64 { return int64(len(text)) + valueBytes*int64(values) }

// begin tells that an aspect is looked at of which no version is decoded yet.
func (r *room) begin() { r.before = 0 }

// version takes room and time for one more version, before it is decoded.
func (r *room) version(ctx context.Context, a *catalog.Aspect) error {
	if r.reserve == nil {
		return nil
	}
	values := jsontree.Count(a.Value)
	now := weight(a.Value, values)
	need := max(r.pair, r.before+now)
	if err := r.reserve(ctx, need-r.pair, valueTime*time.Duration(values)); err != nil {
		return tooLarge(err, a)
	}
	r.before, r.pair = now, need
	return nil
}

// keep takes room for changes of a version that are told, and for the version itself where
// what changed in it is told as well.
func (r *room) keep(ctx context.Context, events int, a *catalog.Aspect, diffs bool) error {
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
	return fault.Wrap(err, fault.TooLarge, "the versions of %s of %s, and what changed in them, take more memory than a request may have", a.Spec.Name, a.URN)
}

package timeline

import (
	"context"
	"errors"

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

// Reserve waits for room in memory for so many bytes. It gives fault.TooLarge for what no
// request may take, and fault.Unavailable when there is no room.
type Reserve func(ctx context.Context, bytes int64) error

// room is the memory of one request. Two versions are decoded at a time, so that the
// largest two that follow each other are what is taken for versions.
type room struct {
	reserve Reserve
	pair    int64 // taken for versions
	before  int64 // weight of the version decoded last
}

// weight is what a version takes once it is decoded.
func weight(text []byte) int64 { return int64(len(text)) + valueBytes*int64(jsontree.Count(text)) }

// begin tells that an aspect is looked at of which no version is decoded yet.
func (r *room) begin() { r.before = 0 }

// version takes room for one more version, before it is decoded.
func (r *room) version(ctx context.Context, a *catalog.Aspect) error {
	if r.reserve == nil {
		return nil
	}
	now := weight(a.Value)
	if need := r.before + now; need > r.pair {
		if err := r.reserve(ctx, need-r.pair); err != nil {
			return tooLarge(err, a)
		}
		r.pair = need
	}
	r.before = now
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
		bytes += weight(a.Value)
	}
	return tooLarge(r.reserve(ctx, bytes), a)
}

func tooLarge(err error, a *catalog.Aspect) error {
	if err == nil || !errors.Is(err, fault.TooLarge) {
		return err
	}
	return fault.Wrap(err, fault.TooLarge, "the versions of %s of %s, and what changed in them, take more memory than a request may have", a.Spec.Name, a.URN)
}

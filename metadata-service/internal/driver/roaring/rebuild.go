package roaring

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rebuild implements search.Rebuilder. Only one rebuild can run at a time.
func (x *Index) Rebuild(ctx context.Context, sequence uint64, fill func(put func([]*search.Document) error) error) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	x.writeMu.Lock()
	if x.rebuilding != nil {
		x.writeMu.Unlock()
		return fault.New(fault.Conflict, "the search index is being built again already")
	}
	next := newIndexState(&version{applied: sequence})
	x.rebuilding, x.changedSince = next, map[urn.URN]struct{}{}
	x.writeMu.Unlock()

	err := background.Protect(func() error {
		if err := fill(func(docs []*search.Document) error { return x.put(ctx, next, docs) }); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		x.compact(next)
		return nil
	})
	x.writeMu.Lock()
	defer x.writeMu.Unlock()
	x.rebuilding, x.changedSince = nil, nil
	if err != nil {
		return err
	}
	x.state.Store(next)
	x.staleMu.Lock()
	x.stale = ""
	x.staleMu.Unlock()
	x.startMerges(next)
	return nil
}

// put adds documents to an index state during a rebuild.
func (x *Index) put(ctx context.Context, l *indexState, docs []*search.Document) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	s := x.build(docs)
	if s == nil {
		return nil
	}
	for job := x.append(l, s); job != nil; {
		job = x.merge(l, job)
	}
	return nil
}

// append adds a segment to an index state during a rebuild, and returns the next merge, or nil.
func (x *Index) append(l *indexState, s *segment) *mergeJob {
	x.writeMu.Lock()
	defer x.writeMu.Unlock()
	view := segmentView{segment: s, cache: &viewCache{}}
	view.deleted = x.replacedSince(s)
	v := l.version.Load()
	e := v.edit()
	e.segments = append(e.segments, view)
	l.version.Store(e.finish(v.applied))
	return l.nextMerge()
}

// replacedSince returns the documents of a segment that newer changes have replaced.
func (x *Index) replacedSince(s *segment) *roaring.Bitmap {
	var replaced *roaring.Bitmap
	for u := range x.changedSince {
		if doc, ok := s.find(u); ok {
			if replaced == nil {
				replaced = roaring.New()
			}
			replaced.Add(doc)
		}
	}
	return replaced
}

// compact merges all segments of an index state before readers use it: few segments give the
// fastest searches.
func (x *Index) compact(l *indexState) {
	x.writeMu.Lock()
	var segments []segmentView
	for _, view := range l.version.Load().segments {
		if !l.merging[view.id] {
			segments = append(segments, view)
		}
	}
	var j *mergeJob
	if len(segments) > 1 {
		j = l.reserve(segments)
	}
	x.writeMu.Unlock()
	if j == nil {
		return
	}
	m := j.run(x.lastSegment.Add(1))
	x.writeMu.Lock()
	defer x.writeMu.Unlock()
	l.install(j, m)
}

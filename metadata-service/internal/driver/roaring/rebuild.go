package roaring

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rebuild implements search.Rebuilder. There is one rebuild at a time.
func (x *Index) Rebuild(ctx context.Context, sequence uint64, fill func(put func([]*search.Document) error) error) error {
	x.writing.Lock()
	if x.next != nil {
		x.writing.Unlock()
		return fault.New(fault.Conflict, "the search index is being built again already")
	}
	next := newLine(&version{applied: sequence})
	x.next, x.fresh = next, map[urn.URN]struct{}{}
	x.writing.Unlock()

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
	x.writing.Lock()
	defer x.writing.Unlock()
	x.next, x.fresh = nil, nil
	if err != nil {
		return err
	}
	x.live.Store(next)
	x.state.Lock()
	x.stale = ""
	x.state.Unlock()
	x.tidy(next)
	return nil
}

// put adds documents to a line that is being filled.
func (x *Index) put(ctx context.Context, l *line, docs []*search.Document) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if x.closed.Load() {
		return errClosed()
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

// append adds a segment to a line that is being filled, and gives the merge that
// is due then.
func (x *Index) append(l *line, s *segment) *job {
	x.writing.Lock()
	defer x.writing.Unlock()
	part := view{segment: s, cache: &viewCache{}}
	part.deleted = x.overtaken(s)
	v := l.version.Load()
	e := v.edit()
	e.parts = append(e.parts, part)
	l.version.Store(e.finish(v.applied))
	return l.due()
}

// overtaken are the documents of a segment that newer changes have replaced.
func (x *Index) overtaken(s *segment) *roaring.Bitmap {
	var gone *roaring.Bitmap
	for u := range x.fresh {
		if doc, ok := s.find(u); ok {
			if gone == nil {
				gone = roaring.New()
			}
			gone.Add(doc)
		}
	}
	return gone
}

// compact merges all but large segments of a line that nobody reads yet: what
// is built in one go is best searched in few pieces.
func (x *Index) compact(l *line) {
	x.writing.Lock()
	var parts []view
	for _, part := range l.version.Load().parts {
		if !l.busy[part.id] {
			parts = append(parts, part)
		}
	}
	var j *job
	if len(parts) > 1 {
		j = l.begin(parts)
	}
	x.writing.Unlock()
	if j == nil {
		return
	}
	m := j.run(x.segment.Add(1))
	x.writing.Lock()
	defer x.writing.Unlock()
	l.install(j, m)
}

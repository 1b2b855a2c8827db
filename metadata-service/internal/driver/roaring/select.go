package roaring

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// preparedExpression is an expression prepared for evaluation in segments.
type preparedExpression struct {
	is       *preparedCriterion
	all, any []preparedExpression
	not      *preparedExpression
	ref      *int
}

// Select implements search.Selector. Each expression becomes a set of documents per segment,
// computed from the sets of its criteria.
func (x *Index) Select(ctx context.Context, s search.Selection, visit func(u urn.URN, holds search.ExpressionSet) error) (passed search.Passed, err error) {
	if err := x.usable(ctx); err != nil {
		return passed, err
	}
	if err := s.Check(); err != nil {
		return passed, err
	}
	base, err := x.prepareQuery(&search.Query{Types: s.Types, Within: s.Within, Visible: s.Visible, VisibleKey: s.VisibleKey})
	if err != nil {
		return passed, err
	}
	ready := make([]preparedExpression, len(s.Expressions))
	for i := range s.Expressions {
		if ready[i], err = x.prepareExpression(&s.Expressions[i]); err != nil {
			return passed, err
		}
	}
	var where *preparedExpression
	if s.Where != nil {
		only, err := x.prepareExpression(s.Where)
		if err != nil {
			return passed, err
		}
		where, passed.Holding = &only, make([]int, len(ready))
	}
	v := x.current()
	visible := x.visibleSets(ctx, v, base.visible)
	for i, view := range v.segments {
		in := &segmentSelection{view: view, set: base.baseSet(ctx, view, at(visible, i))}
		if in.set.IsEmpty() {
			continue
		}
		in.evaluate(ctx, ready)
		if where != nil {
			in.restrict(ctx, where, &passed)
		}
		if err := in.each(ctx, visit); err != nil {
			return passed, err
		}
	}
	return passed, ctx.Err()
}

func (x *Index) prepareExpression(e *search.Expression) (out preparedExpression, err error) {
	switch {
	case e.Is != nil:
		c, err := x.prepareCriterion(*e.Is)
		c.places = []place{x.schemas.place(search.PlainName(e.Is.Field))}
		c.key = "exact " + c.key
		out.is = &c
		return out, err
	case e.Not != nil:
		not, err := x.prepareExpression(e.Not)
		out.not = &not
		return out, err
	case e.Ref != nil:
		out.ref = e.Ref
		return out, nil
	case e.Any != nil:
		out.any, err = x.prepareExpressions(e.Any)
		return out, err
	}
	out.all, err = x.prepareExpressions(e.All)
	return out, err
}

func (x *Index) prepareExpressions(list []search.Expression) ([]preparedExpression, error) {
	out := make([]preparedExpression, len(list))
	for i := range list {
		var err error
		if out[i], err = x.prepareExpression(&list[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// blockDocs is the number of documents of a segment whose results are in memory together: with
// search.MaxExpressions these are 8 MiB.
const blockDocs = 1 << 16

// segmentSelection is a selection in one segment.
type segmentSelection struct {
	view  segmentView
	set   *bitmap   // documents to visit
	found []*bitmap // by expression: the documents for which it holds
}

func (in *segmentSelection) evaluate(ctx context.Context, ready []preparedExpression) {
	in.found = make([]*bitmap, 0, len(ready)) // later expressions refer to earlier ones
	for i := range ready {
		in.found = append(in.found, in.within(ctx, &ready[i], in.set))
	}
}

// restrict keeps the documents for which an expression holds, and counts the others.
func (in *segmentSelection) restrict(ctx context.Context, where *preparedExpression, passed *search.Passed) {
	visited := in.within(ctx, where, in.set)
	rest := andNot(in.set, visited)
	passed.Documents += int(rest.GetCardinality())
	for i, found := range in.found {
		passed.Holding[i] += int(rest.AndCardinality(found))
		in.found[i] = and(visited, found)
	}
	in.set = visited
}

// jump is the distance in names up to which the cursor steps instead of seeking.
const jump = 64

// each visits the documents, block by block.
func (in *segmentSelection) each(ctx context.Context, visit func(urn.URN, search.ExpressionSet) error) error {
	if in.set.IsEmpty() {
		return ctx.Err()
	}
	sets := make([]iterator, len(in.found))
	for i, found := range in.found {
		sets[i] = found.Iterator()
	}
	first, words := int(in.set.Minimum()), len(search.NewExpressionSet(len(sets)))
	holds := make(search.ExpressionSet, words*min(int(in.set.Maximum())-first+1, blockDocs))
	docs, names := in.set.Iterator(), in.view.urns.from(first)
	for start := first; docs.HasNext(); start += blockDocs {
		if ended(ctx) {
			return ctx.Err()
		}
		clear(holds)
		for i, it := range sets {
			for it.HasNext() && int(it.PeekNext()) < start+blockDocs {
				holds[(int(it.Next())-start)*words:].Add(i)
			}
		}
		for docs.HasNext() && int(docs.PeekNext()) < start+blockDocs {
			doc := int(docs.Next())
			if doc-names.index > jump {
				names = in.view.urns.from(doc)
			}
			for names.index < doc && names.next() {
			}
			at := (doc - start) * words
			if err := visit(urn.URN(names.text), holds[at:at+words]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// within returns the part of a set for which the expression holds.
func (in *segmentSelection) within(ctx context.Context, e *preparedExpression, set *bitmap) *bitmap {
	switch {
	case set.IsEmpty() || ctx.Err() != nil:
		return empty
	case e.is != nil && e.is.Negated:
		return andNot(set, in.view.matchCached(ctx, e.is))
	case e.is != nil:
		return and(set, in.view.matchCached(ctx, e.is))
	case e.ref != nil:
		return and(set, in.found[*e.ref])
	case e.not != nil:
		return andNot(set, in.within(ctx, e.not, set))
	case e.any != nil:
		found := make([]*bitmap, len(e.any))
		for i := range e.any {
			found[i] = in.within(ctx, &e.any[i], set)
		}
		return or(found...)
	}
	for i := range e.all {
		set = in.within(ctx, &e.all[i], set)
	}
	return set
}

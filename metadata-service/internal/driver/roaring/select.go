package roaring

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// preparedExpression is an expression made ready for segments.
type preparedExpression struct {
	is       *preparedCriterion
	all, any []preparedExpression
	not      *preparedExpression
}

// Select implements search.Selector: each expression becomes a set of documents of
// each segment, by the sets of its criteria.
func (x *Index) Select(ctx context.Context, s search.Selection, visit func(u urn.URN, holds search.ExpressionSet) error) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	base, err := x.prepareQuery(&search.Query{Types: s.Types, Within: s.Within, Visible: s.Visible, VisibleKey: s.VisibleKey})
	if err != nil {
		return err
	}
	ready := make([]preparedExpression, len(s.Expressions))
	for i := range s.Expressions {
		if ready[i], err = x.prepareExpression(&s.Expressions[i]); err != nil {
			return err
		}
	}
	v := x.current()
	visible := x.visibleSets(ctx, v, base.visible)
	for i, view := range v.segments {
		if err := selectIn(ctx, view, base.baseSet(ctx, view, at(visible, i)), ready, visit); err != nil {
			return err
		}
	}
	return ctx.Err()
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

// blockDocs is how many documents of a segment have their results together in
// memory: with search.MaxExpressions that is 8 MiB.
const blockDocs = 1 << 16

// selectIn visits the documents of one segment, block by block.
func selectIn(ctx context.Context, view segmentView, set *bitmap, ready []preparedExpression, visit func(urn.URN, search.ExpressionSet) error) error {
	if set.IsEmpty() {
		return ctx.Err()
	}
	found := make([]iterator, len(ready))
	for i := range ready {
		found[i] = ready[i].within(ctx, view.segment, set).Iterator()
	}
	words := len(search.NewExpressionSet(len(ready)))
	holds := make(search.ExpressionSet, words*min(view.n, blockDocs))
	docs, names := set.Iterator(), view.urns.from(0)
	for start := 0; docs.HasNext(); start += blockDocs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		clear(holds)
		for i, it := range found {
			for it.HasNext() && int(it.PeekNext()) < start+blockDocs {
				holds[(int(it.Next())-start)*words:].Add(i)
			}
		}
		for docs.HasNext() && int(docs.PeekNext()) < start+blockDocs {
			doc := int(docs.Next())
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

// within is the part of a set for which the expression holds.
func (e *preparedExpression) within(ctx context.Context, s *segment, set *bitmap) *bitmap {
	switch {
	case set.IsEmpty() || ctx.Err() != nil:
		return empty
	case e.is != nil && e.is.Negated:
		return andNot(set, s.matchCached(ctx, e.is))
	case e.is != nil:
		return and(set, s.matchCached(ctx, e.is))
	case e.not != nil:
		return andNot(set, e.not.within(ctx, s, set))
	case e.any != nil:
		found := make([]*bitmap, len(e.any))
		for i := range e.any {
			found[i] = e.any[i].within(ctx, s, set)
		}
		return or(found...)
	}
	for i := range e.all {
		set = e.all[i].within(ctx, s, set)
	}
	return set
}

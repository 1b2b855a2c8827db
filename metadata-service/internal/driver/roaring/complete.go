package roaring

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxCompletions is the maximum length of a list of completions.
const maxCompletions = 1000

// Autocomplete implements search.Index. Values that equal or begin with the text come first, then
// values in which every word of the text is the beginning of a word.
func (x *Index) Autocomplete(ctx context.Context, q search.AutocompleteQuery) ([]search.Completion, error) {
	if err := x.usable(ctx); err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > maxCompletions {
		return nil, fault.New(fault.Malformed, "limit %d is not between 0 and %d", q.Limit, maxCompletions)
	}
	if len(q.Text) > search.MaxTypedBytes {
		return nil, fault.New(fault.Malformed, "query: text has %d bytes, at most %d are completed; type less", len(q.Text), search.MaxTypedBytes)
	}
	sq := search.Query{Types: q.Types, Filter: q.Filter, And: q.And, Visible: q.Visible, VisibleKey: q.VisibleKey, WholeNames: q.WholeNames, Size: q.Limit}
	o := sortOrder{by: []search.Sort{{Field: scoreField, Descending: true}}}
	if err := check(&sq, o); err != nil {
		return nil, err
	}
	ready, err := x.prepareQuery(&sq)
	if err != nil {
		return nil, err
	}
	pieces := analysis.Sequence(q.Text)
	if err := checkTerms(len(pieces)); err != nil {
		return nil, err
	}
	fields := fieldSelection{completion: true, excluded: newExcludedFields(q.ExcludedFields)}
	if q.Field != "" {
		if fields = (&compiler{x: x, fields: fields}).namedFields(q.Field); len(fields.fields) == 0 {
			return nil, nil
		}
	}
	a := completion(q.Text, pieces, fields)
	v := x.current()
	bases, err := x.bases(ctx, v, ready)
	if err != nil {
		return nil, err
	}
	matches, _, err := evaluate(ctx, bases, a)
	if err != nil {
		return nil, err
	}
	sq.Size = min(q.Limit*overfetch, search.MaxPage)
	hits, _ := x.hits(ctx, v, &sq, o, matches)
	found := x.completions(ctx, hits, q.Limit)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return found, nil
}

// overfetch allows for hits whose text is already in the list.
const overfetch = 2

// completion compiles an incomplete text, given with its pieces.
func completion(text string, pieces []string, fields fieldSelection) *clause {
	whole := analysis.Fold(strings.TrimSpace(text))
	if whole == "" {
		return &clause{op: opNone}
	}
	any := &clause{op: opOr, children: []*clause{
		{op: opValue, text: whole, raw: strings.TrimSpace(text), fields: fields, weight: weightValue},
		{op: opValue, text: whole, raw: strings.TrimSpace(text), fields: fields, weight: weightValuePrefix, byPrefix: true},
	}}
	all := &clause{op: opAnd}
	for _, piece := range pieces {
		all.children = append(all.children, &clause{op: opPrefix, text: piece, raw: piece, fields: fields, weight: 1})
	}
	if len(all.children) > 0 && len(all.children) <= 32 {
		any.children = append(any.children, all)
	}
	return any
}

func (x *Index) completions(ctx context.Context, hits []hit, limit int) []search.Completion {
	var out []search.Completion
	for i := range hits {
		if ctx.Err() != nil {
			break
		}
		h := &hits[i]
		c := search.Completion{URN: h.urn(), Type: h.m.view.typeOf(h.doc)}
		c.Text = h.m.completedValue(h.doc)
		if c.Text == "" {
			continue
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
		if len(out) == limit {
			break
		}
	}
	return out
}

// completedValue returns the value of the field match that contributes most to a document.
func (m *match) completedValue(doc uint32) string {
	best := -1
	var value string
	for i := range m.fieldMatches {
		p := &m.fieldMatches[i]
		if best >= 0 && m.fieldMatches[best].contribution(m, doc) >= p.contribution(m, doc) || !p.docs.contains(doc) {
			continue
		}
		matched := m.values(nil, doc, p.field, m.view.names[p.field], []*clause{p.clause})
		if len(matched) > 0 {
			best, value = i, matched[0].Value
		}
	}
	return value
}

// contribution returns the weight of a field match for a document, before length normalization.
func (p *fieldMatch) contribution(m *match, doc uint32) float32 {
	return p.weight * p.use.boost(m.view.column(typeField), doc)
}

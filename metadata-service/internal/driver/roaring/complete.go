package roaring

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxCompletions bounds a list of completions.
const maxCompletions = 1000

// Autocomplete implements search.Index. Values that are or begin with the text
// come first, then those in which every word of the text begins a word.
func (x *Index) Autocomplete(ctx context.Context, q search.AutocompleteQuery) ([]search.Completion, error) {
	if q.Limit < 0 || q.Limit > maxCompletions {
		return nil, fault.New(fault.Malformed, "limit %d is not between 0 and %d", q.Limit, maxCompletions)
	}
	if len(q.Text) > search.MaxQueryBytes {
		return nil, fault.New(fault.Malformed, "query: text has %d bytes, at most %d are read; ask for less", len(q.Text), search.MaxQueryBytes)
	}
	sq := search.Query{Types: q.Types, Filter: q.Filter, And: q.And, Visible: q.Visible, Size: q.Limit}
	o := order{by: []search.Sort{{Field: scoreField, Descending: true}}}
	if err := check(&sq, o); err != nil {
		return nil, err
	}
	ready, err := x.ask(&sq)
	if err != nil {
		return nil, err
	}
	fields := purpose{complete: true}
	if q.Field != "" {
		fields = (&compiler{x: x}).named(q.Field)
	}
	a := completion(q.Text, fields)
	v := x.current()
	var bases []*match
	for _, part := range v.parts {
		bases = append(bases, &match{ctx: ctx, view: part, x: x.schemas, set: ready.base(ctx, part)})
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

// overfetch allows for hits of which the text was given already.
const overfetch = 2

// completion asks for what a text may become.
func completion(text string, fields purpose) *ask {
	whole := analysis.Fold(strings.TrimSpace(text))
	if whole == "" {
		return &ask{op: opNone}
	}
	any := &ask{op: opOr, children: []*ask{
		{op: opValue, text: whole, raw: strings.TrimSpace(text), purpose: fields, weight: weightValue},
		{op: opValue, text: whole, raw: strings.TrimSpace(text), purpose: fields, weight: weightStart, beginning: true},
	}}
	all := &ask{op: opAnd}
	for _, piece := range analysis.Sequence(text) {
		all.children = append(all.children, &ask{op: opPrefix, text: piece, raw: piece, purpose: fields, weight: 1})
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
		c.Text = h.m.completed(h.doc)
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

// completed is the value that the best part matched.
func (m *match) completed(doc uint32) string {
	best := -1
	var value string
	for i := range m.parts {
		p := &m.parts[i]
		if best >= 0 && m.parts[best].share(m, doc) >= p.share(m, doc) || !p.list.has(doc) {
			continue
		}
		matched := m.values(nil, doc, p.field, m.view.names[p.field], []*ask{p.ask})
		if len(matched) > 0 {
			best, value = i, matched[0].Value
		}
	}
	return value
}

// share is how much a part counts for a document, whatever its length.
func (p *part) share(m *match, doc uint32) float32 {
	return p.weight * p.use.of(m.view.column(typeField), doc)
}

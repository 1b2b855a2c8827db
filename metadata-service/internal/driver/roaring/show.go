package roaring

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// Bounds of what a hit shows.
const (
	maxMatches     = 32   // fields, and values of one field
	maxShownBytes  = 2048 // of a value
	maxSuggestions = 5
)

// matched lists the fields whose values made a document a hit, in the order of
// their names, and further fields that were asked for.
func (m *match) matched(doc uint32, x *schemas, further []string) []search.Match {
	fields := map[int][]*ask{}
	for i := range m.parts {
		p := &m.parts[i]
		if p.list.has(doc) {
			fields[p.field] = append(fields[p.field], p.ask)
		}
	}
	var out []search.Match
	for i, name := range m.view.names {
		if asks := fields[i]; len(asks) > 0 && len(out) < maxMatches {
			out = m.values(out, doc, i, name, asks)
		}
	}
	for _, name := range further {
		for _, p := range x.resolve(name) {
			i, ok := m.view.byName[p.column]
			if ok && len(fields[i]) == 0 {
				out = m.values(out, doc, i, p.column, nil)
			}
		}
	}
	return out
}

// values adds the values of a field that match any of the asks; without asks
// those there are.
func (m *match) values(out []search.Match, doc uint32, field int, name string, asks []*ask) []search.Match {
	if name == urnField {
		return append(out, search.Match{Field: name, Value: string(m.view.urn(doc))})
	}
	c := m.view.columns[field]
	from, to := c.span(doc)
	added := 0
	for place := from; place < to && added < maxMatches; place++ {
		value := c.spelled(c.value(place))
		if to-from > 1 && len(asks) > 0 && !matchesAny(value, asks) {
			continue
		}
		out = append(out, search.Match{Field: name, Value: shorten(value)})
		added++
	}
	return out
}

func shorten(value string) string {
	if len(value) <= maxShownBytes {
		return value
	}
	return strings.ToValidUTF8(value[:maxShownBytes], "")
}

func matchesAny(value string, asks []*ask) bool {
	words := analysis.Words(value, true)
	folded := analysis.Fold(value)
	for _, a := range asks {
		switch a.op {
		case opValue:
			if folded == a.text || a.beginning && strings.HasPrefix(folded, a.text) {
				return true
			}
		case opPhrase:
			if newRow(a.pieces).in([]byte(value)) {
				return true
			}
		case opLike, opRange:
			return true
		default:
			if slices.ContainsFunc(words, a.matches) {
				return true
			}
		}
	}
	return false
}

// matches tells whether a word is one the ask finds.
func (a *ask) matches(word string) bool {
	text := unmarked(a.text)
	switch {
	case word == text:
		return true
	case a.op == opPrefix || a.beginning:
		if strings.HasPrefix(word, text) {
			return true
		}
	}
	// Stemming leaves the first letter alone, and most words differ there.
	if word != "" && text != "" && word[0] == text[0] && analysis.Stem(word) == analysis.Stem(text) {
		return true
	}
	return a.fuzz > 0 && (&distance{want: []rune(a.text), most: a.fuzz}).within([]byte(word))
}

// suggest gives texts in which words nobody uses are replaced by words like
// them that are used most.
func suggest(ctx context.Context, v *version, text string) []string {
	var out []string
	words := strings.Fields(text)
	if len(words) > 16 {
		return nil
	}
	for at, word := range words {
		folded := analysis.Fold(word)
		most := typos(folded)
		if most == 0 || v.uses(folded) > fewHits {
			continue
		}
		for _, other := range v.similar(ctx, folded, most) {
			changed := slices.Clone(words)
			changed[at] = other
			out = append(out, strings.Join(changed, " "))
		}
	}
	return out[:min(len(out), maxSuggestions)]
}

// uses counts the entries a word has in all segments.
func (v *version) uses(word string) int {
	n := 0
	for _, part := range v.parts {
		if i, ok := part.terms.find(word); ok {
			n += part.terms.uses(i)
		}
	}
	return n
}

func (t *terms) uses(word int) int {
	n := 0
	for e := t.start[word]; e < t.start[word+1]; e++ {
		n += t.lists.at(int(e)).len()
	}
	return n
}

// similar lists words near a word, those that are used most first.
func (v *version) similar(ctx context.Context, word string, most int) []string {
	counts := map[string]int{}
	for _, part := range v.parts {
		for _, i := range part.terms.near(ctx, word, most) {
			if other := part.terms.words.string(int(i)); other != word {
				counts[other] += part.terms.uses(int(i))
			}
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return names[:min(len(names), maxSuggestions)]
}

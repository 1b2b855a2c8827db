package roaring

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// Limits of the output for one hit.
const (
	maxHighlights     = 32   // fields, and values of one field
	maxHighlightBytes = 2048 // bytes of a value
	maxSuggestions    = 5
)

// highlights returns the fields whose values matched in a document, in the order of their names,
// and the further fields that the query requests.
func (m *match) highlights(doc uint32, x *schemas, further []string) []search.Match {
	fields := map[int][]*clause{}
	for i := range m.fieldMatches {
		p := &m.fieldMatches[i]
		if p.docs.contains(doc) {
			fields[p.field] = append(fields[p.field], p.clause)
		}
	}
	var out []search.Match
	for i, name := range m.view.names {
		if clauses := fields[i]; len(clauses) > 0 && len(out) < maxHighlights {
			out = m.values(out, doc, i, name, clauses)
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

// values appends the values of a field that match any of the clauses; without clauses all of them.
func (m *match) values(out []search.Match, doc uint32, field int, name string, clauses []*clause) []search.Match {
	if name == urnField {
		return append(out, search.Match{Field: name, Value: string(m.view.urn(doc))})
	}
	c := m.view.columns[field]
	from, to := c.span(doc)
	added, form := 0, m.form(field)
	for place := from; place < to && added < maxHighlights; place++ {
		value := c.valueText(c.value(place))
		if len(clauses) > 0 && (form.names([]byte(value)) || to-from > 1 && !matchesAny(value, clauses)) {
			continue
		}
		out = append(out, search.Match{Field: name, Value: truncate(value)})
		added++
	}
	return out
}

func truncate(value string) string {
	if len(value) <= maxHighlightBytes {
		return value
	}
	return strings.ToValidUTF8(value[:maxHighlightBytes], "")
}

func matchesAny(value string, clauses []*clause) bool {
	words := analysis.Words(value, true)
	folded := analysis.Fold(value)
	for _, a := range clauses {
		switch a.op {
		case opValue:
			if folded == a.text || a.byPrefix && strings.HasPrefix(folded, a.text) {
				return true
			}
		case opPhrase:
			if newPhraseMatcher(a).matches([]byte(value)) {
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

// matches reports whether the clause matches a word.
func (a *clause) matches(word string) bool {
	text := unmarked(a.text)
	switch {
	case word == text:
		return true
	case a.op == opPrefix || a.byPrefix:
		if strings.HasPrefix(word, text) {
			return true
		}
	}
	// Stemming keeps the first letter, and most words already differ there.
	if word != "" && text != "" && word[0] == text[0] && analysis.Stem(word) == analysis.Stem(text) {
		return true
	}
	return a.maxEdits > 0 && (&editDistance{target: []rune(a.text), limit: a.maxEdits}).within([]byte(word))
}

// suggestions returns other spellings that find something among the visible documents. Suggested
// words occur in visible documents, and hidden documents do not increase their frequency.
func (x *Index) suggestions(ctx context.Context, v *version, q *search.Query) ([]string, error) {
	fields := fieldSelection{excluded: newExcludedFields(q.ExcludedFields)}
	if reserved := (&reservation{reserve: x.reserve}); !reserved.take(ctx, v.suggestionSteps(q.Text)) {
		return nil, reserved.refusal()
	}
	if len(q.Visible) == 0 && fields.excluded == nil {
		all := make([]dictionary, len(v.segments))
		for i, view := range v.segments {
			all[i] = dictionary{segment: view.segment}
		}
		proposed := suggest(ctx, all, q.Text)
		return proposed[:min(len(proposed), maxSuggestions)], nil
	}
	ready, err := x.prepareQuery(&search.Query{Types: q.Types, Visible: q.Visible, VisibleKey: q.VisibleKey, WholeNames: q.WholeNames})
	if err != nil {
		return nil, err
	}
	bases, err := x.bases(ctx, v, ready)
	if err != nil {
		return nil, err
	}
	all := make([]dictionary, len(bases))
	for i, base := range bases {
		all[i] = base.dictionary(fields.excluded)
	}
	var kept []string
	for _, text := range suggest(ctx, all, q.Text) {
		if len(kept) == maxSuggestions {
			break
		}
		parsed, err := x.parse(text, false)
		if err != nil {
			continue // the replaced word had a quote
		}
		words, _, err := parsed.compile(allWords, fields)
		if err != nil {
			return nil, err
		}
		_, total, err := evaluate(ctx, bases, words)
		if err != nil {
			return nil, err
		}
		if total > 0 {
			kept = append(kept, text)
		}
	}
	return kept, nil
}

// maxSuggestedWords is the maximum number of words of a text for which suggestions are computed.
const maxSuggestedWords = 16

// suggest replaces rare words of a text by the most frequent ones within their edit distance, one
// at a time.
func suggest(ctx context.Context, all []dictionary, text string) []string {
	var out []string
	words := strings.Fields(text)
	if len(words) > maxSuggestedWords {
		return nil
	}
	for at, word := range words {
		folded := analysis.Fold(word)
		most := allowedTypos(folded)
		if most == 0 || frequencyIn(all, folded) > fewHits {
			continue
		}
		for _, other := range frequentLike(ctx, all, folded, most) {
			changed := slices.Clone(words)
			changed[at] = other
			out = append(out, strings.Join(changed, " "))
		}
	}
	return out
}

// frequencyIn counts the entries of a word in all segments.
func frequencyIn(all []dictionary, word string) int {
	n := 0
	for _, d := range all {
		if i, ok := d.terms.find(word); ok {
			n += d.frequency(i)
		}
	}
	return n
}

// frequentLike returns the words within an edit distance of a word, most frequent first.
func frequentLike(ctx context.Context, all []dictionary, word string, most int) []string {
	words := slices.DeleteFunc(similarIn(ctx, all, word, most), func(other string) bool { return other == word })
	counts := make(map[string]int, len(words))
	for _, other := range words {
		counts[other] = frequencyIn(all, other)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return words[:min(len(words), maxSuggestions)]
}

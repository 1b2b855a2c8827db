package roaring

import (
	"bytes"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// pattern finds values in named fields, or else words, that match a text with * and ? or a regular
// expression.
func (m *match) pattern(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	if !m.charge(a.patternSteps(m.view.terms.words)) {
		return f.finish()
	}
	if len(a.fields.fields) > 0 {
		for i, use := range f.uses {
			if use == nil || !m.charge(a.patternSteps(m.compared(i))) {
				continue
			}
			if m.view.names[i] == urnField {
				g := &setBuilder{n: m.view.n}
				for it := m.view.urns.from(0); it.next() && !cancelled(m.ctx, it.index); {
					if a.looksLike(foldBytes(it.text)) {
						g.addDocs([]uint32{uint32(it.index)})
					}
				}
				f.add(i, postings{set: g.set()}, 1)
				continue
			}
			if c := m.view.columns[i]; c.text != nil {
				g, form := &setBuilder{n: m.view.n}, m.form(i)
				if a.isAnything() {
					form = inParts // for all values
				}
				for it := c.text.from(0); it.next() && !cancelled(m.ctx, it.index); {
					if a.looksLike(foldBytes(it.text)) && !form.names(it.text) {
						g.add(c.lists.at(it.index))
					}
				}
				f.add(i, postings{set: g.set()}, 1)
			}
		}
		for _, name := range a.fields.fields {
			if c := m.view.column(name + numberSuffix); c != nil && a.isAnything() {
				f.union.addAll(&c.lists, 0, c.len())
			}
		}
	}
	t := m.view.terms
	var words []uint32
	for it := t.words.from(t.afterMark(pairMark)); it.next() && !cancelled(m.ctx, it.index); {
		if a.looksLike(bytes.TrimPrefix(it.text, []byte(compoundMark))) {
			words = append(words, uint32(it.index))
		}
	}
	f.addEach(words, 1)
	return f.finish()
}

// compared returns the table of the values of a column.
func (m *match) compared(column int) *table {
	if m.view.names[column] == urnField {
		return m.view.urns
	}
	if c := m.view.columns[column]; c.text != nil {
		return c.text
	}
	return &table{}
}

// bytesPerStep is the number of bytes that one instruction of a regular expression reads per step.
const bytesPerStep = 4

// patternSteps returns the cost of comparing all texts of a table.
func (a *clause) patternSteps(t *table) int {
	steps := perPattern * t.len()
	if a.regexp != nil {
		steps += len(t.data) / bytesPerStep * a.query.Program
	}
	return steps
}

// isAnything reports whether the pattern matches every value.
func (a *clause) isAnything() bool { return a.regexp == nil && strings.Trim(a.text, "*") == "" }

// looksLike reports whether a folded text matches the pattern.
func (a *clause) looksLike(text []byte) bool {
	if a.regexp != nil {
		return a.regexp.Match(text)
	}
	return matchesPattern(text, a.text)
}

// matchesPattern reports whether a text matches a pattern in which * stands for any letters and ?
// for one. It backtracks to the last star only, which bounds its run time.
func matchesPattern(text []byte, pattern string) bool {
	t, p, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

package metatest

import (
	"context"
	"slices"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// typeSelection is the selection that a sweep requests from the search index for one entity type:
// which tests select an asset, which of these pass and, when results are stored, which assets need
// a write.
type typeSelection struct {
	search.Selection
	entityType string
	removed    int // position of the expression for soft-deleted assets; -1 without an index
	tests      []testPositions

	size search.FilterSize
}

// testPositions holds the positions of the expressions of a test; -1 if the index cannot decide
// them.
type testPositions struct {
	covers           bool // the test covers the entity type
	selection, rules int
	passing, failing int
}

// questions builds the selection of all conditions that the index can decide.
func (w *sweeper) questions(ctx context.Context, entityType string) (*typeSelection, error) {
	if w.Selector != nil {
		if err := w.related.load(ctx, w.Service, w.tests); err != nil {
			return nil, err
		}
	}
	q := &typeSelection{entityType: entityType, Selection: search.Selection{Types: []string{entityType}}, removed: -1, tests: make([]testPositions, len(w.tests))}
	if w.Selector != nil {
		q.removed = q.add(search.Expression{Is: &search.Criterion{Field: removedField, Condition: search.Equal, Values: []string{"true"}}}, true)
	}
	skips := w.storesResults && w.Selector != nil
	for i, t := range w.tests {
		ask := testPositions{selection: -1, rules: -1, passing: -1, failing: -1}
		if ask.covers = slices.Contains(t.test.Types, entityType); ask.covers && q.removed >= 0 {
			ask.selection = q.add(t.test.Selection(ctx, w.at, &w.related))
			ask.rules = q.add(t.test.Rules(ctx, w.at, &w.related))
		}
		if skips && ask.selection >= 0 && ask.rules >= 0 {
			ask.passing = q.add(search.Expression{All: []search.Expression{ref(ask.selection), ref(ask.rules), not(ref(q.removed))}}, true)
			ask.failing = q.add(search.Expression{All: []search.Expression{ref(ask.selection), not(ref(ask.rules)), not(ref(q.removed))}}, true)
			skips = ask.failing >= 0
		}
		q.tests[i] = ask
	}
	if skips {
		q.restrictToChanges(w.tests, w.all)
	}
	return q, ctx.Err() // an ended context makes conditions on values invalid
}

// removedField is the search field of soft deletion.
const removedField = "removed"

// add appends an expression and returns its position, or -1 when the selection exceeds its limits.
// It leaves half of the limits to Where.
func (q *typeSelection) add(e search.Expression, ok bool) int {
	if !ok || len(q.Expressions) == search.MaxExpressions {
		return -1
	}
	size, err := e.Size()
	if err != nil || q.size.Criteria+size.Criteria > search.MaxCriteria/2 || q.size.Values+size.Values > search.MaxValues/2 {
		return -1
	}
	q.size.Criteria, q.size.Values = q.size.Criteria+size.Criteria, q.size.Values+size.Values
	q.Expressions = append(q.Expressions, e)
	return len(q.Expressions) - 1
}

// restrictToChanges restricts the selection to assets whose stored results differ from the
// current verdicts, that have actions, or that the index cannot decide. It expresses isStored in
// terms of the index.
func (q *typeSelection) restrictToChanges(tests []compiledTest, all bool) {
	differs := []search.Expression{has(document.Verdicts, document.IrregularVerdicts)}
	valid := make([]string, 0, 2*len(tests))
	for i, t := range tests {
		ask, name := q.tests[i], string(t.urn)
		passed, failed := document.Verdict(true, t.test.Fingerprint, name), document.Verdict(false, t.test.Fingerprint, name)
		stored := search.Expression{Any: []search.Expression{has("passingTests", name), has("failingTests", name)}}
		valid = append(valid, passed, failed)
		if ask.passing < 0 { // selection or verdict is undecided
			differs = append(differs, stored)
			switch {
			case ask.selection >= 0:
				differs = append(differs, search.Expression{All: []search.Expression{ref(ask.selection), not(ref(q.removed))}})
			case ask.covers:
				differs = append(differs, not(ref(q.removed)))
			}
			continue
		}
		differs = append(differs, t.differences(language.Passing, ask.passing, has(document.Verdicts, passed))...)
		differs = append(differs, t.differences(language.Failing, ask.failing, has(document.Verdicts, failed))...)
		if !all {
			differs = append(differs, search.Expression{All: []search.Expression{stored, not(has(document.Verdicts, passed, failed))}})
		}
	}
	if all {
		differs = append(differs, search.Expression{Is: &search.Criterion{Field: document.Verdicts, Condition: search.OtherThan, Values: valid}})
	}
	q.Where = &search.Expression{Any: differs}
	if q.Check() != nil {
		q.Where = nil
	}
}

// differences returns expressions for assets whose reached and stored verdicts differ. If the
// verdict has actions, the expressions match all assets with either.
func (t *compiledTest) differences(verdict language.Verdict, at int, stored search.Expression) []search.Expression {
	reached := ref(at)
	if len(t.actions(verdict)) > 0 || t.test.Undo {
		return []search.Expression{reached, stored}
	}
	return []search.Expression{
		{All: []search.Expression{reached, not(stored)}},
		{All: []search.Expression{stored, not(reached)}},
	}
}

func ref(position int) search.Expression { return search.Expression{Ref: &position} }

func not(e search.Expression) search.Expression { return search.Expression{Not: &e} }

func has(field string, values ...string) search.Expression {
	return search.Expression{Is: &search.Criterion{Field: field, Condition: search.Equal, Values: values}}
}

// verdicts returns the verdicts that an index result decides. holds is nil for an asset that the
// index does not have.
func (q *typeSelection) verdicts(holds search.ExpressionSet) []language.Verdict {
	out := make([]language.Verdict, len(q.tests))
	for i := range q.tests {
		t := &q.tests[i]
		switch {
		case !t.covers:
		case holds == nil:
			out[i] = undecided
		case q.removed >= 0 && holds.Has(q.removed), t.selection >= 0 && !holds.Has(t.selection):
		case t.selection < 0 || t.rules < 0:
			out[i] = undecided
		case holds.Has(t.rules):
			out[i] = language.Passing
		default:
			out[i] = language.Failing
		}
	}
	return out
}

package metatest

import (
	"context"
	"slices"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// questions are what a sweep asks the index about assets of one entity type: which
// tests select them, which of these pass, and, where results are kept, for which
// assets there is something to do.
type questions struct {
	search.Selection
	entityType string
	removed    int // position of the expression that soft-deleted assets meet; -1 without an index
	tests      []testQuestions

	size search.FilterSize
}

// testQuestions are the positions of the expressions of a test; -1 where the index cannot tell.
type testQuestions struct {
	about            bool // the entity type
	on, rules        int
	passing, failing int
}

// questions asks for all that the index can decide.
func (w *sweeper) questions(ctx context.Context, entityType string) (*questions, error) {
	if w.Selector != nil {
		if err := w.related.load(ctx, w.Service, w.tests); err != nil {
			return nil, err
		}
	}
	q := &questions{entityType: entityType, Selection: search.Selection{Types: []string{entityType}}, removed: -1, tests: make([]testQuestions, len(w.tests))}
	if w.Selector != nil {
		q.removed = q.add(search.Expression{Is: &search.Criterion{Field: removedField, Condition: search.Equal, Values: []string{"true"}}}, true)
	}
	skips := w.keeps && w.Selector != nil
	for i, t := range w.tests {
		ask := testQuestions{on: -1, rules: -1, passing: -1, failing: -1}
		if ask.about = slices.Contains(t.test.Types, entityType); ask.about && q.removed >= 0 {
			ask.on = q.add(t.test.Selection(ctx, w.at, &w.related))
			ask.rules = q.add(t.test.Rules(ctx, w.at, &w.related))
		}
		if skips && ask.on >= 0 && ask.rules >= 0 {
			ask.passing = q.add(search.Expression{All: []search.Expression{ref(ask.on), ref(ask.rules), not(ref(q.removed))}}, true)
			ask.failing = q.add(search.Expression{All: []search.Expression{ref(ask.on), not(ref(ask.rules)), not(ref(q.removed))}}, true)
			skips = ask.failing >= 0
		}
		q.tests[i] = ask
	}
	if skips {
		q.lookWhereResultsDiffer(w.tests, w.all)
	}
	return q, ctx.Err() // what was asked about values means nothing when it ended
}

// removedField is the search field of what is soft-deleted.
const removedField = "removed"

// add gives the position of an expression, -1 when the selection has no room for it.
// Half of the room is left to Where.
func (q *questions) add(e search.Expression, ok bool) int {
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

// lookWhereResultsDiffer restricts the selection to assets whose stored results are
// not what tests say now, that actions are carried out about, or about which the index
// cannot tell. It is isKept in terms of the index.
func (q *questions) lookWhereResultsDiffer(tests []compiled, all bool) {
	differs := []search.Expression{has(document.Verdicts, document.IrregularVerdicts)}
	valid := make([]string, 0, 2*len(tests))
	for i, t := range tests {
		ask, name := q.tests[i], string(t.urn)
		passed, failed := document.Verdict(true, t.test.Fingerprint, name), document.Verdict(false, t.test.Fingerprint, name)
		stored := search.Expression{Any: []search.Expression{has("passingTests", name), has("failingTests", name)}}
		valid = append(valid, passed, failed)
		if ask.passing < 0 { // whether it is selected, or what the verdict is, is not known
			differs = append(differs, stored)
			switch {
			case ask.on >= 0:
				differs = append(differs, search.Expression{All: []search.Expression{ref(ask.on), not(ref(q.removed))}})
			case ask.about:
				differs = append(differs, not(ref(q.removed)))
			}
			continue
		}
		differs = append(differs, t.unlike(language.Passing, ask.passing, has(document.Verdicts, passed))...)
		differs = append(differs, t.unlike(language.Failing, ask.failing, has(document.Verdicts, failed))...)
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

// unlike holds where a verdict is reached and not stored, or stored and not reached, and
// where it has consequences besides being stored.
func (t *compiled) unlike(verdict language.Verdict, at int, stored search.Expression) []search.Expression {
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

// verdicts are what an answer of the index decides; nil stands for an asset that it does
// not know.
func (q *questions) verdicts(holds search.ExpressionSet) []language.Verdict {
	out := make([]language.Verdict, len(q.tests))
	for i := range q.tests {
		t := &q.tests[i]
		switch {
		case !t.about:
		case holds == nil:
			out[i] = undecided
		case q.removed >= 0 && holds.Has(q.removed), t.on >= 0 && !holds.Has(t.on):
		case t.on < 0 || t.rules < 0:
			out[i] = undecided
		case holds.Has(t.rules):
			out[i] = language.Passing
		default:
			out[i] = language.Failing
		}
	}
	return out
}

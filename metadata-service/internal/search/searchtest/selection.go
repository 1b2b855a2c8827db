package searchtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// testSelection compares drivers that implement Selector with Expression.Holds.
func testSelection(f *fixture) {
	selector, ok := f.Index.(search.Selector)
	if !ok {
		f.Skip("the driver is no Selector: it evaluates no expressions")
	}
	made := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // documents of a test
	docs := selectable(made, 300)
	f.put(docs...)
	f.put(docs[10:20]...) // again, into another segment
	f.apply(search.Change{URN: docs[0].URN})
	docs = docs[1:]

	s := search.Selection{Types: []string{"dataset", "chart"}}
	for range 300 {
		s.Expressions = append(s.Expressions, expression(made, 3))
	}
	s.Expressions = append(s.Expressions, search.Expression{}, search.Expression{Any: []search.Expression{}})
	f.selects(selector, s, docs)

	whole := s
	for i := range 40 {
		a, b := i, 300-i
		s.Expressions = append(s.Expressions, search.Expression{All: []search.Expression{{Ref: &a}, {Not: &search.Expression{Ref: &b}}}})
	}
	for i := range 30 {
		where := expression(made, 3)
		at := 10 * i
		s.Where = &search.Expression{Any: []search.Expression{where, {Ref: &at}}}
		f.selects(selector, s, docs)
	}
	s = whole

	s.Types = []string{"chart"}
	f.selects(selector, s, selectDocuments(docs, func(d *search.Document) bool { return d.Type == "chart" }))
	s.Types, s.Within = []string{"dataset", "chart"}, []urn.URN{docs[3].URN, docs[7].URN, id("nobody")}
	f.selects(selector, s, []*search.Document{docs[3], docs[7]})
	s.Within, s.Visible = nil, search.Filter{{{Field: "kind", Values: []string{"Table"}}}}
	f.selects(selector, s, selectDocuments(docs, func(d *search.Document) bool { return slices.Contains(d.Fields["kind"], search.Value{Text: "Table"}) }))

	f.refusesSelections(selector)
	stop := errors.New("enough")
	if _, err := selector.Select(f.Context(), search.Selection{Types: []string{"dataset"}}, func(urn.URN, search.ExpressionSet) error { return stop }); !errors.Is(err, stop) {
		f.Errorf("an error of visit comes back as %v", err)
	}
	ended, end := context.WithCancel(f.Context())
	end()
	if _, err := selector.Select(ended, s, func(urn.URN, search.ExpressionSet) error { return nil }); !errors.Is(err, context.Canceled) {
		f.Errorf("a selection whose context has ended gives %v", err)
	}
}

func (f *fixture) refusesSelections(selector search.Selector) {
	f.Helper()
	deep := search.Expression{}
	for range search.MaxExpressionDepth + 1 {
		deep = search.Expression{Not: &search.Expression{All: []search.Expression{deep}}}
	}
	one := []string{"dataset"}
	for what, s := range map[string]search.Selection{
		"without types":                   {},
		"too many expressions":            {Types: one, Expressions: make([]search.Expression, search.MaxExpressions+1)},
		"a reference to what comes after": {Types: one, Expressions: []search.Expression{{Ref: new(int)}}},
		"a reference to nothing":          {Types: one, Where: &search.Expression{Ref: new(int)}},
		"too deep":                        {Types: one, Expressions: []search.Expression{deep}},
		"too many values":                 {Types: one, Expressions: []search.Expression{{Is: &search.Criterion{Field: "kind", Values: make([]string, search.MaxValues+1)}}}},
		"an unknown condition":            {Types: one, Expressions: []search.Expression{{Is: &search.Criterion{Field: "kind", Condition: "LIKES"}}}},
		"joined fields":                   {Types: one, Expressions: []search.Expression{{Is: &search.Criterion{Field: "kind␞rows", Values: []string{"x␞1"}}}}},
	} {
		_, err := selector.Select(f.Context(), s, func(urn.URN, search.ExpressionSet) error { return nil })
		if !errors.Is(err, fault.Malformed) {
			f.Errorf("%s: %v", what, err)
		}
	}
}

// selects compares the selection of a driver with the result of Holds for each search document.
func (f *fixture) selects(selector search.Selector, s search.Selection, docs []*search.Document) {
	f.Helper()
	left := map[urn.URN]*search.Document{}
	var passed search.Passed
	if s.Where != nil {
		passed.Holding = make([]int, len(s.Expressions))
	}
	for _, d := range docs {
		if s.Where != nil {
			if where := s.Resolve(*s.Where); !where.Holds(d, kindsOf(d.Type)) {
				passed.Documents++
				for i := range s.Expressions {
					if e := s.Resolve(s.Expressions[i]); e.Holds(d, kindsOf(d.Type)) {
						passed.Holding[i]++
					}
				}
				continue
			}
		}
		left[d.URN] = d
	}
	wrong := 0
	counted, err := selector.Select(f.Context(), s, func(u urn.URN, holds search.ExpressionSet) error {
		d := left[u]
		if d == nil {
			f.Errorf("%s is visited twice, or was not asked for", u)
			return nil
		}
		delete(left, u)
		for i := range s.Expressions {
			e := s.Resolve(s.Expressions[i])
			if want := e.Holds(d, kindsOf(d.Type)); holds.Has(i) != want && wrong < 10 {
				wrong++
				f.Errorf("%s: %s is %v, want %v", expressionText(&s.Expressions[i]), u, holds.Has(i), want)
			}
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	if len(left) > 0 {
		f.Errorf("%d documents were not visited", len(left))
	}
	if counted.Documents != passed.Documents || !slices.Equal(counted.Holding, passed.Holding) {
		f.Errorf("passed over %v, want %v", counted, passed)
	}
}

func kindsOf(entityType string) func(string) (search.Kind, bool) {
	return func(field string) (search.Kind, bool) {
		for _, s := range Schemas() {
			for _, have := range s.Fields {
				if s.EntityType == entityType && have.Name == field {
					return have.Kind, true
				}
			}
		}
		return "", false
	}
}

var selectableWords = []string{"Table", "table", "View", "Ä-Kunden", "urn:li:tag:a", "urn:li:tag:B", "true", "False", "", "10", "x y"}

func selectable(made *rand.Rand, n int) []*search.Document {
	word := func() string { return selectableWords[made.IntN(len(selectableWords))] }
	docs := make([]*search.Document, n)
	for i := range docs {
		d := doc(fmt.Sprintf("d%03d", i), "description", word(), "tags", word(), "tags", word(), "kind", word(), "kind", word())
		if made.IntN(2) == 0 {
			d.Fields["rows"] = []search.Value{{Number: float64(made.IntN(8) - 2)}, {Number: float64(made.IntN(3)) / 2}}
		}
		switch made.IntN(3) {
		case 0:
			d.Type = "chart"
		case 1:
			d.Fields["removed"] = []search.Value{{Text: word()}}
			d.Fields["path"] = []search.Value{{Text: "␟a␟" + word()}}
			d.Fields["props"] = []search.Value{{Text: "team=" + word()}, {Text: "Team=" + word()}}
			d.Fields["structuredProperties.size"] = []search.Value{{Number: float64(made.IntN(5))}}
			d.Kinds = map[string]search.Kind{"structuredProperties.size": search.Double}
		}
		docs[i] = d
	}
	return docs
}

// expression returns a random expression with at most levels levels.
func expression(made *rand.Rand, levels int) search.Expression {
	if levels > 0 {
		several := func() []search.Expression {
			list := []search.Expression{}
			for range made.IntN(4) {
				list = append(list, expression(made, levels-1))
			}
			return list
		}
		switch made.IntN(5) {
		case 0:
			return search.Expression{All: several()}
		case 1:
			return search.Expression{Any: several()}
		case 2:
			not := expression(made, levels-1)
			return search.Expression{Not: &not}
		}
	}
	fields := []string{
		"name", "description", "tags", "kind", "kind.keyword", "rows", "removed", "path", "props", "props.team", "props.Team",
		"structuredProperties.size", "urn", "_entityType", "nothing", "deprecated",
	}
	conditions := []search.Condition{
		"", search.Equal, search.IEqual, search.Contain, search.StartWith, search.EndWith, search.GreaterThan, search.GreaterOrEqual,
		search.LessThan, search.LessOrEqual, search.Exists, search.IsNull, search.OtherThan,
	}
	values := append(slices.Clone(selectableWords), "0", "1", "0.5", "-1", "3", "1e0", "dataset", "CHART", "␟a", "␟a␟Table", string(id("d007")), "ta", "E", "TRUE")
	c := search.Criterion{Field: fields[made.IntN(len(fields))], Condition: conditions[made.IntN(len(conditions))], Negated: made.IntN(4) == 0}
	for range made.IntN(4) {
		c.Values = append(c.Values, values[made.IntN(len(values))])
	}
	return search.Expression{Is: &c}
}

func expressionText(e *search.Expression) string {
	list := func(word string, of []search.Expression) string {
		parts := make([]string, len(of))
		for i := range of {
			parts[i] = expressionText(&of[i])
		}
		return word + "(" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case e.Is != nil:
		return fmt.Sprintf("%+v", *e.Is)
	case e.Not != nil:
		return "not " + expressionText(e.Not)
	case e.Any != nil:
		return list("any", e.Any)
	}
	return list("all", e.All)
}

func selectDocuments(docs []*search.Document, wanted func(*search.Document) bool) []*search.Document {
	var out []*search.Document
	for _, d := range docs {
		if wanted(d) {
			out = append(out, d)
		}
	}
	return out
}

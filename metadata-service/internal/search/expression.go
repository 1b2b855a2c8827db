package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a Selection. Exceeding one is fault.Malformed.
const (
	MaxExpressions     = 1_000 // in one selection
	MaxExpressionDepth = 64
)

// Expression is a condition on search documents: a criterion, or a combination of expressions. At
// most one member is set; the zero value matches every search document.
//
// A criterion in an expression names exactly one field: unlike in a Filter it stands neither for
// further fields nor for aliases.
type Expression struct {
	Is  *Criterion
	All []Expression // all must hold
	Any []Expression // at least one must hold; an empty list that is not nil matches nothing
	Not *Expression
	Ref *int // position of an earlier expression of the selection, which is not evaluated again
}

// Selection asks which of the expressions hold for which search documents.
type Selection struct {
	Types       []string  // entity types; at least one
	Within      []urn.URN // restricts the selection to these entities; nil does not restrict it
	Visible     Filter
	VisibleKey  string // as in Query
	Expressions []Expression
	// Where restricts the visited search documents, and may refer to all expressions. The others
	// are only counted. Nil visits all.
	Where *Expression
}

// Passed counts the search documents of a selection that were not visited.
type Passed struct {
	Documents int
	Holding   []int // number of these for which each expression holds, by position; nil without Where
}

// Selector is an optional interface of drivers that decide many expressions about whole entity
// types at once, from one state of the index.
type Selector interface {
	// Select calls visit for every search document of the types, or for those that match Where, in
	// no particular order. The set contains the expressions that hold, by their position in the
	// selection; it is valid until visit returns. An error of visit ends the selection and is
	// returned. Select ends with ctx as Search does.
	Select(ctx context.Context, s Selection, visit func(u urn.URN, holds ExpressionSet) error) (Passed, error)
}

// ExpressionSet is a set of positions of expressions.
type ExpressionSet []uint64

// Has reports whether an expression is in the set.
func (s ExpressionSet) Has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// Add adds an expression to the set.
func (s ExpressionSet) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// NewExpressionSet returns a set with room for n expressions.
func NewExpressionSet(n int) ExpressionSet { return make(ExpressionSet, (n+63)/64) }

// Check returns fault.Malformed for a selection without a type, or beyond a limit.
func (s *Selection) Check() error {
	if len(s.Types) == 0 {
		return fault.New(fault.Malformed, "types: at least one entity type is needed")
	}
	if len(s.Expressions) > MaxExpressions {
		return fault.New(fault.Malformed, "selection: %d expressions, at most %d are allowed", len(s.Expressions), MaxExpressions)
	}
	size := SizeOf(s.Visible)
	for i := range s.Expressions {
		if err := s.Expressions[i].measure(&size, i, 0); err != nil {
			return err
		}
	}
	if s.Where != nil {
		if err := s.Where.measure(&size, len(s.Expressions), 0); err != nil {
			return err
		}
	}
	return size.Check()
}

// Size returns the size that an expression adds to its selection. It returns an error if no
// selection can contain the expression.
func (e *Expression) Size() (size FilterSize, err error) {
	err = e.measure(&size, MaxExpressions, 0)
	return size, err
}

// measure adds the expression to a size. earlier is the number of expressions that may be referred
// to.
func (e *Expression) measure(size *FilterSize, earlier, depth int) error {
	if e.Ref != nil && (*e.Ref < 0 || *e.Ref >= earlier) {
		return fault.New(fault.Malformed, "selection: an expression refers to position %d, where there is none before it", *e.Ref)
	}
	if depth > MaxExpressionDepth {
		return fault.New(fault.Malformed, "selection: an expression nests deeper than %d levels", MaxExpressionDepth)
	}
	if e.Is != nil {
		if strings.Contains(e.Is.Field, "\u241e") {
			return fault.New(fault.Malformed, "selection: a criterion of an expression names one field, not several joined")
		}
		size.Criteria++
		size.Values += len(e.Is.Values)
	}
	if e.Not != nil {
		return e.Not.measure(size, earlier, depth+1)
	}
	for _, list := range [][]Expression{e.All, e.Any} {
		for i := range list {
			if err := list[i].measure(size, earlier, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Holds reports whether an expression holds for a search document, as every driver must decide it.
// kind returns the kinds of the fields that a schema lists. The conformance suite compares drivers
// with Holds, and callers use it for search documents that are in no index. References must be
// resolved before, by Selection.Resolve.
func (e *Expression) Holds(d *Document, kind func(field string) (Kind, bool)) bool {
	switch {
	case e.Is != nil:
		return e.Is.holds(d, kind)
	case e.Not != nil:
		return !e.Not.Holds(d, kind)
	case e.Any != nil:
		return slices.ContainsFunc(e.Any, func(one Expression) bool { return one.Holds(d, kind) })
	}
	return !slices.ContainsFunc(e.All, func(one Expression) bool { return !one.Holds(d, kind) })
}

// Resolve returns an expression with the referenced expressions in place of the references.
func (s *Selection) Resolve(e Expression) Expression {
	resolveAll := func(list []Expression) []Expression {
		if list == nil {
			return nil
		}
		out := make([]Expression, len(list))
		for i := range list {
			out[i] = s.Resolve(list[i])
		}
		return out
	}
	switch {
	case e.Ref != nil:
		return s.Resolve(s.Expressions[*e.Ref])
	case e.Not != nil:
		not := s.Resolve(*e.Not)
		return Expression{Not: &not}
	case e.Is != nil:
		return e
	}
	return Expression{All: resolveAll(e.All), Any: resolveAll(e.Any)}
}

func (c *Criterion) holds(d *Document, kind func(string) (Kind, bool)) bool {
	texts, numbers := d.Values(PlainName(c.Field), kind)
	if strings.TrimSuffix(c.Field, ".keyword") == "_entityType" && c.Condition != Exists && c.Condition != IsNull {
		return c.someText(texts, true) != c.Negated
	}
	return c.Meets(texts, numbers) != c.Negated
}

// Meets reports whether one of the texts, in exact form, or of the numbers meets the condition of
// the criterion, regardless of its field. It ignores Negated.
func (c *Criterion) Meets(texts []string, numbers []float64) bool {
	switch c.Condition {
	case Exists:
		return len(texts)+len(numbers) > 0
	case IsNull:
		return len(texts)+len(numbers) == 0
	}
	return c.someText(texts, false) || c.someNumber(numbers)
}

// Values returns the indexed values of a field: texts in exact form, and numbers. kind returns the
// kinds of the fields that a schema lists. A nil search document has no values.
func (d *Document) Values(field string, kind func(field string) (Kind, bool)) (texts []string, numbers []float64) {
	if d == nil {
		return nil, nil
	}
	switch field {
	case "urn":
		return []string{string(d.URN)}, nil
	case "_entityType":
		return []string{d.Type}, nil
	}
	values, of := d.Fields[field], kindIn(d, field, kind)
	if object, key, ok := strings.Cut(field, "."); ok && values == nil {
		if k, known := kind(object); known && k == ObjectKind {
			for _, v := range d.Fields[object] {
				if text, ok := strings.CutPrefix(v.Text, key+"="); ok {
					texts = append(texts, text)
				}
			}
			return texts, nil
		}
	}
	for _, v := range values {
		switch {
		case of == Count || of == Double || of == DateTime:
			if !math.IsNaN(v.Number) {
				numbers = append(numbers, v.Number)
			}
		case v.Text == "":
		case of == BrowsePath:
			texts = append(texts, analysis.Ancestors(v.Text, "/")...)
		case of == BrowsePathV2:
			texts = append(texts, analysis.Ancestors(v.Text, "\u241f")...)
		case of == Boolean:
			texts = append(texts, strings.ToLower(v.Text))
		default:
			texts = append(texts, ExactForm(v.Text))
		}
	}
	return texts, numbers
}

// maxExact is the maximum length of an exact form in bytes, that of the longest term in Lucene.
const maxExact = 32766

// ExactForm returns the part of a text that criteria compare. For a very long text it is its
// beginning, cut between characters. The whole text can be found by its words.
func ExactForm(text string) string {
	if len(text) <= maxExact {
		return text
	}
	end := maxExact
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func kindIn(d *Document, field string, kind func(string) (Kind, bool)) Kind {
	if k, ok := kind(field); ok {
		return k
	}
	if k, ok := d.Kinds[field]; ok {
		return k
	}
	return Keyword
}

// someText reports whether one of the texts meets the condition.
func (c *Criterion) someText(texts []string, isType bool) bool {
	if len(texts) == 0 || len(c.Values) == 0 {
		return false
	}
	compare := func(ok func(order int) bool) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return ok(cmp.Compare(text, c.Values[0])) })
	}
	folded := func(holds func(text, value string) bool) bool {
		foldedTexts := make([]string, len(texts))
		for i, text := range texts {
			foldedTexts[i] = analysis.Fold(text)
		}
		return slices.ContainsFunc(c.Values, func(v string) bool {
			v = analysis.Fold(v)
			return slices.ContainsFunc(foldedTexts, func(text string) bool { return holds(text, v) })
		})
	}
	switch c.Condition {
	case "", Equal:
		return slices.ContainsFunc(c.Values, func(v string) bool { return equalText(texts, v, isType) })
	case IEqual:
		if isType {
			return slices.ContainsFunc(c.Values, func(v string) bool { return equalText(texts, v, isType) })
		}
		return folded(func(text, value string) bool { return text == value })
	case Contain:
		return folded(strings.Contains)
	case StartWith:
		return folded(strings.HasPrefix)
	case EndWith:
		return folded(strings.HasSuffix)
	case OtherThan:
		return slices.ContainsFunc(texts, func(text string) bool { return !slices.Contains(c.Values, text) })
	case GreaterThan:
		return compare(func(order int) bool { return order > 0 })
	case GreaterOrEqual:
		return compare(func(order int) bool { return order >= 0 })
	case LessThan:
		return compare(func(order int) bool { return order < 0 })
	case LessOrEqual:
		return compare(func(order int) bool { return order <= 0 })
	}
	return false
}

func equalText(texts []string, value string, isType bool) bool {
	if isType {
		return slices.ContainsFunc(texts, func(t string) bool { return TypeName(t) == TypeName(value) })
	}
	if slices.Contains(texts, value) {
		return true
	}
	lower := strings.ToLower(value)
	return (lower == "true" || lower == "false") && slices.Contains(texts, lower)
}

// someNumber reports whether one of the numbers meets the condition. Comparisons use the first
// value that is a number.
func (c *Criterion) someNumber(numbers []float64) bool {
	if len(numbers) == 0 {
		return false
	}
	for _, v := range c.Values {
		n, ok := ParseNumber(v)
		if !ok {
			continue
		}
		some := func(holds func(float64) bool) bool { return slices.ContainsFunc(numbers, holds) }
		switch c.Condition {
		case "", Equal, IEqual:
			if slices.Contains(numbers, n) {
				return true
			}
			continue
		case GreaterThan:
			return some(func(have float64) bool { return have > n })
		case GreaterOrEqual:
			return some(func(have float64) bool { return have >= n })
		case LessThan:
			return some(func(have float64) bool { return have < n })
		case LessOrEqual:
			return some(func(have float64) bool { return have <= n })
		}
		return false
	}
	return false
}

// ParseNumber parses a number of a filter: a decimal number, or a time as in RFC 3339 or a date,
// which become epoch milliseconds.
func ParseNumber(text string) (float64, bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n == n {
		return n, true
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.UnixMilli()), true
		}
	}
	return 0, false
}

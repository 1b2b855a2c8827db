package metatest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// predicate is a condition on an asset.
type predicate interface {
	// holds decides by facts. element is the current element of the list that contains the
	// predicate, nil outside of a list.
	holds(f *Facts, element any) bool
	// expression returns the same condition as an index expression. ok is false if a part of it is
	// not indexed.
	expression(q *question) (e search.Expression, ok bool)
}

type (
	allOf struct {
		at    string // place in the definition
		parts []predicate
	}
	anyOf struct {
		at    string
		parts []predicate
	}
	not struct{ predicate }
	// check is a check of a property.
	check struct {
		at       string // place in the definition
		property property
		operator *operator
		values   []string
		moments  []moment
		patterns []*pattern
		given    []string // the values of the comparison, as in the definition
		match    quantifier
	}
	// each is a condition on the elements of a list.
	each struct {
		at    string
		list  *list
		match quantifier
		rules predicate
	}
)

// quantifier states how many items have to meet a condition.
type quantifier struct {
	kind  string  // matchAny, matchAll, matchNone or matchShare
	share float64 // per cent, of matchShare
}

const (
	matchAny   = "any"
	matchAll   = "all"
	matchNone  = "none"
	matchShare = "share"
)

// met reports whether met of of items are enough. In an empty list all items meet a condition, and
// none does.
func (q quantifier) met(met, of int) bool {
	switch q.kind {
	case matchAll:
		return met == of
	case matchNone:
		return met == 0
	case matchShare:
		return float64(met)*100 >= q.share*float64(of)
	}
	return met > 0
}

// predicate parses a predicate. An absent predicate always holds.
func (p *parser) predicate(path string, v any, depth int) predicate {
	if p.ended() {
		return allOf{}
	}
	if depth > MaxDepth {
		p.problem(path, "nests deeper than %d levels", MaxDepth)
		return allOf{}
	}
	switch v := v.(type) {
	case nil:
		return allOf{}
	case []any:
		return allOf{path, p.predicates(path, v, depth)}
	case jsontree.Object:
		return p.object(path, v, depth)
	}
	p.problem(path, "must be an object or a list of objects, not %s", jsontree.KindOf(v))
	return allOf{}
}

func (p *parser) predicates(path string, list []any, depth int) []predicate {
	out := make([]predicate, 0, len(list))
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if e == nil {
			p.problem(at, "must be an object, not null")
			continue
		}
		out = append(out, p.predicate(at, e, depth+1))
	}
	return out
}

func (p *parser) object(path string, o jsontree.Object, depth int) predicate {
	if len(o) == 0 {
		return allOf{}
	}
	for _, word := range []string{"and", "or"} {
		v, ok := o[word]
		if !ok {
			continue
		}
		p.members(path, o, word)
		list, ok := v.([]any)
		if !ok {
			p.problem(join(path, word), "must be a list of conditions")
			return allOf{}
		}
		at := join(path, word)
		parts := p.predicates(at, list, depth)
		if word == "and" {
			return allOf{at, parts}
		}
		return anyOf{at, parts}
	}
	if v, ok := o["not"]; ok {
		p.members(path, o, "not")
		if v == nil {
			p.problem(join(path, "not"), "must be a condition, not null")
		}
		return not{p.predicate(join(path, "not"), v, depth+1)}
	}
	if _, ok := o["of"]; ok {
		return p.each(path, o, depth)
	}
	return p.check(path, o)
}

func (p *parser) each(path string, o jsontree.Object, depth int) predicate {
	p.members(path, o, "of", "match", "rules")
	if p.element != nil {
		p.problem(join(path, "of"), "a list inside of a list is not supported")
		return allOf{}
	}
	name, _ := o["of"].(string)
	l := p.list(join(path, "of"), name)
	if l == nil {
		return allOf{}
	}
	e := each{at: path, list: l, match: p.quantifier(join(path, "match"), o["match"], true)}
	if o["rules"] == nil {
		p.problem(join(path, "rules"), "is missing: list the rules that the elements must meet")
		return allOf{}
	}
	p.element = l
	e.rules = p.predicate(join(path, "rules"), o["rules"], depth+1)
	p.element = nil
	return e
}

func (p *parser) quantifier(path string, v any, shares bool) quantifier {
	switch v := v.(type) {
	case nil:
		return quantifier{kind: matchAny}
	case string:
		switch word := strings.ToLower(v); word {
		case matchAny, matchAll, matchNone:
			return quantifier{kind: word}
		}
		if share, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64); shares && strings.HasSuffix(v, "%") && err == nil && share >= 0 && share <= 100 {
			return quantifier{kind: matchShare, share: share}
		}
	}
	if shares {
		p.problem(path, "must be any, all, none, or a share as \"80%%\", not %s", formatValue(v))
	} else {
		p.problem(path, "must be any, all or none, not %s", formatValue(v))
	}
	return quantifier{kind: matchAny}
}

// either returns a member that has two names.
func (p *parser) either(path string, o jsontree.Object, name, other string) (string, any) {
	v, ok := o[name]
	if w, both := o[other]; both {
		if ok {
			p.problem(join(path, other), "says the same as %q: give one of them", name)
		}
		return join(path, other), w
	}
	return join(path, name), v
}

func (p *parser) check(path string, o jsontree.Object) predicate {
	p.members(path, o, "property", "query", "operator", "operation", "values", "value", "match")
	if p.checks++; p.checks > MaxChecks {
		if p.checks == MaxChecks+1 {
			p.problem(path, "the definition has more than %d checks", MaxChecks)
		}
		return allOf{}
	}
	at, v := p.either(path, o, "property", "query")
	name, ok := v.(string)
	if !ok || name == "" {
		p.problem(at, "must name the property to check")
		return allOf{}
	}
	property := p.property(at, name)
	at, v = p.either(path, o, "operator", "operation")
	word, ok := v.(string)
	if !ok {
		p.problem(at, "must be one of %s", operatorNames())
		return allOf{}
	}
	op := operators[operatorKey(word)]
	if op == nil {
		p.problem(at, "%s is no operator; known are %s", formatValue(word), operatorNames())
		return allOf{}
	}
	c := check{at: path, property: property, operator: op, match: p.quantifier(join(path, "match"), o["match"], false)}
	if op.whole && o["match"] != nil {
		p.problem(join(path, "match"), "does not fit %s, which is about all values together", op.name)
	}
	at, v = p.either(path, o, "values", "value")
	p.operands(&c, at, v)
	if property == nil {
		return allOf{}
	}
	if !op.takes(property.kind()) {
		p.problem(join(path, "operator"), "%s does not fit %s, which is %s", op.name, name, kindNames[property.kind()])
	}
	return c
}

// operands parses the values of a check.
func (p *parser) operands(c *check, path string, v any) {
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	if p.values += len(list); p.values > MaxValues {
		p.problem(path, "the definition has more than %d values", MaxValues)
		return
	}
	op := c.operator
	switch {
	case op.operands == 0 && len(list) > 0:
		p.problem(path, "%s takes no values", op.name)
		return
	case op.operands > 0 && len(list) == 0:
		p.problem(path, "%s needs a value", op.name)
		return
	case op.operands == 1 && len(list) > 1:
		p.problem(path, "%s takes one value, not %d", op.name, len(list))
		return
	}
	for i, e := range list {
		if p.ended() {
			return
		}
		at := path
		if ok {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		p.operand(c, at, e)
	}
}

func (p *parser) operand(c *check, path string, v any) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case bool:
		text = strconv.FormatBool(v)
	case fmt.Stringer: // json.Number
		text = v.String()
	default:
		p.problem(path, "must be a text, a number, true or false, not %s", jsontree.KindOf(v))
		return
	}
	c.given = append(c.given, text)
	numeric := c.property != nil && c.property.kind() == number
	switch c.operator.operand {
	case wantsPattern:
		if pattern := p.pattern(path, text); pattern != nil {
			c.patterns = append(c.patterns, pattern)
		}
		return
	case wantsMoment:
		m, err := parseMoment(text)
		if err != nil {
			p.problem(path, "%v", err)
			return
		}
		c.moments = append(c.moments, m)
		return
	case wantsNumber:
		if _, ok := search.ParseNumber(text); !ok {
			p.problem(path, "%s is no number", formatValue(v))
			return
		}
	default:
		if c.property != nil && c.property.field() == typeField {
			spec, ok := p.registry.Entity(strings.ReplaceAll(text, "_", ""))
			if !ok {
				p.problem(path, "%s is no entity type", formatValue(v))
				return
			}
			text = spec.Name
		}
		if _, ok := search.ParseNumber(text); !ok && numeric {
			p.problem(path, "%s is no number, which %s is", formatValue(v), c.property.name())
			return
		}
		if c.property != nil && c.property.kind() == boolean && text != "true" && text != "false" {
			p.problem(path, "%s is neither true nor false", formatValue(v))
			return
		}
	}
	c.values = append(c.values, text)
}

func (a allOf) holds(f *Facts, element any) bool {
	return !slices.ContainsFunc(a.parts, func(one predicate) bool { return !one.holds(f, element) })
}

func (a anyOf) holds(f *Facts, element any) bool {
	return slices.ContainsFunc(a.parts, func(one predicate) bool { return one.holds(f, element) })
}

func (n not) holds(f *Facts, element any) bool { return !n.predicate.holds(f, element) }

// found returns the values to compare.
func (c check) found(f *Facts, element any) (texts []string, numbers []float64) {
	if s, ok := c.property.(structuredProperty); ok && c.operator.textual() {
		return s.written(f)
	}
	return c.property.values(f, element)
}

func (c check) holds(f *Facts, element any) bool {
	texts, numbers := c.found(f, element)
	if c.match.kind == matchAny || c.operator.whole {
		return c.meets(f.context(), f.At, texts, numbers)
	}
	met := 0
	for i := range texts {
		if c.meets(f.context(), f.At, texts[i:i+1], nil) {
			met++
		}
	}
	for i := range numbers {
		if c.meets(f.context(), f.At, nil, numbers[i:i+1]) {
			met++
		}
	}
	return c.match.met(met, len(texts)+len(numbers))
}

// meets reports whether some of the values meet the condition. The result is invalid after the end
// of ctx.
func (c *check) meets(ctx context.Context, at time.Time, texts []string, numbers []float64) bool {
	if c.operator.operand == wantsPattern {
		if ctx.Err() != nil {
			return false
		}
		return slices.ContainsFunc(texts, func(text string) bool {
			return slices.ContainsFunc(c.patterns, func(p *pattern) bool { return p.matches(ctx, text) })
		}) != c.operator.negated
	}
	criterion := c.criterion(at)
	return criterion.Meets(texts, numbers) != criterion.Negated
}

// criterion returns the condition as a criterion of the search port, without a field.
func (c *check) criterion(at time.Time) search.Criterion {
	criterion := search.Criterion{Condition: c.operator.condition, Values: c.values, Negated: c.operator.negated}
	if c.operator.constant != "" {
		criterion.Values = []string{c.operator.constant}
	}
	for _, m := range c.moments {
		criterion.Values = []string{strconv.FormatInt(m.at(at).UnixMilli(), 10)}
	}
	return criterion
}

func (e each) holds(f *Facts, _ any) bool {
	elements := e.list.elements(f)
	met := 0
	for _, element := range elements {
		if e.rules.holds(f, element) {
			met++
		}
	}
	return e.match.met(met, len(elements))
}

func (a allOf) expression(q *question) (search.Expression, bool) {
	list, ok := expressions(a.parts, q)
	return search.Expression{All: list}, ok
}

func (a anyOf) expression(q *question) (search.Expression, bool) {
	list, ok := expressions(a.parts, q)
	return search.Expression{Any: list}, ok
}

func expressions(list []predicate, q *question) ([]search.Expression, bool) {
	out := make([]search.Expression, len(list))
	for i, one := range list {
		e, ok := one.expression(q)
		if !ok {
			return nil, false
		}
		out[i] = e
	}
	return out, true
}

func (n not) expression(q *question) (search.Expression, bool) {
	e, ok := n.predicate.expression(q)
	return search.Expression{Not: &e}, ok
}

func (c check) expression(q *question) (search.Expression, bool) {
	if c.match.kind != matchAny && !c.operator.whole {
		return search.Expression{}, false
	}
	if path, ok := c.property.(pathProperty); ok && path.reference != "" {
		return c.behind(&path, q)
	}
	if s, ok := c.property.(structuredProperty); ok {
		return c.assigned(s, q)
	}
	field := c.property.field()
	if field == "" || c.operator.operand == wantsPattern {
		return search.Expression{}, false
	}
	criterion := c.criterion(q.at)
	criterion.Field = field
	return search.Expression{Is: &criterion}, true
}

// behind converts a condition behind a reference into one on the reference: it must refer to an
// entity that meets the condition. A negated operator holds if none does, of the values of all
// entities together.
func (c check) behind(path *pathProperty, q *question) (search.Expression, bool) {
	if q.related == nil {
		return search.Expression{}, false
	}
	hop := slices.IndexFunc(path.steps, isHop)
	urns, ok := q.related.Meeting(Reference{path.referred, path.steps[hop].name}, func(value any) bool {
		texts, numbers := leaves(follow(nil, nil, value, path.steps[hop+1:]))
		return c.meets(q.ctx, q.at, texts, numbers) != c.operator.negated
	})
	if !ok {
		return search.Expression{}, false
	}
	e := search.Expression{Any: []search.Expression{}}
	if len(urns) > 0 {
		e = search.Expression{Is: &search.Criterion{Field: path.reference, Condition: search.Equal, Values: urns}}
	}
	if c.operator.negated {
		return search.Expression{Not: &e}, true
	}
	return e, true
}

// assigned converts a condition on values of a structured property into one on the field in which
// they are indexed. Dates are indexed as numbers, so conditions on their written form cannot be
// converted.
func (c check) assigned(s structuredProperty, q *question) (search.Expression, bool) {
	if q.related == nil || c.operator.operand == wantsPattern {
		return search.Expression{}, false
	}
	p, ok := q.related.Property(s.of)
	if !ok || p.IsNumber() && c.operator.textual() {
		return search.Expression{}, false
	}
	criterion := c.criterion(q.at)
	criterion.Field = p.Field
	return search.Expression{Is: &criterion}, true
}

func (e each) expression(*question) (search.Expression, bool) { return search.Expression{}, false }

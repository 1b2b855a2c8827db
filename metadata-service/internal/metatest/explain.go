package metatest

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Limits on the reported facts of a condition.
const (
	MaxTold     = 200 // bytes of a text
	maxFound    = 5   // values of an asset
	maxCompared = 10  // values of a condition
)

// Condition is a part of the rules that is reported separately: a check, or the rules for the
// elements of a list.
type Condition struct {
	Path     string   // place in the definition, as in a Problem
	Property string   // the checked property, or the name of the list
	Operator string   // its primary name; empty for a list
	Values   []string // the first values of the comparison, as in the definition
	Match    string   // the values or elements that have to meet it: any, all, none, or a share as 80%
	Elements string   // rules for the elements of a list, in readable form; empty for a check
	// Negated is true if the asset must break the condition, since it is inside a not.
	Negated bool
	// OneOf is the place of the alternatives that contain the condition, of which one suffices. It
	// is empty if the condition must be met in any case.
	OneOf string
}

// Finding is the result of a condition for an asset.
type Finding struct {
	Condition
	// Met is true if the condition has the required result: broken if it is negated.
	Met bool
	// Decisive is true if the asset fails because of the condition: it keeps failing until this
	// condition or another one of the same alternatives is met.
	Decisive bool
	// Found are the first values of the property; Total is the number of all. For a list they name
	// elements with the wrong result.
	Found []string
	Total int
	// Of is the number of elements of a list, Meeting the number of those that meet the rules.
	Of, Meeting int
}

// Explain returns the findings of an asset for the conditions of the rules, in their order: at most
// most, and only decisive ones with decisive. A passing asset has no decisive finding. A failing
// one has at least one, unless the rules cannot be met at all.
func (t *Test) Explain(f *Facts, most int, decisive bool) []Finding {
	e := explanation{facts: f, most: most, decisive: decisive}
	e.walk(t.rules, "", true, !t.rules.holds(f, nil))
	return e.findings
}

type explanation struct {
	facts    *Facts
	most     int
	decisive bool
	findings []Finding
}

// walk visits the conditions of a predicate whose required result is wanted. The predicate is
// decisive if it has another result and the asset fails because of it.
func (e *explanation) walk(p predicate, oneOf string, wanted, decisive bool) {
	if e.decisive && !decisive || len(e.findings) >= e.most {
		return
	}
	switch p := p.(type) {
	case allOf:
		e.parts(p.parts, p.at, oneOf, wanted, decisive, !wanted)
	case anyOf:
		e.parts(p.parts, p.at, oneOf, wanted, decisive, wanted)
	case not:
		e.walk(p.predicate, oneOf, !wanted, decisive)
	case check:
		e.add(p.finding(e.facts), oneOf, p.holds(e.facts, nil), wanted, decisive)
	case each:
		e.add(p.finding(e.facts, wanted), oneOf, p.holds(e.facts, nil), wanted, decisive)
	}
}

// parts visits the predicates of a list. They are alternatives if one of them with the required
// result suffices.
func (e *explanation) parts(parts []predicate, at, oneOf string, wanted, decisive, alternatives bool) {
	if alternatives && len(parts) > 1 {
		oneOf = at
	}
	for _, one := range parts {
		e.walk(one, oneOf, wanted, decisive && one.holds(e.facts, nil) != wanted)
	}
}

func (e *explanation) add(f Finding, oneOf string, holds, wanted, decisive bool) {
	f.OneOf, f.Negated, f.Met, f.Decisive = oneOf, !wanted, holds == wanted, decisive
	e.findings = append(e.findings, f)
}

func (c check) finding(f *Facts) Finding {
	texts, numbers := c.found(f, nil)
	out := Finding{Condition: c.condition(), Total: len(texts) + len(numbers)}
	if c.property.kind() == record {
		return out // the record exists, and has no text
	}
	for _, text := range texts[:min(len(texts), maxFound)] {
		out.Found = append(out.Found, shortenText(text))
	}
	for _, n := range numbers[:min(len(numbers), maxFound-len(out.Found))] {
		out.Found = append(out.Found, c.formatNumber(n))
	}
	return out
}

// formatNumber formats a number. A number that is compared with a time is formatted as a time.
func (c check) formatNumber(n float64) string {
	const lastYear = 253402300799999 // 9999, in milliseconds
	if c.operator.operand == wantsMoment && n >= 0 && n <= lastYear {
		return time.UnixMilli(int64(n)).UTC().Format(time.RFC3339)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (c check) condition() Condition {
	out := Condition{Path: c.at, Property: c.property.name(), Operator: c.operator.name}
	for _, text := range c.given[:min(len(c.given), maxCompared)] {
		out.Values = append(out.Values, shortenText(text))
	}
	if c.match.kind != matchAny {
		out.Match = c.match.String()
	}
	return out
}

// finding names the elements with the wrong result: those that break the rules, or that meet them
// if none may.
func (e each) finding(f *Facts, wanted bool) Finding {
	elements := e.list.elements(f)
	out := Finding{Condition: Condition{Path: e.at, Property: e.list.name, Match: e.match.String(), Elements: shortenText(predicateText(e.rules))}, Of: len(elements)}
	named := (e.match.kind == matchNone) == wanted
	for _, element := range elements {
		meets := e.rules.holds(f, element)
		if meets {
			out.Meeting++
		}
		if meets != named {
			continue
		}
		out.Total++
		if name := e.list.nameOf(element); name != "" && len(out.Found) < maxFound {
			out.Found = append(out.Found, shortenText(name))
		}
	}
	return out
}

// nameOf returns the name of an element for people: its first member that is a text.
func (l *list) nameOf(element any) string {
	o := jsontree.AsObject(element)
	if l.columns {
		return jsontree.Text(o, "path")
	}
	for _, field := range l.of.Fields {
		if kindOfShape(field.Type.Shape) == text && field.Type.Shape < model.RecordShape {
			if name := jsontree.Text(o, field.Name); name != "" {
				return name
			}
		}
	}
	return ""
}

func (q quantifier) String() string {
	if q.kind == matchShare {
		return strconv.FormatFloat(q.share, 'f', -1, 64) + "%"
	}
	return q.kind
}

// predicateText formats a predicate for people, as "description exists and not tags equals x".
func predicateText(p predicate) string {
	switch p := p.(type) {
	case allOf:
		return joinPredicates(p.parts, " and ")
	case anyOf:
		return joinPredicates(p.parts, " or ")
	case not:
		return "not " + predicateText(p.predicate)
	case check:
		c := p.condition()
		return strings.TrimSpace(c.Property + " " + c.Operator + " " + strings.Join(c.Values, ", "))
	}
	return ""
}

func joinPredicates(parts []predicate, word string) string {
	out := make([]string, 0, len(parts))
	for _, one := range parts[:min(len(parts), maxCompared)] {
		out = append(out, predicateText(one))
	}
	if len(out) == 1 {
		return out[0]
	}
	return "(" + strings.Join(out, word) + ")"
}

// shortenText shortens a text to the reported length.
func shortenText(text string) string {
	if len(text) <= MaxTold {
		return text
	}
	end := MaxTold - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

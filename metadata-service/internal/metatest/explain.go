package metatest

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Limits of what is told of a condition.
const (
	MaxTold     = 200 // bytes of a text
	maxFound    = 5   // values of an asset
	maxCompared = 10  // values of a condition
)

// Condition is a part of rules that is told of by itself: a check, or what the
// elements of a list have to meet.
type Condition struct {
	Path     string   // place in the definition, as that of a Problem
	Property string   // that is checked, or the name of the list
	Operator string   // by its first name; empty for a list
	Values   []string // that it compares with, as written; the first ones
	Match    string   // how many values or elements have to meet it: any, all, none, or a share as 80%
	Elements string   // what elements of a list have to meet, in words of the language; empty for a check
	// Negated tells that the asset has to break the condition, as it stands in a not.
	Negated bool
	// OneOf is the place of the alternatives that the condition belongs to, of which one would
	// do; empty when it has to be met whatever others are.
	OneOf string
}

// Finding is what an asset has of a condition.
type Finding struct {
	Condition
	// Met tells that the condition is as the rules want it: broken when it is negated.
	Met bool
	// Decisive tells that the asset fails by the condition: as it is not met, the asset fails
	// until it is, or until another one of the same alternatives is.
	Decisive bool
	// Found are the first values that the property has, of Total. For a list they name elements
	// that are not as they should be.
	Found []string
	Total int
	// Of elements of a list so many are Meeting.
	Of, Meeting int
}

// Explain tells what an asset has of each condition of the rules, in their order:
// up to so many conditions, only decisive ones if that is asked for. An asset that
// passes has no decisive one, and one that fails has at least one, save where the
// rules cannot be met at all.
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

// walk visits the conditions of a predicate that is to hold, or not to hold. It is
// decisive when it is not as wanted, and that is why the asset fails.
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

// parts visits those of a list. They are alternatives when one of them as wanted is
// enough.
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
		return out // it is there, and has no text
	}
	for _, text := range texts[:min(len(texts), maxFound)] {
		out.Found = append(out.Found, told(text))
	}
	for _, n := range numbers[:min(len(numbers), maxFound-len(out.Found))] {
		out.Found = append(out.Found, c.spelled(n))
	}
	return out
}

// spelled writes a number, one that is compared with a time as a time.
func (c check) spelled(n float64) string {
	const lastYear = 253402300799999 // 9999, in milliseconds
	if c.operator.operand == wantsMoment && n >= 0 && n <= lastYear {
		return time.UnixMilli(int64(n)).UTC().Format(time.RFC3339)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (c check) condition() Condition {
	out := Condition{Path: c.at, Property: c.property.name(), Operator: c.operator.name}
	for _, text := range c.given[:min(len(c.given), maxCompared)] {
		out.Values = append(out.Values, told(text))
	}
	if c.match.kind != matchAny {
		out.Match = c.match.String()
	}
	return out
}

// finding names the elements that are not as they should be: those that break the
// rules, or meet them when none may.
func (e each) finding(f *Facts, wanted bool) Finding {
	elements := e.list.elements(f)
	out := Finding{Condition: Condition{Path: e.at, Property: e.list.name, Match: e.match.String(), Elements: told(inWords(e.rules))}, Of: len(elements)}
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
			out.Found = append(out.Found, told(name))
		}
	}
	return out
}

// nameOf is what people know an element by: its first member that is a text.
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

// inWords writes a predicate as people read it, as "description exists and not tags
// equals x".
func inWords(p predicate) string {
	switch p := p.(type) {
	case allOf:
		return joined(p.parts, " and ")
	case anyOf:
		return joined(p.parts, " or ")
	case not:
		return "not " + inWords(p.predicate)
	case check:
		c := p.condition()
		return strings.TrimSpace(c.Property + " " + c.Operator + " " + strings.Join(c.Values, ", "))
	}
	return ""
}

func joined(parts []predicate, word string) string {
	out := make([]string, 0, len(parts))
	for _, one := range parts[:min(len(parts), maxCompared)] {
		out = append(out, inWords(one))
	}
	if len(out) == 1 {
		return out[0]
	}
	return "(" + strings.Join(out, word) + ")"
}

// told cuts a text to what is told of it.
func told(text string) string {
	if len(text) <= MaxTold {
		return text
	}
	end := MaxTold - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

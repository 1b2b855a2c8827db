package metatest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// valueKind is the kind of the values of a property.
type valueKind uint8

const (
	anyKind valueKind = iota // unknown, or several kinds
	text
	number
	boolean
	record // only its existence can be checked
)

var kindNames = [...]string{anyKind: "of any kind", text: "a text", number: "a number", boolean: "true or false", record: "an object"}

// operandKind is the kind of the operands of an operator.
type operandKind uint8

const (
	wantsValue operandKind = iota
	wantsNumber
	wantsMoment
	wantsPattern
)

const anyNumber = 2 // one or more operands

// operator is a comparison. It holds if one value of a property matches one operand; a negated
// operator holds if none does.
type operator struct {
	name      string
	condition search.Condition
	negated   bool
	operands  int // 0, 1 or several
	operand   operandKind
	constant  string // implicit operand
	whole     bool   // applies to all values together
	kinds     []valueKind
}

func (o *operator) takes(k valueKind) bool { return k == anyKind || slices.Contains(o.kinds, k) }

// textual reports whether an operator depends on the written form of a value.
func (o *operator) textual() bool {
	switch o.condition {
	case search.Contain, search.StartWith, search.EndWith:
		return true
	}
	return o.operand == wantsPattern
}

var (
	everything = []valueKind{text, number, boolean, record}
	scalars    = []valueKind{text, number, boolean}
)

// operators maps keys, including synonyms, to operators. Whole texts are compared exactly; parts of
// texts are found in any case, as in searches.
var operators = func() map[string]*operator {
	list := []struct {
		operator
		synonyms string
	}{
		{operator{name: "equals", condition: search.Equal, operands: anyNumber, kinds: scalars}, "equal eq is in"},
		{operator{name: "not_equals", condition: search.Equal, negated: true, operands: anyNumber, whole: true, kinds: scalars}, "notequal neq isnot notin"},
		{operator{name: "contains", condition: search.Contain, operands: anyNumber, kinds: []valueKind{text}}, "contain"},
		{operator{name: "not_contains", condition: search.Contain, negated: true, operands: anyNumber, whole: true, kinds: []valueKind{text}}, "notcontain doesnotcontain"},
		{operator{name: "starts_with", condition: search.StartWith, operands: anyNumber, kinds: []valueKind{text}}, "startwith beginswith"},
		{operator{name: "ends_with", condition: search.EndWith, operands: anyNumber, kinds: []valueKind{text}}, "endwith"},
		{operator{name: "regex", operands: anyNumber, operand: wantsPattern, kinds: []valueKind{text}}, "matches regexmatch regexp"},
		{operator{name: "not_regex", negated: true, operands: anyNumber, operand: wantsPattern, whole: true, kinds: []valueKind{text}}, "notmatches notregexp"},
		{operator{name: "exists", condition: search.Exists, whole: true, kinds: everything}, "exist isset isnotnull"},
		{operator{name: "not_exists", condition: search.Exists, negated: true, whole: true, kinds: everything}, "notexist isnull absent"},
		{operator{name: "is_true", condition: search.Equal, constant: "true", kinds: []valueKind{boolean}}, ""},
		{operator{name: "is_false", condition: search.Equal, constant: "false", kinds: []valueKind{boolean}}, ""},
		{operator{name: "greater_than", condition: search.GreaterThan, operands: 1, operand: wantsNumber, kinds: []valueKind{number}}, "gt"},
		{operator{name: "greater_than_or_equal", condition: search.GreaterOrEqual, operands: 1, operand: wantsNumber, kinds: []valueKind{number}}, "gte greaterthanorequalto atleast"},
		{operator{name: "less_than", condition: search.LessThan, operands: 1, operand: wantsNumber, kinds: []valueKind{number}}, "lt"},
		{operator{name: "less_than_or_equal", condition: search.LessOrEqual, operands: 1, operand: wantsNumber, kinds: []valueKind{number}}, "lte lessthanorequalto atmost"},
		{operator{name: "before", condition: search.LessThan, operands: 1, operand: wantsMoment, kinds: []valueKind{number}}, ""},
		{operator{name: "after", condition: search.GreaterThan, operands: 1, operand: wantsMoment, kinds: []valueKind{number}}, ""},
	}
	byKey := map[string]*operator{}
	for i := range list {
		byKey[operatorKey(list[i].name)] = &list[i].operator
		for synonym := range strings.FieldsSeq(list[i].synonyms) {
			byKey[synonym] = &list[i].operator
		}
	}
	return byKey
}()

// operatorKey returns the same key for GREATER_THAN, greaterThan and "greater than".
func operatorKey(name string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(name))
}

func operatorNames() string {
	var names []string
	for _, o := range operators {
		if !slices.Contains(names, o.name) {
			names = append(names, o.name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// moment is a point in time, absolute or relative to the evaluation of a test.
type moment struct {
	fixed  time.Time
	before time.Duration // distance before the evaluation; only if fixed is zero
}

func (m moment) at(now time.Time) time.Time {
	if m.fixed.IsZero() {
		return now.Add(-m.before)
	}
	return m.fixed
}

// parseMoment parses "now", "-30d", "now-30d", a date, a time as in RFC 3339, or epoch
// milliseconds.
func parseMoment(text string) (moment, error) {
	rest := strings.TrimPrefix(text, "now")
	if rest == "" && text != "" {
		return moment{}, nil
	}
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		period, err := parsePeriod(rest[1:])
		if err != nil {
			return moment{}, err
		}
		if rest[0] == '+' {
			period = -period
		}
		return moment{before: period}, nil
	}
	if n, ok := search.ParseNumber(text); ok && n == float64(int64(n)) {
		return moment{fixed: time.UnixMilli(int64(n))}, nil
	}
	return moment{}, fmt.Errorf("%q is no time: give a date, a time as 2026-01-31T12:00:00Z, or one relative to the evaluation as -30d", text)
}

// parsePeriod parses a period as "30d": a number with m, h, d or w.
func parsePeriod(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	const longest = 36_500 * day
	units := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": day, "w": 7 * day}
	if len(text) >= 2 {
		unit := units[strings.ToLower(text[len(text)-1:])]
		n, err := strconv.Atoi(text[:len(text)-1])
		if unit != 0 && err == nil && n > 0 && int64(n) <= int64(longest/unit) {
			return time.Duration(n) * unit, nil
		}
	}
	return 0, fmt.Errorf("%q is no period: give a number with m, h, d or w, as 30d", text)
}

package timeseries

import (
	"cmp"
	"strconv"
	"strings"
)

// operand is a condition value, parsed once for each type that it may have.
type operand struct {
	text     string
	whole    int64
	isWhole  bool
	float    float64
	isNumber bool
}

func newOperand(text string) operand {
	o := operand{text: text}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		o.whole, o.isWhole = n, true
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		o.float, o.isNumber = f, true
	}
	return o
}

// compare orders a document's value relative to the operand. ok is false if the two have no order.
func (o operand) compare(value any) (order int, ok bool) {
	switch v := value.(type) {
	case string:
		return strings.Compare(v, o.text), true
	case int64:
		if o.isWhole {
			return cmp.Compare(v, o.whole), true
		}
		return compareFloats(float64(v), o)
	case float64:
		return compareFloats(v, o)
	}
	return 0, false
}

// compareFloats excludes NaN from any order; cmp.Compare would order it first.
func compareFloats(v float64, o operand) (int, bool) {
	if !o.isNumber || v != v || o.float != o.float {
		return 0, false
	}
	return cmp.Compare(v, o.float), true
}

// equality implements Equal for many values.
type equality struct {
	texts   map[string]struct{}
	numbers []operand
}

func newEquality(values []string) equality {
	e := equality{texts: setOf(values)}
	for _, text := range values {
		if o := newOperand(text); o.isNumber {
			e.numbers = append(e.numbers, o)
		}
	}
	return e
}

func (e equality) test(value any) bool {
	if text, ok := value.(string); ok {
		_, found := e.texts[text]
		return found
	}
	for _, o := range e.numbers {
		if order, ok := o.compare(value); ok && order == 0 {
			return true
		}
	}
	return false
}

func ordering(op Operator, o operand) func(any) bool {
	accept := map[Operator]func(int) bool{
		GreaterThan:    func(c int) bool { return c > 0 },
		GreaterOrEqual: func(c int) bool { return c >= 0 },
		LessThan:       func(c int) bool { return c < 0 },
		LessOrEqual:    func(c int) bool { return c <= 0 },
	}[op]
	return func(value any) bool {
		order, ok := o.compare(value)
		return ok && accept(order)
	}
}

// anyText returns a test for values with a text that matches one of the operands.
func anyText(operands []string, match func(text, operand string) bool) func(any) bool {
	return func(value any) bool {
		text, ok := textOf(value)
		if !ok {
			return false
		}
		for _, o := range operands {
			if match(text, o) {
				return true
			}
		}
		return false
	}
}

func caseInsensitive(match func(text, operand string) bool) func(string, string) bool {
	return func(text, operand string) bool { return match(strings.ToLower(text), operand) }
}

func lowerAll(list []string) []string {
	low := make([]string, len(list))
	for i, text := range list {
		low[i] = strings.ToLower(text)
	}
	return low
}

func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}

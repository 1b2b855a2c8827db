package document

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

func coerceEnum(def *ast.Definition, in any) (any, *problem) {
	name := ""
	switch v := in.(type) {
	case string:
		name = v
	case enumName:
		name = string(v)
	default:
		return nil, newProblem("is not a valid '%s' - expected the name of a value but it was %s", def.Name, kindOf(in))
	}
	if def.EnumValues.ForName(name) == nil {
		return nil, newProblem("is not a valid '%s' - there is no value '%s'", def.Name, truncate(name))
	}
	return name, nil
}

func coerceScalar(name string, in any) (any, *problem) {
	switch name {
	case "Int":
		if n, ok := integer(in); ok && n == int64(int32(n)) {
			return int32(n), nil
		}
		return nil, newProblem("is not a valid 'Int' - expected a whole number of 32 bits but it was %s", kindOf(in))
	case "Long":
		if n, ok := integer(in); ok {
			return n, nil
		}
		return nil, newProblem("is not a valid 'Long' - expected a whole number of 64 bits but it was %s", kindOf(in))
	case "Float":
		if f, err := strconv.ParseFloat(numberText(in), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f, nil
		}
		return nil, newProblem("is not a valid 'Float' - expected a number but it was %s", kindOf(in))
	case "String", "ID":
		return coerceText(name, in)
	case "Boolean":
		return coerceBool(in)
	}
	return plainValue(in), nil
}

func coerceText(name string, in any) (any, *problem) {
	switch v := in.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return nil, newProblem("is not a valid '%s' - expected text but it was %s", name, kindOf(in))
}

func coerceBool(in any) (any, *problem) {
	switch v := in.(type) {
	case bool:
		return v, nil
	case string:
		if strings.EqualFold(v, "true") || strings.EqualFold(v, "false") {
			return strings.EqualFold(v, "true"), nil
		}
	}
	return nil, newProblem("is not a valid 'Boolean' - expected true or false but it was %s", kindOf(in))
}

// numberText returns the text of a number, or of a string that is to be converted to a number.
func numberText(in any) string {
	switch v := in.(type) {
	case json.Number:
		return v.String()
	case string:
		return strings.TrimSpace(v)
	}
	return ""
}

// integer reads a whole number without floating-point arithmetic, so that no digit of a Long is
// lost. 1e3 and 5.0 are whole, too.
func integer(in any) (int64, bool) {
	text := numberText(in)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	// A large exponent would produce a number with as many digits.
	if len(text) > 40 || !strings.ContainsAny(text, ".eE") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(f) > 1e19 {
		return 0, false
	}
	if math.Abs(f) < 1 {
		mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
		return 0, !strings.ContainsAny(mantissa, "123456789")
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0, false
	}
	return exact.Num().Int64(), true
}

// plainValue converts a value of a custom scalar, whose type the stage does not know.
func plainValue(in any) any {
	switch v := in.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case enumName:
		return string(v)
	case coercedValue:
		return v.value
	case unsetVariable, unknownVariable:
		return nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			if !isUnset(v[k]) {
				out[k] = plainValue(v[k])
			}
		}
		return out
	}
	return in
}

// kindOf describes a refused value briefly, for error messages.
func kindOf(in any) string {
	switch v := in.(type) {
	case nil:
		return "null"
	case string:
		return "the text '" + truncate(v) + "'"
	case enumName:
		return "the name '" + truncate(string(v)) + "'"
	case json.Number:
		return "the number " + truncate(v.String())
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	}
	return "an object"
}

func truncate(s string) string {
	const limit = 60
	runes := 0
	for i := range s {
		if runes++; runes > limit {
			return s[:i] + "..."
		}
	}
	return s
}

package graphql

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
)

// matchesCondition evaluates a filter condition on a string, for listings without an index. An
// unsupported condition is a fault.Malformed error.
func matchesCondition(have, condition string, values []string) (bool, error) {
	by, ok := comparisons[condition]
	if !ok {
		return false, fault.New(fault.Malformed, "filters: the condition %s cannot be used here", condition)
	}
	if condition == "EXISTS" {
		return have != "", nil
	}
	return slices.ContainsFunc(values, func(v string) bool { return by(have, v) }), nil
}

var comparisons = map[string]func(have, v string) bool{
	"EQUAL": func(have, v string) bool { return have == v }, "IN": func(have, v string) bool { return have == v },
	"IEQUAL":  strings.EqualFold,
	"EXISTS":  nil,
	"CONTAIN": func(have, v string) bool { return strings.Contains(strings.ToLower(have), strings.ToLower(v)) },
	"START_WITH": func(have, v string) bool {
		return strings.HasPrefix(strings.ToLower(have), strings.ToLower(v))
	},
	"END_WITH":                 func(have, v string) bool { return strings.HasSuffix(strings.ToLower(have), strings.ToLower(v)) },
	"GREATER_THAN":             func(have, v string) bool { return compareValues(have, v) > 0 },
	"GREATER_THAN_OR_EQUAL_TO": func(have, v string) bool { return compareValues(have, v) >= 0 },
	"LESS_THAN":                func(have, v string) bool { return compareValues(have, v) < 0 },
	"LESS_THAN_OR_EQUAL_TO":    func(have, v string) bool { return compareValues(have, v) <= 0 },
}

// compareValues compares numbers numerically and other strings byte by byte.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

func expiry(info token.Info) string {
	if info.ExpiresAt == 0 {
		return ""
	}
	return strconv.FormatInt(info.ExpiresAt, 10)
}

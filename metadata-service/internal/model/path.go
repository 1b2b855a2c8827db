package model

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Select returns the values at a registry path, in order. The step * matches each array element or
// map value, $key each map key. Map entries are visited in key order.
func Select(v any, path string) []any {
	rest := strings.TrimPrefix(path, "/")
	if rest == "" {
		return []any{v}
	}
	return appendSelected(nil, v, strings.Split(rest, "/"))
}

func appendSelected(out []any, v any, steps []string) []any {
	if len(steps) == 0 {
		return append(out, v)
	}
	switch v := v.(type) {
	case Object:
		switch steps[0] {
		case "*":
			for _, key := range jsontree.Sorted(v) {
				out = appendSelected(out, v[key], steps[1:])
			}
		case "$key":
			for _, key := range jsontree.Sorted(v) {
				out = append(out, key)
			}
		default:
			if e, ok := v[steps[0]]; ok {
				out = appendSelected(out, e, steps[1:])
			}
		}
	case []any:
		if steps[0] == "*" {
			for _, e := range v {
				out = appendSelected(out, e, steps[1:])
			}
		}
	}
	return out
}

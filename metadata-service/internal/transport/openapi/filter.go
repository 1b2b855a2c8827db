package openapi

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// scrollFilter is a filter of a scroll. In spite of its name, And holds alternatives: each is a
// list of criteria that must all match.
type scrollFilter struct {
	And []struct {
		Criteria []criterion `json:"criteria"`
		And      []criterion `json:"and"`
	} `json:"and"`
}

type criterion struct {
	Field     string    `json:"field"`
	Value     string    `json:"value"`
	Values    *[]string `json:"values"`
	Condition string    `json:"condition"`
	Negated   bool      `json:"negated"`
}

// buildFilter converts the filter to the form of package search.
func (f *scrollFilter) buildFilter() (search.Filter, error) {
	if f == nil {
		return nil, nil
	}
	var out search.Filter
	for _, alternative := range f.And {
		var all []search.Criterion
		for _, cr := range slices.Concat(alternative.Criteria, alternative.And) {
			built, ok, err := cr.buildCriterion()
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, built)
			}
		}
		out = append(out, all)
	}
	return out, nil
}

// buildCriterion converts a criterion to the form of package search. says is false for a
// criterion without an effect.
func (cr *criterion) buildCriterion() (c search.Criterion, says bool, err error) {
	if cr.Field == "" {
		return c, false, fault.New(fault.Malformed, "a criterion of the filter has no field")
	}
	c = search.Criterion{Field: cr.Field, Condition: search.Condition(strings.ToUpper(cr.Condition)), Negated: cr.Negated}
	switch c.Condition {
	case "STARTS_WITH":
		c.Condition = search.StartWith
	case "ENDS_WITH":
		c.Condition = search.EndWith
	}
	switch {
	case cr.Value != "":
		c.Values = []string{cr.Value}
	case cr.Values != nil:
		c.Values = *cr.Values
	default:
		return c, c.Condition == search.Exists || c.Condition == search.IsNull, nil
	}
	return c, true, nil
}

package rest

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	defaultDocuments = 10
	maxDocuments     = 10_000
)

type timeseriesInput struct {
	URN         string     `json:"urn" param:"required"`
	Entity      string     `json:"entity" param:"required"`
	Aspect      string     `json:"aspect" param:"required"`
	Start       *looseInt  `json:"startTimeMillis"`
	End         *looseInt  `json:"endTimeMillis"`
	Limit       *looseInt  `json:"limit"`
	LatestValue looseBool  `json:"latestValue"`
	Filter      *filter    `json:"filter"`
	Sort        *sortOrder `json:"sort"`
}

// sortOrder is the order of time-series documents; they can be sorted only by time.
type sortOrder struct {
	Field string `json:"field"`
	Order string `json:"order"`
}

func (s *handlers) timeseriesValues(ctx context.Context, in timeseriesInput) (any, error) {
	q, err := s.timeseriesQuery(in)
	if err != nil {
		return nil, err
	}
	documents, err := s.Catalog.Timeseries(ctx, q)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(documents))
	for i, d := range documents {
		values[i] = object{
			"aspect":         object{"contentType": "application/json", "value": string(d.Event)},
			"systemMetadata": systemJSON(d.System),
		}
	}
	return object{"entityName": q.EntityType, "aspectName": q.Aspect, "limit": q.Limit, "values": values}, nil
}

func (s *handlers) timeseriesQuery(in timeseriesInput) (q catalog.TimeseriesQuery, err error) {
	u, spec, err := s.registry.Resolve(in.URN)
	if err != nil {
		return q, err
	}
	if !strings.EqualFold(spec.Name, in.Entity) {
		return q, fault.New(fault.Malformed, "entity is %q, but urn is of entity type %s", truncate(in.Entity), spec.Name)
	}
	q = catalog.TimeseriesQuery{URN: u, EntityType: spec.Name, Aspect: in.Aspect, From: in.Start.int64(), To: in.End.int64()}
	if q.Limit, err = in.Limit.clamp("limit", 1, defaultDocuments, maxDocuments); err != nil {
		return q, err
	}
	if in.LatestValue {
		q.Limit = 1
	}
	if q.Filter, err = in.Filter.conditions(); err != nil {
		return q, err
	}
	q.Ascending, err = in.Sort.ascending()
	return q, err
}

func (o *sortOrder) ascending() (bool, error) {
	if o == nil {
		return false, nil
	}
	switch o.Field {
	case "", "timestampMillis", "@timestamp":
	default:
		return false, fault.New(fault.Malformed, "sort.field must be timestampMillis, is %q", truncate(o.Field))
	}
	switch o.Order {
	case "ASCENDING":
		return true, nil
	case "", "DESCENDING":
		return false, nil
	}
	return false, fault.New(fault.Malformed, "sort.order must be ASCENDING or DESCENDING, is %q", truncate(o.Order))
}

// filter is a list of alternatives; criteria is the older form with a single one.
type filter struct {
	Or boundedList[struct {
		And boundedList[criterion] `json:"and"`
	}] `json:"or"`
	Criteria boundedList[criterion] `json:"criteria"`
}

type criterion struct {
	Field     string    `json:"field"`
	Value     string    `json:"value"` // older form of Values
	Values    []string  `json:"values"`
	Condition string    `json:"condition"`
	Negated   looseBool `json:"negated"`
}

// maxCriteria bounds the criteria of a filter.
const maxCriteria = 1000

func (f *filter) conditions() (timeseries.Filter, error) {
	if f == nil {
		return nil, nil
	}
	var out timeseries.Filter
	total := len(f.Criteria)
	for _, alternative := range f.Or {
		total += len(alternative.And)
		all, err := conditions(alternative.And)
		if err != nil {
			return nil, err
		}
		out = append(out, all)
	}
	if total > maxCriteria || len(out) > maxCriteria {
		return nil, fault.New(fault.TooLarge, "filter has more than %d criteria", maxCriteria)
	}
	if len(f.Or) == 0 && len(f.Criteria) > 0 {
		all, err := conditions(f.Criteria)
		if err != nil {
			return nil, err
		}
		out = timeseries.Filter{all}
	}
	return out, nil
}

func conditions(criteria []criterion) ([]timeseries.Condition, error) {
	out := make([]timeseries.Condition, len(criteria))
	for i, c := range criteria {
		operator, known := operators[c.Condition]
		if !known {
			return nil, fault.New(fault.Malformed, "filter: condition %q of field %q is not known; EQUAL is the usual one", truncate(c.Condition), truncate(c.Field))
		}
		if c.Field == "" {
			return nil, fault.New(fault.Malformed, "filter: a criterion has no field")
		}
		if len(c.Values) == 0 && c.Value != "" {
			c.Values = []string{c.Value}
		}
		out[i] = timeseries.Condition{Field: c.Field, Operator: operator, Values: c.Values, Negated: bool(c.Negated)}
	}
	return out, nil
}

// operators maps the conditions of the protocol. The store does not distinguish the conditions
// that mean "any of the values".
var operators = map[string]timeseries.Operator{
	"": timeseries.Equal, "EQUAL": timeseries.Equal, "IN": timeseries.Equal,
	"IEQUAL": timeseries.IEqual, "CONTAIN": timeseries.Contain, "START_WITH": timeseries.StartWith, "END_WITH": timeseries.EndWith,
	"GREATER_THAN": timeseries.GreaterThan, "GREATER_THAN_OR_EQUAL_TO": timeseries.GreaterOrEqual,
	"LESS_THAN": timeseries.LessThan, "LESS_THAN_OR_EQUAL_TO": timeseries.LessOrEqual,
	"EXISTS": timeseries.Exists, "IS_NULL": timeseries.IsNull,
}

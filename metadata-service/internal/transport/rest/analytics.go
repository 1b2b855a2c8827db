package rest

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (s *handlers) analyticsActions() []action {
	return []action{
		typedAction("getTimeseriesStats", queryLimit, s.timeseriesStats),
	}
}

type statsInput struct {
	EntityName string                     `json:"entityName" param:"required"`
	AspectName string                     `json:"aspectName" param:"required"`
	Filter     *filter                    `json:"filter"`
	Metrics    boundedList[statsMetric]   `json:"metrics" param:"required"`
	Buckets    boundedList[statsGrouping] `json:"buckets"`
}

type statsMetric struct {
	FieldPath string `json:"fieldPath"`
	By        string `json:"aggregationType"`
}

type statsGrouping struct {
	Key      string       `json:"key"`
	Type     string       `json:"type"`
	Window   *statsWindow `json:"timeWindowSize"`
	TimeZone string       `json:"timeZone"`
}

type statsWindow struct {
	Multiple *looseInt `json:"multiple"`
	Unit     string    `json:"unit"`
}

// timeseriesStats returns a table of statistics, together with the parameters of the request.
func (s *handlers) timeseriesStats(ctx context.Context, in statsInput) (any, error) {
	q := statistics.TableQuery{EntityType: in.EntityName, Aspect: in.AspectName}
	var err error
	if q.Filter, err = in.Filter.conditions(); err != nil {
		return nil, err
	}
	specs := make([]any, len(in.Metrics))
	for i, m := range in.Metrics {
		q.Metrics = append(q.Metrics, statistics.Metric{Field: m.FieldPath, By: statistics.Aggregation(m.By)})
		specs[i] = object{"fieldPath": m.FieldPath, "aggregationType": m.By}
	}
	groupings := make([]any, len(in.Buckets))
	for i := range in.Buckets {
		g, echo, err := in.Buckets[i].grouping(i)
		if err != nil {
			return nil, err
		}
		q.Groupings = append(q.Groupings, g)
		groupings[i] = echo
	}
	table, err := s.Statistics.Table(ctx, q)
	if err != nil {
		return nil, err
	}
	rows := make([]any, len(table.Rows))
	for i, row := range table.Rows {
		rows[i] = list(row)
	}
	answer := object{
		"entityName": table.EntityType, "aspectName": table.Aspect, "aggregationSpecs": specs, "groupingBuckets": groupings,
		"table": object{"columnNames": list(table.Names), "columnTypes": list(table.Types), "rows": rows},
	}
	if in.Filter != nil {
		answer["filter"] = in.Filter.tree()
	}
	return answer, nil
}

// grouping reads one bucket, and returns it with its defaults for the response, too.
func (b *statsGrouping) grouping(i int) (statistics.Grouping, object, error) {
	g := statistics.Grouping{Field: b.Key}
	echo := object{"key": b.Key, "type": b.Type}
	switch {
	case b.Type == "STRING_GROUPING_BUCKET":
		return g, echo, nil
	case b.Type != "DATE_GROUPING_BUCKET":
		return g, nil, fault.New(fault.Malformed, "buckets[%d].type: must be STRING_GROUPING_BUCKET or DATE_GROUPING_BUCKET, is %q", i, truncate(b.Type))
	case b.Window == nil:
		return g, nil, fault.New(fault.Malformed, "buckets[%d].timeWindowSize: a DATE_GROUPING_BUCKET needs it, as {\"unit\": \"DAY\", \"multiple\": 1}", i)
	}
	g.Date, g.Unit, g.TimeZone, g.Multiple = true, b.Window.Unit, b.TimeZone, 1
	if n := b.Window.Multiple.int64(); n != nil {
		g.Multiple = *n
	}
	echo["timeWindowSize"] = object{"unit": g.Unit, "multiple": g.Multiple}
	if g.TimeZone != "" {
		echo["timeZone"] = g.TimeZone
	}
	return g, echo, nil
}

// tree encodes the filter as a list of alternatives.
func (f *filter) tree() object {
	criteria := func(all []criterion) []any {
		out := make([]any, len(all))
		for i, c := range all {
			condition := c.Condition
			if condition == "" {
				condition = "EQUAL"
			}
			values := c.Values
			if len(values) == 0 && c.Value != "" {
				values = []string{c.Value}
			}
			out[i] = object{"field": c.Field, "condition": condition, "value": c.Value, "values": list(values), "negated": bool(c.Negated)}
		}
		return out
	}
	if len(f.Or) == 0 {
		return object{"criteria": criteria(f.Criteria)}
	}
	or := make([]any, len(f.Or))
	for i, alternative := range f.Or {
		or[i] = object{"and": criteria(alternative.And)}
	}
	return object{"or": or}
}

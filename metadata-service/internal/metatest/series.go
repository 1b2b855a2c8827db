package metatest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Series is an aggregated value of a time series over a period that ends at the evaluation.
type Series struct {
	Aspect, Stat, Aggregation string
	Period                    time.Duration
}

// Aggregations of a Series.
const (
	Sum    = "sum"
	Latest = "latest"
	Max    = "max"
	Min    = "min"
	Avg    = "avg"
	Count  = "count" // of documents
)

type seriesProperty struct {
	given string
	Series
}

func (s seriesProperty) name() string    { return s.given }
func (s seriesProperty) kind() valueKind { return number }
func (s seriesProperty) field() string   { return "" }

func (s seriesProperty) values(f *Facts, _ any) ([]string, []float64) {
	if n, ok := f.Series[s.Series]; ok {
		return nil, []float64{n}
	}
	return nil, nil
}

func (p *parser) series(at, name, rest string) property {
	parts := strings.Split(rest, ".")
	if len(parts) < 4 {
		p.problem(at, "%q must be timeseries.ASPECT.STAT.AGGREGATION.PERIOD, as timeseries.datasetUsageStatistics.totalSqlQueries.sum.30d", name)
		return nil
	}
	n := len(parts)
	s := Series{Aspect: parts[0], Stat: strings.Join(parts[1:n-2], "."), Aggregation: parts[n-2]}
	spec, ok := p.registry.Aspect(s.Aspect)
	if !ok || !spec.Timeseries || !slices.ContainsFunc(p.types, func(t *model.EntitySpec) bool { return slices.Contains(spec.Entities, t.Name) }) {
		p.problem(at, "%s is no time series of %s", s.Aspect, strings.Join(p.typeNames(), ", "))
		return nil
	}
	if s.Aggregation != Count {
		w := walker{parser: p, at: at, name: name}
		kind, ok := w.walk(spec.Record, segments(s.Stat))
		if !ok {
			return nil
		}
		if kind != number || slices.ContainsFunc(w.steps, func(one step) bool { return one.kind != toField }) {
			p.problem(at, "%s of %s is not a number", s.Stat, s.Aspect)
			return nil
		}
	}
	if aggregations := []string{Sum, Latest, Max, Min, Avg, Count}; !slices.Contains(aggregations, s.Aggregation) {
		p.problem(at, "%q is no aggregation; known are %s", s.Aggregation, strings.Join(aggregations, ", "))
		return nil
	}
	var err error
	if s.Period, err = parsePeriod(parts[n-1]); err != nil {
		p.problem(at, "%v", err)
		return nil
	}
	p.reads.timeseries(s)
	return seriesProperty{name, s}
}

// Aggregate combines the numbers of time-series documents, newest first. ok is false if there is
// nothing to combine. The sum and the count of an empty list are 0.
func (s Series) Aggregate(numbers []float64) (value float64, ok bool) {
	if s.Aggregation == Count {
		return float64(len(numbers)), true
	}
	if len(numbers) == 0 {
		return 0, s.Aggregation == Sum
	}
	switch s.Aggregation {
	case Latest:
		return numbers[0], true
	case Max:
		return slices.Max(numbers), true
	case Min:
		return slices.Min(numbers), true
	}
	for _, n := range numbers {
		value += n
	}
	if s.Aggregation == Avg {
		value /= float64(len(numbers))
	}
	return value, true
}

// Of returns the number of the series in a time-series document. ok is false if the document has
// none.
func (s Series) Of(document any) (n float64, ok bool) {
	steps := []step{}
	for _, name := range segments(s.Stat) {
		steps = append(steps, step{kind: toField, name: name})
	}
	_, numbers := leaves(follow(nil, nil, document, steps))
	if len(numbers) == 0 {
		return 0, false
	}
	return numbers[0], true
}

func (s Series) String() string {
	return fmt.Sprintf("%s of %s.%s over %s", s.Aggregation, s.Aspect, s.Stat, s.Period)
}

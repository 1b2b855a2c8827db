package statistics_test

import (
	"context"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// queryRecorder records the last query to the catalog.
type queryRecorder struct {
	statistics.Catalog
	last *catalog.TimeseriesQuery
}

func (a queryRecorder) Timeseries(_ context.Context, q catalog.TimeseriesQuery) ([]timeseries.Document, error) {
	*a.last = q
	return nil, nil
}

// TestEventsAreReadAsPartsOfTheirEntity: the catalog decides about each aspect, and omits hidden
// entities.
func TestEventsAreReadAsPartsOfTheirEntity(t *testing.T) {
	t.Parallel()
	for _, aspect := range []string{"datasetUsageStatistics", "datasetProfile", "operation", "assertionRunEvent", "dashboardUsageStatistics"} {
		var q catalog.TimeseriesQuery
		s := statistics.New(queryRecorder{last: &q}, statistics.Limits{}, time.Now)
		if _, err := s.Events(t.Context(), statistics.Query{URN: dataset, Aspect: aspect}); err != nil {
			t.Fatal(err)
		}
		if !q.PartOfEntity || q.Disclosure != catalog.Omitted {
			t.Errorf("%s: is asked for as %+v", aspect, q)
		}
	}
}

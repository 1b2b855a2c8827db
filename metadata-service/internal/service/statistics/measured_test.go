package statistics_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// asked keeps what the catalog was asked for.
type asked struct {
	statistics.Catalog
	last *catalog.TimeseriesQuery
}

func (a asked) Timeseries(_ context.Context, q catalog.TimeseriesQuery) ([]timeseries.Document, error) {
	*a.last = q
	return nil, nil
}

func TestWhatWasMeasuredOfADatasetTakesAPrivilegeOfItsOwn(t *testing.T) {
	t.Parallel()
	for aspect, needs := range map[string][]auth.Privilege{
		"datasetUsageStatistics": {"VIEW_DATASET_USAGE"}, "datasetProfile": {"VIEW_DATASET_PROFILE"}, "operation": {"VIEW_DATASET_OPERATIONS"},
		"assertionRunEvent": nil, "dashboardUsageStatistics": nil,
	} {
		var q catalog.TimeseriesQuery
		s := statistics.New(asked{last: &q}, time.Now)
		if _, err := s.Events(t.Context(), statistics.Query{URN: dataset, Aspect: aspect}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(q.AnyOf, needs) || q.PartOfEntity != (needs == nil) {
			t.Errorf("%s: asks for %v, as a part of its entity: %t", aspect, q.AnyOf, q.PartOfEntity)
		}
	}
}

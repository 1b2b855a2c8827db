package statistics_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	day = 86_400_000

	dataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
)

func event(t *testing.T, at int64, text string) statistics.Event {
	t.Helper()
	value, err := jsontree.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return statistics.Event{Time: at, Value: value}
}

func TestEventsComeNewestFirstWithinTheirWindow(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := statistics.New(w.Catalog, statistics.Limits{}, w.Now)
	for _, e := range []string{`{"timestampMillis":100,"rowCount":1}`, `{"timestampMillis":300,"rowCount":3}`, `{"timestampMillis":200,"rowCount":2}`} {
		w.Put(t, dataset, "datasetProfile", e)
	}
	from, to := int64(150), int64(300)
	for _, c := range []struct {
		name string
		q    statistics.Query
		want []int64
	}{
		{"all", statistics.Query{}, []int64{300, 200, 100}},
		{"from", statistics.Query{From: &from}, []int64{300, 200}},
		{"to, inclusive", statistics.Query{To: &to}, []int64{300, 200, 100}},
		{"some", statistics.Query{Limit: 1}, []int64{300}},
		{"more than there may be", statistics.Query{Limit: 1 << 30}, []int64{300, 200, 100}},
		{"those that match", statistics.Query{Filter: timeseries.Filter{{{Field: "rowCount", Operator: timeseries.Equal, Values: []string{"2"}}}}}, []int64{200}},
	} {
		c.q.URN, c.q.Aspect = dataset, "datasetProfile"
		events, err := s.Events(w.As(t, servicetest.Jo), c.q)
		var times []int64
		for _, e := range events {
			times = append(times, e.Time)
		}
		if err != nil || !slices.Equal(times, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, times, err, c.want)
		}
	}
	if oldest, err := s.Oldest(w.As(t, servicetest.Jo), dataset, "datasetProfile"); err != nil || oldest != 100 {
		t.Errorf("the oldest is of %d, %v", oldest, err)
	}
	if oldest, err := s.Oldest(w.As(t, servicetest.Jo), dataset, "operation"); err != nil || oldest != 0 {
		t.Errorf("the oldest of none is of %d, %v", oldest, err)
	}
}

func TestErrorsOfTheCatalogAreHandedOn(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := statistics.New(w.Catalog, statistics.Limits{}, w.Now)
	if _, err := s.Events(w.As(t, servicetest.Jo), statistics.Query{URN: dataset, Aspect: "status"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("an aspect that is no time series: %v", err)
	}
	if _, err := s.Events(t.Context(), statistics.Query{URN: dataset, Aspect: "operation"}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody: %v", err)
	}
	if _, err := s.Oldest(t.Context(), dataset, "operation"); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody asks for the oldest: %v", err)
	}
	if _, err := statistics.New(invalidDocument{}, statistics.Limits{}, w.Now).Events(t.Context(), statistics.Query{URN: dataset, Aspect: "operation"}); err == nil {
		t.Error("a document that is no JSON was taken")
	}
}

// invalidDocument is a catalog that returns an invalid document.
type invalidDocument struct{ statistics.Catalog }

func (invalidDocument) Timeseries(context.Context, catalog.TimeseriesQuery) ([]timeseries.Document, error) {
	return []timeseries.Document{{Event: []byte("{")}}, nil
}

// TestRangesEndNow also checks that each range is one hour or day longer than its name, so that its
// first bucket is complete.
func TestRangesEndNow(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(400 * day).UTC()
	s := statistics.New(nil, statistics.Limits{}, func() time.Time { return now })
	for name, days := range map[string]int64{"DAY": 2, "WEEK": 8, "MONTH": 31, "QUARTER": 92, "HALF_YEAR": 183, "YEAR": 366} {
		if from, err := s.Since(name); err != nil || from != (400-days)*day {
			t.Errorf("%s begins at day %d, %v", name, from/day, err)
		}
	}
	if from, err := s.Since("HOUR"); err != nil || from != now.UnixMilli()-2*day/24 {
		t.Errorf("HOUR begins at %d, %v", from, err)
	}
	for _, name := range []string{"", "ALL"} {
		if from, err := s.Since(name); err != nil || from != 0 {
			t.Errorf("%q begins at %d, %v", name, from, err)
		}
	}
	if _, err := s.Since("DECADE"); !errors.Is(err, fault.Malformed) {
		t.Errorf("an unknown range: %v", err)
	}
}

func TestTheUseOfADatasetIsSummedUp(t *testing.T) {
	t.Parallel()
	sum := statistics.Sum([]statistics.Event{
		event(t, 2, `{"totalSqlQueries":7,"userCounts":[{"user":"urn:li:corpuser:jo","count":5},{"user":"urn:li:corpuser:mia","count":2,"userEmail":"mia@example.com"}],"fieldCounts":[{"fieldPath":"id","count":4}]}`),
		event(t, 1, `{"totalSqlQueries":3,"userCounts":[{"user":"urn:li:corpuser:mia","count":3},{"count":9},"jo"],"fieldCounts":[{"fieldPath":"id","count":1},{"fieldPath":"price","count":5}]}`),
	})
	users := []statistics.Share{{Name: "urn:li:corpuser:jo", Count: 5}, {Name: "urn:li:corpuser:mia", Count: 5, Email: "mia@example.com"}}
	columns := []statistics.Share{{Name: "id", Count: 5}, {Name: "price", Count: 5}}
	if sum.Queries != 10 || !slices.Equal(sum.Users, users) || !slices.Equal(sum.Columns, columns) {
		t.Errorf("got %+v", sum)
	}
	if none := statistics.Sum(nil); none.Queries != 0 || len(none.Users) != 0 || none.Latest != nil {
		t.Errorf("of nothing: %+v", none)
	}
}

func TestTheUseOfADashboardIsSummedUp(t *testing.T) {
	t.Parallel()
	sum := statistics.Sum([]statistics.Event{
		event(t, 2, `{"viewsCount":4,"executionsCount":2,"favoritesCount":1,"userCounts":[{"user":"urn:li:corpuser:jo","viewsCount":3,"executionsCount":1,"usageCount":4},{"user":"urn:li:corpuser:mia","viewsCount":9}]}`),
		event(t, 1, `{"viewsCount":2.5,"executionsCount":"many"}`),
	})
	users := []statistics.Share{{Name: "urn:li:corpuser:mia", Views: 9}, {Name: "urn:li:corpuser:jo", Count: 4, Views: 3, Executions: 1}}
	if sum.Views != 4 || sum.Executions != 2 || !slices.Equal(sum.Users, users) || sum.Latest["favoritesCount"] == nil {
		t.Errorf("got %+v", sum)
	}
}

func TestRunningTotalsAreNoWindows(t *testing.T) {
	t.Parallel()
	const daily = `"eventGranularity":{"unit":"DAY","multiple":1}`
	events := []statistics.Event{
		event(t, 5, `{"viewsCount":3,`+daily+`}`), event(t, 4, `{"viewsCount":120}`), event(t, 3, `{"viewsCount":2,`+daily+`}`), event(t, 2, `{"viewsCount":100}`),
	}
	if got := statistics.Windows(events); len(got) != 2 || statistics.Sum(got).Views != 5 {
		t.Errorf("windows are %+v", got)
	}
	if got := statistics.ViewsSoFar(events); got != 120 {
		t.Errorf("seen %d times, want 120, what the newest total says", got)
	}
	if got := statistics.ViewsSoFar(statistics.Windows(events)); got != 5 {
		t.Errorf("seen %d times, want 5, all windows together", got)
	}
}

func TestOperationsAreCountedByKind(t *testing.T) {
	t.Parallel()
	counted := statistics.Count([]statistics.Event{
		event(t, 3, `{"operationType":"INSERT"}`), event(t, 2, `{"operationType":"INSERT"}`), event(t, 2, `{"operationType":"DROP"}`),
		event(t, 1, `{"operationType":"CUSTOM","customOperationType":"vacuum"}`),
	})
	if counted.Total != 4 || counted.ByType["INSERT"] != 2 || counted.ByType["DROP"] != 1 || counted.ByType["CUSTOM"] != 1 || counted.Custom["vacuum"] != 1 || len(counted.Custom) != 1 {
		t.Errorf("got %+v", counted)
	}
}

func TestDaysAreToldOldestFirst(t *testing.T) {
	t.Parallel()
	var events []statistics.Event
	for _, at := range []int64{3*day + 5, 3 * day, 2*day - 1, day, day - 1} {
		events = append(events, statistics.Event{Time: at})
	}
	var got [][2]int64
	for _, b := range statistics.ByDay(events) {
		got = append(got, [2]int64{b.Start / day, int64(len(b.Events))})
	}
	if want := [][2]int64{{0, 1}, {1, 2}, {3, 2}}; !slices.Equal(got, want) {
		t.Errorf("days and events are %v, want %v", got, want)
	}
	if got := statistics.ByDay(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

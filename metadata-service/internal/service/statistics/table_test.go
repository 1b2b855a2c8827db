package statistics_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// generatedDocuments generates documents by their number on request: more than a test can write
// quickly.
type generatedDocuments struct {
	statistics.Catalog
	count int
	at    func(i int) timeseries.Document
	read  *int
}

func (generatedDocuments) Series(string, string) (catalog.Series, error) {
	return catalog.Series{Entity: &model.EntitySpec{Name: "dataset"}, Aspect: &model.AspectSpec{
		Name: "datasetUsageStatistics", Stats: []model.Stat{{Name: "n", Type: "LONG"}, {Name: "text", Type: "KEYWORD"}},
	}}, nil
}

func (e generatedDocuments) Timeseries(_ context.Context, q catalog.TimeseriesQuery) ([]timeseries.Document, error) {
	from := 0
	if q.After != nil {
		if _, err := fmt.Sscan(q.After.ID, &from); err != nil {
			return nil, err
		}
		from++
	}
	var out []timeseries.Document
	for i := from; i < min(from+q.Limit, e.count); i++ {
		d := e.at(i)
		d.ID = strconv.Itoa(i)
		out = append(out, d)
	}
	*e.read += len(out)
	return out, nil
}

func TestATableIsBoundedBeforeItGrows(t *testing.T) {
	t.Parallel()
	byURN := []statistics.Grouping{{Field: "urn"}}
	for _, c := range []struct {
		name, says string
		q          statistics.TableQuery
		at         func(i int) timeseries.Document
		most       int // maximum number of documents read before the refusal
	}{
		{"groups", "groups", statistics.TableQuery{Metrics: []statistics.Metric{{Field: "n", By: statistics.Total}}, Groupings: byURN},
			func(i int) timeseries.Document {
				return timeseries.Document{URN: urn.URN(fmt.Sprint("urn:li:dataset:", i))}
			}, statistics.MaxWindows + 1000},
		{"documents", "documents", statistics.TableQuery{Metrics: []statistics.Metric{{Field: "n", By: statistics.Total}}},
			func(int) timeseries.Document { return timeseries.Document{} }, statistics.MaxTableDocuments + 1000},
		{"texts", "MB of text", statistics.TableQuery{Metrics: []statistics.Metric{{Field: "text", By: statistics.Latest}}, Groupings: byURN},
			func(i int) timeseries.Document {
				return timeseries.Document{URN: urn.URN(fmt.Sprint("urn:li:dataset:", i)), Columns: map[string]any{"text": big}}
			}, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			read := 0
			c.q.EntityType, c.q.Aspect = "dataset", "datasetUsageStatistics"
			_, err := statistics.New(generatedDocuments{count: 2 * statistics.MaxTableDocuments, at: c.at, read: &read}, statistics.Limits{}, time.Now).Table(t.Context(), c.q)
			if !errors.Is(err, fault.TooLarge) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
			if read > c.most {
				t.Errorf("read %d documents, want at most %d", read, c.most)
			}
		})
	}
}

var big = strings.Repeat("x", 1<<20)

// TestSumsThatPassWholeNumbersGoOnAsFractions adds up numbers beyond the range of int64.
func TestSumsThatPassWholeNumbersGoOnAsFractions(t *testing.T) {
	t.Parallel()
	read := 0
	source := generatedDocuments{count: 2, read: &read, at: func(int) timeseries.Document {
		return timeseries.Document{Columns: map[string]any{"n": int64(math.MaxInt64)}}
	}}
	table, err := statistics.New(source, statistics.Limits{}, time.Now).Table(t.Context(), statistics.TableQuery{Metrics: []statistics.Metric{{Field: "n", By: statistics.Total}}})
	if err != nil || !slices.Equal(table.Rows[0], []string{"18446744073709552000"}) && !slices.Equal(table.Rows[0], []string{"18446744073709551616"}) {
		t.Errorf("got %v, %v", table.Rows, err)
	}
}

// TestWindowsFollowTheCalendar uses times at the edges of windows. In Beirut the day on which
// clocks go forward does not begin at midnight.
func TestWindowsFollowTheCalendar(t *testing.T) {
	t.Parallel()
	ms := func(text string) int64 {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return at.UnixMilli()
	}
	for _, c := range []struct {
		unit, zone string
		multiple   int64
		at, begins string
	}{
		{"DAY", "", 1, "1969-12-31T23:59:59Z", "1969-12-31T00:00:00Z"},
		{"DAY", "Asia/Beirut", 1, "2022-03-27T10:00:00+03:00", "2022-03-27T01:00:00+03:00"},
		{"DAY", "Asia/Beirut", 1, "2022-03-26T23:30:00+02:00", "2022-03-26T00:00:00+02:00"},
		{"DAY", "", 2, "1970-01-02T10:00:00Z", "1970-01-01T00:00:00Z"},
		{"WEEK", "", 1, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z"},
		{"WEEK", "America/New_York", 1, "2025-03-10T03:59:59Z", "2025-03-03T05:00:00Z"},
		{"MONTH", "", 1, "1969-12-31T00:00:00Z", "1969-12-01T00:00:00Z"},
		{"QUARTER", "", 1, "2025-06-30T23:59:59Z", "2025-04-01T00:00:00Z"},
		{"YEAR", "", 1, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"YEAR", "", 1, "9999-12-31T23:59:59Z", "9999-01-01T00:00:00Z"},
		{"HOUR", "", 6, "1969-12-31T23:00:00Z", "1969-12-31T18:00:00Z"},
		{"MINUTE", "Asia/Kolkata", 60, "2025-01-01T00:10:00Z", "2024-12-31T23:30:00Z"},
		{"SECOND", "", 1, "2025-01-01T00:00:00.7Z", "2025-01-01T00:00:00Z"},
	} {
		read := 0
		source := generatedDocuments{count: 1, read: &read, at: func(int) timeseries.Document { return timeseries.Document{Time: ms(c.at)} }}
		table, err := statistics.New(source, statistics.Limits{}, time.Now).Table(t.Context(), statistics.TableQuery{
			Metrics:   []statistics.Metric{{Field: "urn", By: statistics.Cardinality}},
			Groupings: []statistics.Grouping{{Field: "timestampMillis", Date: true, Unit: c.unit, Multiple: c.multiple, TimeZone: c.zone}},
		})
		if want := fmt.Sprint(ms(c.begins)); err != nil || len(table.Rows) != 1 || table.Rows[0][0] != want {
			t.Errorf("%d %s of %s in %q: %v, %v; want %s", c.multiple, c.unit, c.at, c.zone, table.Rows, err, want)
		}
	}
}

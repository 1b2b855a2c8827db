package bolt_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries/timeseriestest"
)

func openTimeseries(t testing.TB, dir string) *bolt.Timeseries {
	t.Helper()
	s, err := bolt.OpenTimeseries(dir, bolt.TimeseriesConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestTimeseries(t *testing.T) {
	timeseriestest.Run(t, func(t *testing.T) timeseries.Store { return openTimeseries(t, t.TempDir()) })
}

func BenchmarkTimeseries(b *testing.B) {
	timeseriestest.Benchmark(b, func(b *testing.B) timeseries.Store { return openTimeseries(b, b.TempDir()) })
}

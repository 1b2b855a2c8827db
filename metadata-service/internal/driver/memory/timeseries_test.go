package memory_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries/timeseriestest"
)

func TestTimeseries(t *testing.T) {
	timeseriestest.Run(t, func(*testing.T) timeseries.Store { return memory.NewTimeseries() })
}

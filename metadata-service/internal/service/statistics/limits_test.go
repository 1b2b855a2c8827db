package statistics_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// readCounter counts the concurrent reads of its documents.
type readCounter struct {
	generatedDocuments
	reading, most, reads *atomic.Int64
}

func (c readCounter) Timeseries(ctx context.Context, q catalog.TimeseriesQuery) ([]timeseries.Document, error) {
	if n := c.reading.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	defer c.reading.Add(-1)
	c.reads.Add(1)
	return c.generatedDocuments.Timeseries(ctx, q)
}

// TestPartsOfARequestReadSeriesOneAfterTheOther requests the use of a dataset in twenty parts.
// Processor time is reserved before each page is read, and memory for one page by each part.
func TestPartsOfARequestReadSeriesOneAfterTheOther(t *testing.T) {
	t.Parallel()
	const documents, parts = 3000, 20
	source := readCounter{generatedDocuments{count: documents, read: new(int), at: func(i int) timeseries.Document {
		return timeseries.Document{Time: int64(documents - i), Event: []byte(`{"totalSqlQueries":1}`)}
	}}, &atomic.Int64{}, &atomic.Int64{}, &atomic.Int64{}}
	var turn sync.Mutex
	var bytes, works atomic.Int64
	s := statistics.New(source, statistics.Limits{
		Alone: func(context.Context) (func(), error) { turn.Lock(); return turn.Unlock, nil },
		Reserve: func(_ context.Context, n int64, work time.Duration) error {
			if bytes.Add(n); work > 0 {
				works.Add(1)
			}
			return nil
		},
	}, time.Now)
	var all sync.WaitGroup
	for range parts {
		all.Go(func() {
			usage, err := s.UsageOf(t.Context(), statistics.UsageQuery{Dataset: "urn:li:dataset:(urn:li:dataPlatform:hive,d,PROD)", Duration: "DAY", Range: "ALL"})
			if err != nil || usage.Queries == nil {
				t.Errorf("%+v, %v", usage, err)
			}
		})
	}
	all.Wait()
	if most := source.most.Load(); most != 1 {
		t.Errorf("%d parts read at one time", most)
	}
	if reads := source.reads.Load(); works.Load() != reads || reads < parts*documents/1000 {
		t.Errorf("%d reads, %d of them reserved", reads, works.Load())
	}
	if size := int64(documents * len(`{"totalSqlQueries":1}`)); bytes.Load() == 0 || bytes.Load() > parts*size/2 {
		t.Errorf("%d bytes are reserved for %d parts of %d", bytes.Load(), parts, size)
	}
}

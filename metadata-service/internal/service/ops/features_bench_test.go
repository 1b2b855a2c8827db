package ops_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// BenchmarkFeatures computes the features of CARTULARY_FEATURES_DATASETS datasets with ten days of
// usage by four users each: the first time, when all are written, and again, when none are. It also
// reports the memory that is held between the two passes, apart from documents and aspects.
func BenchmarkFeatures(b *testing.B) {
	datasets := 1_000
	if text := os.Getenv("CARTULARY_FEATURES_DATASETS"); text != "" {
		datasets, _ = strconv.Atoi(text)
	}
	w := newWorld(b)
	w.begin()
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	for i := 0; i < datasets; i += 500 {
		w.usage(i, min(i+500, datasets))
	}
	for b.Loop() {
		before, between := heap(), 0.0
		w.watched.reads.Store(0)
		w.watched.at.Store(1)
		w.watched.then = func(context.Context) { between = heap() }
		for _, metric := range []string{"s-written", "s-unchanged"} {
			began := b.Elapsed()
			started, err := w.ComputeFeatures(authtest.As(b, authtest.Root))
			if err != nil {
				b.Fatal(err)
			}
			if got := w.wait(started.ID); got.Datasets != datasets {
				b.Fatalf("%+v", got)
			}
			b.ReportMetric((b.Elapsed() - began).Seconds(), metric)
		}
		b.ReportMetric(between-before, "MB-held")
	}
}

// usage creates datasets, and stores their usage where the change log would.
func (w *world) usage(from, to int) {
	w.t.Helper()
	var keys []catalog.Proposal
	var batch timeseries.Batch
	for i := from; i < to; i++ {
		u := hive(fmt.Sprintf("t%06d", i))
		keys = append(keys, put(u, "status", `{"removed":false}`))
		for day := range 10 {
			p := used(u, day+1, i%1000+day, "jo", "mia", "ann", fmt.Sprintf("u%d", i%50))
			documents, err := timeseries.Explode(timeseries.Spec{}, u, p.Value, p.System)
			if err != nil {
				w.t.Fatal(err)
			}
			for j := range documents {
				batch.Ops = append(batch.Ops, timeseries.Op{Upsert: &documents[j]})
			}
		}
	}
	w.write(keys...)
	last, _ := w.store.Last()
	batch.Sequence = last
	if err := w.documents.Apply(w.t.Context(), usageIndex, batch); err != nil {
		w.t.Fatal(err)
	}
}

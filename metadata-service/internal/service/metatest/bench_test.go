package metatest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/logging"
)

// benchAssets returns the number of assets in benchmarks: BENCH_TEST_ASSETS, or a few.
func benchAssets() int {
	if n, err := strconv.Atoi(os.Getenv("BENCH_TEST_ASSETS")); err == nil {
		return n
	}
	return 2_000
}

const benchTests = 50

// allocations returns the number of objects allocated so far.
func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// ingest writes the datasets numbered from..to in batches.
func ingest(b testing.TB, c *catalog.Service, from, to int) {
	b.Helper()
	var batch []catalog.Proposal
	flush := func() {
		if _, err := c.Write(asSystem(b), batch, catalog.WriteOptions{}); err != nil {
			b.Fatal(err)
		}
		batch = batch[:0]
	}
	put := func(u, aspect, value string) {
		batch = append(batch, catalog.Proposal{URN: u, Aspect: aspect, Change: model.Upsert, Value: json.RawMessage(value)})
	}
	for i := from; i < to; i++ {
		u := fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,bench.t%06d,PROD)", i)
		put(u, "datasetProperties", fmt.Sprintf(`{"name":"t%d","description":"table %d","customProperties":{},"tags":[]}`, i, i))
		if i%3 > 0 {
			put(u, "ownership", fmt.Sprintf(`{"owners":[{"owner":"urn:li:corpuser:u%d","type":"TECHNICAL_OWNER"}]}`, i%40))
		}
		if i%2 == 0 {
			put(u, "globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:t%d"}]}`, i%25))
		}
		if len(batch) > 900 {
			flush()
		}
	}
	if len(batch) > 0 {
		flush()
	}
}

func benchDefinition(i int) string {
	return fmt.Sprintf(`{"on":{"types":["dataset"],"conditions":{"or":[{"property":"hasOwners","operator":"is_true"},{"property":"tags","operator":"equals","values":["urn:li:tag:t%d"]}]}},
	  "rules":{"and":[{"property":"owners","operator":"not_equals","values":["urn:li:corpuser:u%d"]},{"not":{"property":"tags","operator":"equals","values":["urn:li:tag:t%d"]}},{"property":"hasDescription","operator":"is_true"}]}}`, i%25, i%40, i%25+1)
}

func asSystem(b testing.TB) context.Context {
	return auth.WithActor(b.Context(), auth.Actor{URN: model.SystemActor, System: true})
}

// inMemory and onDisk return the configurations that benchmarks evaluate with.
func inMemory(b *testing.B) metatest.Config {
	w := servicetest.New(b)
	return metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Selector: w.Index, Log: w.Log}
}

func onDisk(b *testing.B) metatest.Config {
	drivers := catalogtest.OnDisk(b)
	f := catalogtest.New(b, drivers)
	editor := &edit.Editor{Catalog: f.Service, Registry: f.Registry, Authorizer: authtest.Plain{}, Now: time.Now}
	relationships, _ := drivers.Store.(graph.Reader)
	selector, _ := f.Index.(search.Selector)
	return metatest.Config{Edit: editor, Reader: drivers.Store, Graph: relationships, Documents: drivers.Documents, Selector: selector, Log: logging.Discard()}
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkAllAssets evaluates 50 indexed tests about all assets: first with all results to write,
// then with nothing to write, and for comparison asset by asset from facts, as an evaluator without
// an index does. The ratio compares times of the same run.
func BenchmarkAllAssets(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchmarkAllAssets(b, inMemory(b)) })
	b.Run("bolt", func(b *testing.B) { benchmarkAllAssets(b, onDisk(b)) })
}

func benchmarkAllAssets(b *testing.B, config metatest.Config) {
	n := benchAssets()
	ingest(b, config.Edit.Catalog, 0, n)
	indexed := metatest.New(config)
	for i := range benchTests {
		if _, err := indexed.Create(asSystem(b), fmt.Sprintf("bench%02d", i), metatest.Info{Name: "n", Category: "c", Definition: benchDefinition(i)}); err != nil {
			b.Fatal(err)
		}
	}
	config.Selector = nil
	plain := metatest.New(config)
	run := func(s *metatest.Service) time.Duration {
		began := time.Now()
		done, err := s.EvaluateAll(asSystem(b), nil, nil)
		if err != nil || done.Assets != n {
			b.Fatalf("%+v, %v", done, err)
		}
		return time.Since(began)
	}
	used := processorTime(b)
	first := run(indexed)
	used = processorTime(b) - used
	b.Logf("%d assets, first run: %s, processor time %s", n, first, used)
	var byIndex, byFacts time.Duration
	var allocated uint64
	rounds := 0
	for b.Loop() {
		before := allocations()
		byIndex += run(indexed)
		allocated += allocations() - before
		byFacts += run(plain)
		rounds++
	}
	b.ReportMetric(first.Seconds(), "s/first")
	b.ReportMetric(used.Seconds(), "cpu-s/first")
	b.ReportMetric(float64(allocated)/float64(rounds*n), "allocs/asset")
	decisions := float64(n) * benchTests * float64(rounds)
	b.ReportMetric(byIndex.Seconds()/float64(rounds), "s/unchanged")
	b.ReportMetric(decisions/byIndex.Seconds(), "decisions/s")
	b.ReportMetric(byFacts.Seconds()/byIndex.Seconds(), "x-facts")
}

// BenchmarkDecisions compares the decisions alone: 50 definitions for all assets, by the index and
// by facts that are already in memory.
func BenchmarkDecisions(b *testing.B) {
	n := benchAssets()
	w := servicetest.New(b)
	ingest(b, w.Catalog, 0, n)
	s := metatest.New(metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Selector: w.Index, Log: w.Log})
	plain := metatest.New(metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Log: w.Log})
	root := w.As(b, servicetest.Root)
	var byIndex, byFacts time.Duration
	rounds := 0
	for b.Loop() {
		for i := range 5 {
			for s, took := range map[*metatest.Service]*time.Duration{s: &byIndex, plain: &byFacts} {
				began := time.Now()
				if _, err := s.Preview(root, benchDefinition(i), 1, false); err != nil {
					b.Fatal(err)
				}
				*took += time.Since(began)
			}
		}
		rounds++
	}
	b.ReportMetric(byIndex.Seconds()*1000/float64(5*rounds), "ms/test")
	b.ReportMetric(byFacts.Seconds()/byIndex.Seconds(), "x-facts")
}

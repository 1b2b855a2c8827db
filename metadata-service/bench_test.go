package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The benchmarks of this package compare the whole service with a peer. Each iteration is one round
// in which both do the same work one after the other, so that the ratio is meaningful on a machine
// with other load. Run them with a number of rounds: -bench . -benchtime 5x

// BenchmarkSingleWrites changes one aspect per request on 8 connections; the peer is the group
// commit of the store, called by 8 goroutines. The goal is half of the peer's rate.
func BenchmarkSingleWrites(b *testing.B) {
	const callers, writes = 8, 4000
	service, peer := benchService(b), benchStore(b)
	var wires [callers]*wire
	for i := range wires {
		wires[i] = dial(b, service)
	}
	var requests [1000][]byte
	for i := range requests {
		body := batch(change(benchURN(i), "datasetProperties", benchProperties(string(mark))))
		requests[i] = service.render("/aspects?action=ingestProposalBatch", body)
	}
	var turn atomic.Int64
	compare(b, "writes/s", 1,
		func() time.Duration {
			return spread(callers, writes, func(_, i int) error {
				return peer.put(i%len(requests), 1, fmt.Sprint(turn.Add(1)))
			})
		},
		func() time.Duration {
			return spread(callers, writes, func(caller, i int) error {
				return wires[caller].send(numbered(requests[i%len(requests)], turn.Add(1), 1))
			})
		}, writes)
}

// BenchmarkAuditedWrites changes one aspect per request on 8 connections, with the audit log on;
// the peer is the same service with the audit log off. The ratio is the remaining share of the
// speed.
func BenchmarkAuditedWrites(b *testing.B) {
	const callers, writes = 8, 4000
	on, off := benchService(b), benchService(b, "CARTULARY_AUDIT_ENABLED=false")
	write := func(service *program) func() time.Duration {
		var wires [callers]*wire
		for i := range wires {
			wires[i] = dial(b, service)
		}
		var requests [1000][]byte
		for i := range requests {
			requests[i] = service.render("/aspects?action=ingestProposalBatch", batch(change(benchURN(i), "datasetProperties", benchProperties(string(mark)))))
		}
		var turn atomic.Int64
		return func() time.Duration {
			return spread(callers, writes, func(caller, i int) error {
				return wires[caller].send(numbered(requests[i%len(requests)], turn.Add(1), 1))
			})
		}
	}
	compare(b, "writes/s", 1, write(off), write(on), writes)
}

// BenchmarkIngestion sends batches of 100 aspects of 25 new datasets on 15 connections; the peer
// commits batches of 100 rows in 15 goroutines. The goal is 0.35 of the peer's rate. Aspects are
// counted as sent; for each dataset the service additionally stores a key, a browse path and a
// platform instance.
func BenchmarkIngestion(b *testing.B) {
	const callers, batches, size = 15, 150, 100
	service, peer := benchService(b), benchStore(b)
	var wires [callers]*wire
	for i := range wires {
		wires[i] = dial(b, service)
	}
	request := newDatasets(service, size)
	var next atomic.Int64
	next.Store(100_000) // beyond the existing datasets
	compare(b, "aspects/s", size,
		func() time.Duration {
			return spread(callers, batches, func(_, _ int) error {
				return peer.put(int(next.Add(size)), size, "new")
			})
		},
		func() time.Duration {
			return spread(callers, batches, func(caller, _ int) error {
				return wires[caller].send(numbered(request, next.Add(size), benchAspects))
			})
		}, batches)
	b.ReportMetric(7.0/4, "stored/sent")
}

// BenchmarkReadAspect reads one aspect on 8 connections; the peer is a handler of the same web
// framework that sends a fixed text.
func BenchmarkReadAspect(b *testing.B) {
	const callers, reads = 8, 20_000
	service := benchService(b)
	if err := service.post(http.DefaultClient, benchBatch(0, 25)); err != nil {
		b.Fatal(err)
	}
	hello := echo.New()
	hello.GET("/*", func(c echo.Context) error { return c.String(http.StatusOK, "hello") })
	server := httptest.NewServer(hello)
	b.Cleanup(server.Close)
	peer := &program{address: server.Listener.Addr().String()}

	client := connections(callers)
	path := "/aspects/" + url.QueryEscape(benchURN(7)) + "?aspect=datasetProperties&version=0"
	var peerTimes, times [reads]time.Duration
	get := func(from *program, took *[reads]time.Duration) func() time.Duration {
		return func() time.Duration {
			return spread(callers, reads, func(_, i int) error {
				began := time.Now()
				status, body, err := from.call(client, http.MethodGet, path, nil)
				took[i] = time.Since(began)
				if err == nil && status != http.StatusOK {
					err = fmt.Errorf("status %d: %s", status, body)
				}
				return err
			})
		}
	}
	compare(b, "reads/s", 1, get(peer, &peerTimes), get(service, &times), reads)
	b.ReportMetric(float64(median(peerTimes[:]).Microseconds()), "peer-p50-µs")
	b.ReportMetric(float64(median(times[:]).Microseconds()), "p50-µs")
}

// compare runs both in rounds and reports their rates and the median of the ratios of the rounds.
// Each operation counts as several units.
func compare(b *testing.B, unit string, perOperation int, peer, own func() time.Duration, operations int) {
	b.Helper()
	var ratios []float64
	var peerTime, ownTime time.Duration
	for b.Loop() {
		p, o := peer(), own()
		peerTime, ownTime = peerTime+p, ownTime+o
		ratios = append(ratios, p.Seconds()/o.Seconds())
	}
	done := float64(len(ratios) * operations * perOperation)
	slices.Sort(ratios)
	b.ReportMetric(0, "ns/op") // the time of a round has no meaning
	b.ReportMetric(done/peerTime.Seconds(), "peer-"+unit)
	b.ReportMetric(done/ownTime.Seconds(), unit)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}

// spread executes n operations by several callers and returns the elapsed time. An error of an
// operation ends the program, as the benchmark would be meaningless.
func spread(callers, n int, operation func(caller, i int) error) time.Duration {
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for caller := range callers {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				if err := operation(caller, int(i)); err != nil {
					panic(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func benchService(b *testing.B, settings ...string) *program {
	b.Helper()
	service := buildProgram(b)
	service.settings = settings
	service.start(b)
	b.Cleanup(func() { service.stop(b) })
	if err := service.post(http.DefaultClient, benchBatch(0, 1000)); err != nil {
		b.Fatal(err)
	}
	return service
}

func (p *program) post(client *http.Client, body []byte) error {
	status, answer, err := p.call(client, http.MethodPost, "/aspects?action=ingestProposalBatch", body)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %.300s", status, answer)
	}
	return err
}

// benchPeer is the store as the catalog uses it, called directly.
type benchPeer struct{ store store.Writer }

func benchStore(b *testing.B) benchPeer {
	b.Helper()
	opened, err := bolt.Open(context.Background(), filepath.Join(b.TempDir(), "peer.db"), bolt.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := opened.Close(); err != nil {
			b.Error(err)
		}
	})
	return benchPeer{opened}
}

// put writes a number of rows, from a first dataset on, in one Update.
func (p benchPeer) put(first, rows int, text string) error {
	value, err := json.Marshal(benchProperties(text))
	if err != nil {
		return err
	}
	_, err = p.store.Update(context.Background(), func(tx store.Tx) error {
		for i := range rows {
			_, err := store.Put(context.Background(), tx, nil, store.Write{
				Key:    store.Key{URN: urn.URN(benchURN(first + i)), Aspect: "datasetProperties"},
				Value:  value,
				System: model.SystemMetadata{RunID: "bench", LastObserved: 1765000000000},
				Actor:  rootUser,
				Now:    1765000000000,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

func benchURN(i int) string {
	return "urn:li:dataset:(urn:li:dataPlatform:hive,warehouse.sales.table_" + strconv.Itoa(i) + ",PROD)"
}

func benchProperties(text string) map[string]any {
	return map[string]any{
		"name":             "table",
		"description":      "Orders as they arrive, one row an order, kept for seven years. " + text,
		"customProperties": map[string]string{"owner": "sales", "retention": "7y", "format": "parquet"},
		"tags":             []string{},
	}
}

// benchAspects is the number of aspects per dataset in benchBatch.
const benchAspects = 4

// newDatasets renders a batch of aspects of datasets whose numbers are marks.
func newDatasets(p *program, aspects int) []byte {
	urns := make([]string, aspects/benchAspects)
	for i := range urns {
		urns[i] = strings.Replace(benchURN(0), "table_0", "table_"+string(mark), 1)
	}
	return p.render("/aspects?action=ingestProposalBatch", benchBatchOf(urns))
}

// benchBatch returns a batch for some datasets, from a first one on.
func benchBatch(first, datasets int) []byte {
	urns := make([]string, datasets)
	for i := range urns {
		urns[i] = benchURN(first + i)
	}
	return benchBatchOf(urns)
}

// benchBatchOf returns a batch with benchAspects aspects of each dataset.
func benchBatchOf(urns []string) []byte {
	changes := make([]map[string]any, 0, benchAspects*len(urns))
	for _, urn := range urns {
		changes = append(changes,
			change(urn, "datasetProperties", benchProperties("first")),
			change(urn, "status", map[string]any{"removed": false}),
			change(urn, "subTypes", map[string]any{"typeNames": []string{"Table"}}),
			change(urn, "globalTags", map[string]any{"tags": []map[string]string{{"tag": "urn:li:tag:sales"}}}),
		)
	}
	return batch(changes...)
}

// Package metrics collects the metrics of the service and serves them in the text format of
// Prometheus.
//
// All metrics are in a separate registry, so that several services can run in one process, as in
// tests. Requests are counted by route pattern, not by path, because URNs in paths would each
// create a series.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

const namespace = "cartulary"

// unmatchedRoute replaces the pattern for requests without a matching route.
const unmatchedRoute = "unmatched"

// Metrics holds the metrics of one service. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time
	requests *prometheus.HistogramVec
	writes   *prometheus.HistogramVec
	entries  prometheus.Counter
}

// New creates a registry with the metrics of the process and of the Go runtime.
func New(now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		now:      now,
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by pattern of the route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route", "status"}),
		writes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "store_write_duration_seconds",
			Help:    "Time a transaction of the store took, until durable or refused.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"outcome"}),
		entries: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "store_log_entries_written_total", Help: "Entries of the change log this process has written.",
		}),
	}
	m.registry.MustRegister(m.requests, m.writes, m.entries,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics. It needs no authentication: it shows only route patterns and numbers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Mount serves the metrics below a group, under the path that scrapers of DataHub use and under the
// usual short path.
func (m *Metrics) Mount(g *echo.Group) {
	h := echo.WrapHandler(m.Handler())
	g.GET("/actuator/prometheus", h)
	g.GET("/metrics", h)
}

// Observe is a middleware that measures the duration of requests. It must be outside of all
// middleware that may respond, so that refusals are counted too. It renders errors itself, because
// the status is known only afterwards.
func (m *Metrics) Observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := m.now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		route := c.Path()
		if route == "" {
			route = unmatchedRoute
		}
		m.requests.WithLabelValues(methodLabel(c.Request().Method), route, strconv.Itoa(c.Response().Status)).
			Observe(m.now().Sub(start).Seconds())
		return nil
	}
}

// methodLabel prevents arbitrary method names from creating series.
func methodLabel(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "other"
}

// Store registers metrics of the store and returns a store whose writes are measured.
func (m *Metrics) Store(s store.Store) store.Store {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "store_log_position", Help: "Sequence of the last entry of the change log.",
	}, func() float64 {
		last, _ := s.Last()
		return float64(last)
	}))
	return measuredStore{Store: s, metrics: m}
}

// measuredStore is a store that measures the duration of writes.
type measuredStore struct {
	store.Store
	metrics *Metrics
}

func (w measuredStore) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	start := w.metrics.now()
	entries := 0
	commit, err := w.Store.Update(ctx, func(tx store.Tx) error {
		counted := &countedTx{Tx: tx}
		err := fn(counted)
		entries = counted.entries // of the last run, as fn may run more than once
		return err
	})
	outcome := "committed"
	if err != nil {
		outcome = "refused"
	}
	w.metrics.writes.WithLabelValues(outcome).Observe(w.metrics.now().Sub(start).Seconds())
	if err == nil {
		w.metrics.entries.Add(float64(entries))
	}
	return commit, err
}

// countedTx counts log entries, because their sequences may have gaps.
type countedTx struct {
	store.Tx
	entries int
}

func (c *countedTx) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	c.entries++
	return c.Tx.Append(ctx, entry)
}

// Admission registers the memory of large requests, and the number of refused ones. load is called
// at each scrape.
func (m *Metrics) Admission(load func() admission.Load) {
	gauge := func(name, help string, of func(admission.Load) int64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help},
			func() float64 { return float64(of(load())) }))
	}
	gauge("large_requests", "Large requests that are being answered.", func(l admission.Load) int64 { return int64(l.Heavy) })
	gauge("large_requests_bytes", "Memory that they are expected to take.", func(l admission.Load) int64 { return l.Bytes })
	gauge("arriving_bodies_bytes", "Memory that large request bodies take that are still arriving.", func(l admission.Load) int64 { return l.Arriving })
	gauge("large_requests_waiting", "Large requests that wait for memory.", func(l admission.Load) int64 { return int64(l.Waiting) })
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: "large_requests_refused_total", Help: "Large requests refused for want of memory, or gone while they waited.",
	}, func() float64 { return float64(load().Refused) }))
}

// Projections registers the progress of each projection and its failures. status is called at each
// scrape.
func (m *Metrics) Projections(status func() []projection.Status) {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+"_projection_"+name, help, []string{"projection"}, nil)
	}
	m.registry.MustRegister(&projections{
		status:   status,
		lag:      desc("lag_entries", "Entries of the change log a projection has not applied yet."),
		failing:  desc("failing", "1 while a projection does not go on since its last attempt failed, and 0 otherwise."),
		failures: desc("failures_total", "Attempts of a projection that failed, panics included."),
		panics:   desc("panics_total", "Attempts of a projection that ended in a panic."),
		skipped:  desc("entries_skipped_total", "Entries a background projection passed over, as it panicked on them again and again."),
		lost:     desc("entries_lost_total", "Entries that were trimmed from the change log before a background projection had read them."),
	})
}

type projections struct {
	status                                        func() []projection.Status
	lag, failing, failures, panics, skipped, lost *prometheus.Desc
}

func (p *projections) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{p.lag, p.failing, p.failures, p.panics, p.skipped, p.lost} {
		out <- d
	}
}

func (p *projections) Collect(out chan<- prometheus.Metric) {
	for _, s := range p.status() {
		failing := 0.0
		if s.Err != nil {
			failing = 1
		}
		out <- prometheus.MustNewConstMetric(p.lag, prometheus.GaugeValue, float64(s.Behind), s.Sink)
		out <- prometheus.MustNewConstMetric(p.failing, prometheus.GaugeValue, failing, s.Sink)
		out <- prometheus.MustNewConstMetric(p.failures, prometheus.CounterValue, float64(s.Failures), s.Sink)
		out <- prometheus.MustNewConstMetric(p.panics, prometheus.CounterValue, float64(s.Panics), s.Sink)
		out <- prometheus.MustNewConstMetric(p.skipped, prometheus.CounterValue, float64(s.Skipped), s.Sink)
		out <- prometheus.MustNewConstMetric(p.lost, prometheus.CounterValue, float64(s.Lost), s.Sink)
	}
}

// Storages registers the failing storages and the numbers of failed writes. states is called at
// each scrape and calls report once for each storage.
func (m *Metrics) Storages(states func(report func(storage string, failing bool, failures uint64))) {
	m.registry.MustRegister(&storages{
		states: states,
		failing: prometheus.NewDesc(namespace+"_storage_writes_failing",
			"1 while the last write to a storage has failed, as on a full disk, and 0 otherwise.", []string{"storage"}, nil),
		failures: prometheus.NewDesc(namespace+"_storage_write_failures_total",
			"Writes that a storage could not make durable.", []string{"storage"}, nil),
	})
}

type storages struct {
	states            func(report func(storage string, failing bool, failures uint64))
	failing, failures *prometheus.Desc
}

func (s *storages) Describe(out chan<- *prometheus.Desc) {
	out <- s.failing
	out <- s.failures
}

func (s *storages) Collect(out chan<- prometheus.Metric) {
	s.states(func(storage string, failing bool, failures uint64) {
		now := 0.0
		if failing {
			now = 1
		}
		out <- prometheus.MustNewConstMetric(s.failing, prometheus.GaugeValue, now, storage)
		out <- prometheus.MustNewConstMetric(s.failures, prometheus.CounterValue, float64(failures), storage)
	})
}

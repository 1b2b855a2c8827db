// Package metrics counts what the service does and offers the figures in the
// text form of Prometheus.
//
// All figures live in a registry of their own, so that several services can run
// in one process, as tests do. Requests are counted by the pattern of their
// route, never by their path: URNs in paths would make a series each.
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

// unmatchedRoute stands in place of a pattern for requests that no route takes.
const unmatchedRoute = "unmatched"

// Metrics holds the figures of one service. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time
	requests *prometheus.HistogramVec
	writes   *prometheus.HistogramVec
	entries  prometheus.Counter
}

// New makes an empty set of figures, with those of the process and the Go runtime.
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

// Handler serves the figures. They need no sign-in: patterns of routes and
// numbers are all there is to see.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Mount serves the figures below a group, under the path scrapers of this kind
// of service know and the usual short one.
func (m *Metrics) Mount(g *echo.Group) {
	h := echo.WrapHandler(m.Handler())
	g.GET("/actuator/prometheus", h)
	g.GET("/metrics", h)
}

// Observe is a middleware that times requests. It stands outside everything
// that answers, so that refusals are counted too; errors it sees are rendered
// first, as only then the status is known.
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

// methodLabel keeps invented methods from becoming series.
func methodLabel(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "other"
}

// Store watches the writes of a store, and the end of its change log.
func (m *Metrics) Store(s store.Store) store.Store {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "store_log_position", Help: "Sequence of the last entry of the change log.",
	}, func() float64 {
		last, _ := s.Last()
		return float64(last)
	}))
	return measuredStore{Store: s, metrics: m}
}

// measuredStore is a store whose writes are timed.
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

// countedTx counts log entries: their sequences may have gaps and do not tell.
type countedTx struct {
	store.Tx
	entries int
}

func (c *countedTx) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	c.entries++
	return c.Tx.Append(ctx, entry)
}

// Admission shows what large requests take, and how many had to go. load is called
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

// Projections shows how far each projection is and what went wrong with it.
// status is called at each scrape.
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

// Storages shows which storages take no writes, and how many have failed.
// states is called at each scrape and calls report once for each of them.
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

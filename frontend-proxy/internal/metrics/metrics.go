// Package metrics collects the metrics of the proxy and serves them in the text format of
// Prometheus.
//
// Requests are counted by the class of their route, never by path or user: external input must not
// create series. Metrics are served at a separate address, as the address of the proxy is public.
package metrics

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const namespace = "cartulary_proxy"

// Metrics holds the metrics of one proxy. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time
	requests *prometheus.HistogramVec
}

// New creates a registry with the metrics of the process and of the Go runtime.
func New(now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		now:      now,
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by class of the route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120},
		}, []string{"class", "method", "status"}),
	}
	m.registry.MustRegister(m.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Count registers a counter whose value read returns at each scrape. label is a name and a value.
func (m *Metrics) Count(name, help string, label [2]string, read func() uint64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: name, Help: help, ConstLabels: prometheus.Labels{label[0]: label[1]},
	}, func() float64 { return float64(read()) }))
}

// Switch registers a gauge that is 1 while on returns true at a scrape, and 0 otherwise.
func (m *Metrics) Switch(name, help string, on func() bool) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 {
		if on() {
			return 1
		}
		return 0
	}))
}

// Mount serves the metrics at the usual path of scrapers.
func (m *Metrics) Mount(e *echo.Echo) {
	e.GET("/metrics", echo.WrapHandler(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})))
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
		m.requests.WithLabelValues(classOf(c.Path()), methodOf(c.Request().Method), strconv.Itoa(c.Response().Status)).
			Observe(m.now().Sub(start).Seconds())
		return nil
	}
}

// Classes of routes.
const (
	graphql   = "graphql"
	service   = "service" // the paths of the metadata service below a prefix
	openapi   = "openapi"
	signIn    = "sign_in"
	status    = "status"
	pages     = "pages"
	unmatched = "unmatched" // without a matching route, or refused before routing
)

// starts maps prefixes of route patterns to classes; the first match applies.
var starts = []struct {
	class  string
	starts []string
}{
	{graphql, []string{"/api/graphql", "/api/v2/graphql", "/api/api/v2/graphql"}},
	{service, []string{"/api/gms", "/gms"}},
	{openapi, []string{"/openapi"}},
	{signIn, []string{"/logIn", "/api/logIn", "/signUp", "/api/signUp", "/resetNativeUserCredentials", "/logOut", "/authenticate", "/sso", "/callback"}},
	{status, []string{"/health", "/admin", "/config", "/mfe/config"}},
	{pages, []string{"/"}},
}

func classOf(pattern string) string {
	for _, row := range starts {
		if slices.ContainsFunc(row.starts, func(start string) bool { return strings.HasPrefix(pattern, start) }) {
			return row.class
		}
	}
	return unmatched
}

// methodOf prevents arbitrary method names from creating series.
func methodOf(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "other"
}

// Package metrics counts what the proxy does and offers the figures in the text form
// of Prometheus.
//
// Requests are counted by class of their route, never by path or by user: what comes
// from outside must not make series. The figures are served at an address of their
// own, as the one of the proxy is open to everybody.
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

// Metrics holds the figures of one proxy. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time
	requests *prometheus.HistogramVec
}

// New makes an empty set of figures, with those of the process and the Go runtime.
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

// Count shows a counter, which read tells at each scrape. label is a name and a value.
func (m *Metrics) Count(name, help string, label [2]string, read func() uint64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: name, Help: help, ConstLabels: prometheus.Labels{label[0]: label[1]},
	}, func() float64 { return float64(read()) }))
}

// Switch shows 1 while on and 0 otherwise; on is asked at each scrape.
func (m *Metrics) Switch(name, help string, on func() bool) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 {
		if on() {
			return 1
		}
		return 0
	}))
}

// Mount serves the figures at the path that scrapers know.
func (m *Metrics) Mount(e *echo.Echo) {
	e.GET("/metrics", echo.WrapHandler(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})))
}

// Observe is a middleware that times requests. It stands outside everything that
// answers, so that refusals are counted too; errors it sees are rendered first, as
// only then the status is known.
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
	unmatched = "unmatched" // no route takes it, or it was refused before one was looked for
)

// starts tells classes by the start of the pattern of a route; the first that fits counts.
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

// methodOf keeps invented methods from becoming series.
func methodOf(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "other"
}

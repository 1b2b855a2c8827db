package metrics

import "github.com/prometheus/client_golang/prometheus"

// Limits registers the number of throttled requests, by rule. refused is called at each scrape.
func (m *Metrics) Limits(refused func() map[string]uint64) {
	m.registry.MustRegister(&limits{refused: refused, total: prometheus.NewDesc(namespace+"_requests_throttled_total",
		"Requests refused because too many came before, by rule.", []string{"rule"}, nil)})
}

type limits struct {
	refused func() map[string]uint64
	total   *prometheus.Desc
}

func (l *limits) Describe(out chan<- *prometheus.Desc) { out <- l.total }

func (l *limits) Collect(out chan<- prometheus.Metric) {
	for rule, n := range l.refused() {
		out <- prometheus.MustNewConstMetric(l.total, prometheus.CounterValue, float64(n), rule)
	}
}

package metrics

import "github.com/prometheus/client_golang/prometheus"

// Spans registers the number of lost spans for each of the given reasons. lost is called at each
// scrape.
func (m *Metrics) Spans(lost func(reason string) uint64, reasons ...string) {
	for _, reason := range reasons {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: namespace, Name: "tracing_spans_dropped_total", Help: "Spans that were lost before a collector had them, by reason.",
			ConstLabels: prometheus.Labels{"reason": reason},
		}, func() float64 { return float64(lost(reason)) }))
	}
}

package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
)

// Audit registers metrics of the audit log. They are read at each scrape.
func (m *Metrics) Audit(log *audit.Log) {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+"_audit_"+name, help, labels, nil)
	}
	m.registry.MustRegister(&auditFigures{
		log:      log,
		recorded: desc("events_total", "Events stored in the audit log, by class.", "class"),
		dropped:  desc("events_dropped_total", "Events lost because too many waited to be stored."),
		counted:  desc("refusals_counted_total", "Refusals that are only counted in another event."),
		failures: desc("store_failures_total", "Times that waiting events could not be stored; they are tried again."),
		queued:   desc("events_waiting", "Events that wait to be stored."),
		held:     desc("events", "Events that the audit log holds, by class.", "class"),
		bytes:    desc("bytes", "What they take, by class.", "class"),
	})
}

type auditFigures struct {
	log                                                       *audit.Log
	recorded, dropped, counted, failures, queued, held, bytes *prometheus.Desc
}

func (f *auditFigures) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{f.recorded, f.dropped, f.counted, f.failures, f.queued, f.held, f.bytes} {
		out <- d
	}
}

func (f *auditFigures) Collect(out chan<- prometheus.Metric) {
	now := f.log.Figures()
	out <- prometheus.MustNewConstMetric(f.dropped, prometheus.CounterValue, float64(now.Dropped))
	out <- prometheus.MustNewConstMetric(f.counted, prometheus.CounterValue, float64(now.Counted))
	out <- prometheus.MustNewConstMetric(f.failures, prometheus.CounterValue, float64(now.Failures))
	out <- prometheus.MustNewConstMetric(f.queued, prometheus.GaugeValue, float64(now.Queued))
	sizes, err := f.log.Sizes(context.Background())
	for _, c := range audit.Classes() {
		out <- prometheus.MustNewConstMetric(f.recorded, prometheus.CounterValue, float64(now.Recorded[c]), c.String())
		if err == nil { // otherwise health reports the error
			out <- prometheus.MustNewConstMetric(f.held, prometheus.GaugeValue, float64(sizes[c].Events), c.String())
			out <- prometheus.MustNewConstMetric(f.bytes, prometheus.GaugeValue, float64(sizes[c].Bytes), c.String())
		}
	}
}

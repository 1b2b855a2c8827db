package ingestion_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// scheduler runs Schedule with the clock of a World.
type scheduler struct {
	w    *servicetest.World
	tick chan time.Time
	stop func()
}

func startScheduler(t *testing.T, w *servicetest.World, s *ingestion.Service) *scheduler {
	t.Helper()
	ctx, cancel := context.WithCancel(auth.WithActor(t.Context(), auth.Actor{URN: model.SystemActor, System: true}))
	running, ended := &scheduler{w: w, tick: make(chan time.Time)}, make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Schedule(ctx, slog.New(slog.DiscardHandler), running.tick)
	}()
	running.stop = func() { cancel(); <-ended }
	t.Cleanup(running.stop)
	return running
}

// after advances the clock and returns when due runs have been requested: the second tick of the
// same minute is accepted once the first has been processed.
func (s *scheduler) after(d time.Duration) {
	s.w.Pass(d)
	for range 2 {
		s.tick <- s.w.Now()
	}
}

func requests(t *testing.T, w *servicetest.World) []urn.URN {
	t.Helper()
	all, err := w.Edit.Catalog.Scan(t.Context(), store.Scan{Type: ingestion.RequestType, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSchedulesAskOnceForWhatIsDue(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t) // at 10:00
	s := ingestion.New(w.Edit)
	src := orders()
	src.Schedule = &ingestion.Schedule{Interval: "*/15 * * * *", Timezone: "Europe/Berlin"}
	if err := s.Update(w.As(t, servicetest.Root), source, src); err != nil {
		t.Fatal(err)
	}
	running := startScheduler(t, w, s)
	expect := func(when string, want int) {
		t.Helper()
		if got := requests(t, w); len(got) != want {
			t.Fatalf("%s there are %d requests, want %d: %v", when, len(got), want, got)
		}
	}
	running.after(0)
	expect("at the time the source was written", 0)
	running.after(14 * time.Minute)
	expect("a minute before it is due", 0)
	running.after(time.Minute)
	expect("when it is due", 1)
	want := `{"actorUrn":"` + string(model.SystemActor) + `","args":{"debug_mode":"false","recipe":"{\"pipeline_name\":\"urn:li:dataHubIngestionSource:orders\",\"source\":{\"type\":\"mysql\"}}"},` +
		`"executorId":"default","requestedAt":1772446500000,"source":{"ingestionSource":"urn:li:dataHubIngestionSource:orders","type":"SCHEDULED_INGESTION_SOURCE"},"task":"RUN_INGEST"}`
	if got := w.Get(t, requests(t, w)[0], "dataHubExecutionRequestInput"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	running.after(time.Minute)
	expect("a minute later", 1)

	running.stop()
	running = startScheduler(t, w, s)
	running.after(0)
	expect("after a restart", 1)
	running.stop()
	w.Pass(50 * time.Minute) // 11:06: three runs were missed
	running = startScheduler(t, w, s)
	running.after(0)
	expect("after an absence", 2)

	if err := s.Update(w.As(t, servicetest.Root), source, orders()); err != nil {
		t.Fatal(err)
	}
	running.after(time.Hour)
	expect("without a schedule", 2)
}

func TestWhenSchedulesAreDue(t *testing.T) {
	t.Parallel()
	for interval, cases := range map[string]map[string]bool{
		"0 4 * * *":        {"2026-03-02T04:00:00Z": true, "2026-03-02T05:00:00Z": false, "2026-03-02T04:01:00Z": false},
		"5/20 * * * *":     {"2026-03-02T04:05:00Z": true, "2026-03-02T04:45:00Z": true, "2026-03-02T04:20:00Z": false},
		"*/90 * * * *":     {"2026-03-02T04:00:00Z": true, "2026-03-02T04:30:00Z": false},
		"0 0 * * 7":        {"2026-03-01T00:00:00Z": true, "2026-03-02T00:00:00Z": false},
		"0 0 * * FRI-7":    {"2026-03-01T00:00:00Z": true, "2026-03-06T00:00:00Z": true, "2026-03-05T00:00:00Z": false},
		"0 0 1 * mon":      {"2026-03-02T00:00:00Z": false, "2026-06-01T00:00:00Z": true},
		"0 0,12 1-7/2 3 *": {"2026-03-03T12:00:00Z": true, "2026-03-04T12:00:00Z": false, "2026-04-03T12:00:00Z": false},
	} {
		for text, want := range cases {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			if got := ingestion.Due(ingestion.Schedule{Interval: interval, Timezone: "UTC"}, at); got != want {
				t.Errorf("%s at %s: got %v, want %v", interval, text, got, want)
			}
		}
	}
	berlin := ingestion.Schedule{Interval: "30 2 * * *", Timezone: "Europe/Berlin"}
	if !ingestion.Due(berlin, time.Date(2026, 7, 1, 0, 30, 0, 0, time.UTC)) {
		t.Error("half past two in Berlin is half past midnight in UTC in summer")
	}
}

package ingestion_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const resultAspect = "dataHubExecutionRequestResult"

// reportRun runs ReportUnclaimed with the clock of a World.
type reportRun struct {
	*scheduler
	ingestion *ingestion.Service
	followers *ingestion.Followers
}

func startWatch(t *testing.T) *reportRun {
	t.Helper()
	w := servicetest.New(t)
	s := ingestion.New(w.Edit)
	if err := s.Update(w.As(t, servicetest.Root), source, orders()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(auth.WithActor(t.Context(), auth.Actor{URN: model.SystemActor, System: true}))
	out := &reportRun{&scheduler{w: w, tick: make(chan time.Time)}, s, ingestion.NewFollowers(w.Now)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.ReportUnclaimed(ctx, slog.New(slog.DiscardHandler), out.tick, out.followers)
	}()
	out.stop = func() { cancel(); <-ended }
	t.Cleanup(out.stop)
	return out
}

func (w *reportRun) ask(t *testing.T) urn.URN {
	t.Helper()
	return request(t, func() (urn.URN, error) { return w.ingestion.Execute(w.w.As(t, servicetest.Root), source) })
}

// report returns the status and report of a result, empty when there is none.
func (w *reportRun) report(t *testing.T, u urn.URN) (status, report string) {
	t.Helper()
	text := w.w.Get(t, u, resultAspect)
	if text == "" {
		return "", ""
	}
	var result struct{ Status, Report string }
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		t.Fatal(err)
	}
	return result.Status, result.Report
}

func TestARunThatNothingTakesSaysSo(t *testing.T) {
	t.Parallel()
	w := startWatch(t)
	run := w.ask(t)
	w.after(time.Minute)
	if status, _ := w.report(t, run); status != "" {
		t.Errorf("a minute after the start, when nobody can know, it is %s", status)
	}
	w.after(time.Minute)
	status, report := w.report(t, run)
	if status != "PENDING" || !strings.Contains(report, "Nothing runs this.") || !strings.Contains(report, `executor with the id "default"`) || !strings.Contains(report, "none has since the service was started") {
		t.Errorf("it is %q: %s", status, report)
	}
	// Later requests get a report too, and the report of an executor is kept.
	w.w.Put(t, run, resultAspect, `{"status":"RUNNING","report":"mine"}`)
	later := w.ask(t)
	w.after(time.Minute)
	if _, report := w.report(t, run); report != "mine" {
		t.Errorf("the result of the executor is now %q", report)
	}
	if status, _ := w.report(t, later); status != "PENDING" {
		t.Errorf("the later one is %q", status)
	}
}

func TestARunOfAnExecutorThatIsNotThereSaysSo(t *testing.T) {
	t.Parallel()
	w := startWatch(t)
	w.followers.Polled()
	run := w.ask(t)
	for range 9 {
		w.followers.Polled()
		w.after(time.Minute)
	}
	if status, report := w.report(t, run); status != "" {
		t.Errorf("while somebody follows it is %q after nine minutes: %s", status, report)
	}
	w.followers.Polled()
	w.after(time.Minute)
	if status, report := w.report(t, run); status != "PENDING" || !strings.Contains(report, `nothing of the executor "default"`) {
		t.Errorf("it is %q: %s", status, report)
	}
}

func TestRunsOfACommandLineWaitForNobody(t *testing.T) {
	t.Parallel()
	w := startWatch(t)
	const run urn.URN = "urn:li:dataHubExecutionRequest:cli"
	w.w.Put(t, run, "dataHubExecutionRequestInput", `{"task":"CLI Ingestion","args":{},"executorId":"__datahub_cli_","source":{"type":"CLI_INGESTION_SOURCE"},"requestedAt":1}`)
	w.after(time.Hour)
	if status, report := w.report(t, run); status != "" {
		t.Errorf("it is %q: %s", status, report)
	}
}

func TestFollowersAreThoseOfTheLastMinutes(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	f := ingestion.NewFollowers(w.Now)
	expect := func(following, known bool) {
		t.Helper()
		if a, b := f.Following(); a != following || b != known {
			t.Errorf("following %v, known %v; want %v, %v", a, b, following, known)
		}
	}
	expect(false, false)
	f.Polled()
	expect(true, true)
	w.Pass(time.Minute)
	expect(true, true)
	w.Pass(time.Minute)
	expect(false, true)
}

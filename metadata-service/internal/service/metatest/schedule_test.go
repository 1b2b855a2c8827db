package metatest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestAllAssetsAreEvaluatedNowAndThen drives a schedule with a fake clock.
func TestAllAssetsAreEvaluatedNowAndThen(t *testing.T) {
	f := newFixture(t)
	f.create("owned", owned)
	sink := metatest.NewOnChange(f.tests, false)
	ctx, stop := context.WithCancel(f.As(t, model.SystemActor))
	defer stop()
	tick, ended := make(chan time.Time), make(chan error, 1)
	go func() { ended <- sink.Schedule(ctx, time.Hour, tick) }()
	start := time.Now()
	at := func(passed time.Duration) string {
		t.Helper()
		for range 2 { // the second tick is accepted once the first has been processed
			tick <- start.Add(passed)
		}
		return f.Get(t, orders, "testResults")
	}
	if got := at(0) + at(50*time.Second); got != "" {
		t.Errorf("too early: %s", got)
	}
	if got := at(70 * time.Second); !strings.Contains(got, "urn:li:test:owned") {
		t.Errorf("after a minute: %q", got)
	}
	f.Put(t, orders, "ownership", `{"owners":[]}`)
	if got := at(55 * time.Minute); !strings.Contains(got, "SUCCESS") {
		t.Errorf("before an hour has passed: %s", got)
	}
	if got := at(62 * time.Minute); !strings.Contains(got, "FAILURE") {
		t.Errorf("after an hour: %s", got)
	}
	f.create("new", owned)
	last, _ := f.Store.Last()
	entries, err := f.Store.Entries(t.Context(), last-1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Apply(store.WithOrigin(ctx, sink.Name()), entries); err != nil {
		t.Fatal(err)
	}
	if got := at(63 * time.Minute); !strings.Contains(got, "urn:li:test:new") {
		t.Errorf("after a test was written: %s", got)
	}
	f.create("often", `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"},"every":"10m"}`)
	seen := func(text string) bool {
		return strings.Contains(text[strings.Index(text, `"passing"`):], "urn:li:test:often")
	}
	if got := at(65*time.Minute) + at(74*time.Minute); strings.Contains(got, "urn:li:test:often") {
		t.Errorf("a test with a schedule of its own was evaluated too early: %s", got)
	}
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	if got := at(76 * time.Minute); !seen(got) || strings.Count(got, "FAILURE") != 2 {
		t.Errorf("when its period has passed it alone is evaluated: %s", got)
	}
	f.Put(t, orders, "ownership", `{"owners":[]}`)
	if got := at(80 * time.Minute); !seen(got) {
		t.Errorf("too early again: %s", got)
	}
	if got := at(87 * time.Minute); strings.Contains(got, "SUCCESS") {
		t.Errorf("after its second period: %s", got)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

func TestScheduledEvaluationsAreRuns(t *testing.T) {
	f := newFixture(t)
	m := f.begin(memory.NewTaskStore(), f.Store)
	often := f.create("often", `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"},"every":"10m"}`)
	sink := metatest.NewOnChange(f.tests, false)
	ctx, stop := context.WithCancel(f.As(t, model.SystemActor))
	defer stop()
	tick, ended := make(chan time.Time), make(chan error, 1)
	go func() { ended <- sink.Schedule(ctx, time.Hour, tick) }()
	start := time.Now()
	runs := func(passed time.Duration) (out []string) {
		t.Helper()
		for range 2 { // the second tick is accepted once the first has been processed
			tick <- start.Add(passed)
		}
		list, _, err := f.tests.Runs(f.As(t, servicetest.Root), "", nil, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			out = append(out, fmt.Sprint(r.Tests, r.State, r.Counts.Assets, r.Actor.System))
		}
		return out
	}
	all, own := fmt.Sprint([]urn.URN{}, task.Succeeded, 2, true), fmt.Sprint([]urn.URN{often}, task.Succeeded, 2, true)
	if got := runs(0); len(got) != 0 {
		t.Errorf("at the start: %v", got)
	}
	if got := runs(2 * time.Minute); !slices.Equal(got, []string{all}) {
		t.Errorf("after a minute: %v", got)
	}
	if got := runs(14 * time.Minute); !slices.Equal(got, []string{own, all}) {
		t.Errorf("when a test is due by its own schedule: %v", got)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestAScheduledRunThatIsUnderWayIsNotBegunTwice lets a run of another user block the schedule,
// which tries again a minute later.
func TestAScheduledRunThatIsUnderWayIsNotBegunTwice(t *testing.T) {
	f := newFixture(t)
	reached, goOn := make(chan struct{}), make(chan struct{})
	reader := &interrupted{Reader: f.Store, at: 1, then: func(context.Context) {
		close(reached)
		<-goOn
	}}
	m := f.begin(memory.NewTaskStore(), reader)
	f.create("owned", owned)
	run, err := f.tests.StartRun(f.As(t, servicetest.Root), nil)
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	ctx, stop := context.WithCancel(f.As(t, model.SystemActor))
	defer stop()
	tick, ended := make(chan time.Time), make(chan error, 1)
	go func() { ended <- metatest.NewOnChange(f.tests, false).Schedule(ctx, time.Hour, tick) }()
	start := time.Now()
	count := func(passed time.Duration) int {
		t.Helper()
		for range 2 {
			tick <- start.Add(passed)
		}
		_, total, err := f.tests.Runs(f.As(t, servicetest.Root), "", nil, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	if n := count(0) + count(2*time.Minute); n != 2 {
		t.Errorf("%d runs are told in two looks while one is under way", n)
	}
	close(goOn)
	if _, err := m.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if n := count(4 * time.Minute); n != 2 {
		t.Errorf("%d runs after the one in the way has ended", n)
	}
	stop()
	<-ended
}

package ops_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

// TestTimeSeriesAreKeptAsLongAsTheirRuleSays drives a schedule with a fake clock and waits for the
// tasks that it starts.
func TestTimeSeriesAreKeptAsLongAsTheirRuleSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.use(days(20)...) // 980 to 999 days old
	ctx, stop := context.WithCancel(authtest.As(t, model.SystemActor))
	tick, ended := make(chan time.Time), make(chan error, 1)
	rules := []ops.Retention{{EntityType: "dataset", Aspect: "datasetusagestatistics", Days: 989}, {EntityType: "dataset", Aspect: "operation", Days: 1}}
	go func() { ended <- w.Retain(ctx, rules, tick) }()
	pass := func(passed time.Duration) int64 {
		t.Helper()
		w.now = start.Add(passed)
		for range 2 { // the second tick is accepted once the first has been processed
			tick <- w.now
		}
		for _, one := range w.truncations() {
			if _, err := w.Tasks.Wait(t.Context(), one.ID); err != nil {
				t.Fatal(err)
			}
		}
		return w.rows()
	}
	if got := pass(0); got != 60 {
		t.Errorf("at once: %d rows, want 60", got)
	}
	// Documents that were 989 days old at the start exceed the rule one minute later.
	if got := pass(time.Minute); got != 27 {
		t.Errorf("after a minute: %d rows, want 27 of the last 9 days", got)
	}
	if got := pass(23 * time.Hour); got != 27 {
		t.Errorf("the same day: %d rows, want 27", got)
	}
	if got := pass(25 * time.Hour); got != 24 {
		t.Errorf("a day later: %d rows, want 24", got)
	}
	if got := len(w.truncations()); got != 2 {
		t.Errorf("%d truncations, want 2: a series that is empty, or within its rule, has none", got)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// truncations returns the tasks so far.
func (w *world) truncations() []task.Task {
	w.t.Helper()
	list, _, err := w.Tasks.List(w.t.Context(), task.Query{Count: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func TestRulesOfRetentionAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good, err := ops.ParseRetention(" dataset.datasetProfile = 365 ")
	if err != nil || good != (ops.Retention{EntityType: "dataset", Aspect: "datasetProfile", Days: 365}) {
		t.Errorf("got %+v, %v", good, err)
	}
	for _, text := range []string{"", "dataset", "dataset.operation", "dataset=5", ".operation=5", "dataset.=5", "dataset.operation=0", "dataset.operation=-1",
		"dataset.operation=36501", "dataset.operation=1d", "dataset.operation=99999999999999999999"} {
		if _, err := ops.ParseRetention(text); !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for name, rules := range map[string][]ops.Retention{
		"an unknown type":   {{EntityType: "table", Aspect: "operation", Days: 1}},
		"no time series":    {{EntityType: "dataset", Aspect: "status", Days: 1}},
		"two for one of it": {{EntityType: "dataset", Aspect: "operation", Days: 1}, {EntityType: "DATASET", Aspect: "Operation", Days: 2}},
	} {
		if err := w.CheckRetention(rules); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.CheckRetention([]ops.Retention{good}); err != nil {
		t.Error(err)
	}
}

package metatest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// writers commit a number of times before they are quiet.
type writers struct {
	commits int
	asked   []time.Duration
}

func (w *writers) Last() (uint64, <-chan struct{}) {
	commit := make(chan struct{})
	if w.commits > 0 {
		w.commits--
		close(commit)
	}
	return 0, commit
}

// After ends the wait for quiet at once, and never ends the wait for the whole rest.
func (w *writers) After(d time.Duration) <-chan time.Time {
	w.asked = append(w.asked, d)
	ended := make(chan time.Time, 1)
	if d == 50*time.Millisecond && w.commits == 0 && len(w.asked) > 1 {
		ended <- time.Time{}
	}
	return ended
}

func TestEvaluationOnChangeRestsWhileOthersWrite(t *testing.T) {
	f := newFixture(t)
	w := &writers{commits: 3}
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Pacer: &metatest.Pacer{Commits: w, After: w.After}, Log: f.Log})
	f.create("owned", owned)
	sink := metatest.NewOnChange(f.tests, true)
	entries := []store.Entry{{Kind: store.Written, URN: orders, Aspect: "ownership"}}
	if err := sink.Apply(store.WithOrigin(f.As(t, model.SystemActor), sink.Name()), entries); err != nil {
		t.Fatal(err)
	}
	if w.commits != 0 || len(w.asked) < 4 || !slices.Contains(w.asked[1:], 50*time.Millisecond) {
		t.Errorf("it rested for %v, with %d commits to come", w.asked, w.commits)
	}
	if f.Get(t, orders, "testResults") == "" {
		t.Error("nothing was evaluated")
	}
}

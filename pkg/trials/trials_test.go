package trials_test

import (
	"testing"

	"github.com/cartulary/cartulary/pkg/trials"
)

func TestTheEnvironmentMultipliesTrials(t *testing.T) {
	t.Setenv(trials.Variable, "3")
	if got := trials.Count(7); got != 21 {
		t.Errorf("got %d trials, want 21", got)
	}
}

func TestThereIsAlwaysATrialAndNeverMoreThanAskedFor(t *testing.T) {
	t.Setenv(trials.Variable, "")
	for _, n := range []int{1, 2, 100} {
		if got := trials.Count(n); got < 1 || got > n {
			t.Errorf("got %d trials of %d", got, n)
		}
	}
}

func TestAnEnvironmentThatMakesNoSenseIsRefused(t *testing.T) {
	for _, text := range []string{"0", "-1", "many"} {
		t.Setenv(trials.Variable, text)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken", text)
				}
			}()
			trials.Count(1)
		}()
	}
}

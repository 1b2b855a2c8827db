package outage_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
)

func TestAnOutageLastsFromTheFirstFailureToTheNextSuccess(t *testing.T) {
	t.Parallel()
	cause := errors.New("refused")
	now := time.Unix(1_800_000_000, 0)
	w := outage.NewWatch(func() time.Time { return now })
	start := now
	for _, step := range []struct{ elapsed, wait time.Duration }{
		{0, time.Second}, {500 * time.Millisecond, time.Second}, {9 * time.Second, 9 * time.Second}, {time.Hour, 30 * time.Second},
	} {
		now = start.Add(step.elapsed)
		err := w.Missed(cause)
		if !err.Since.Equal(start) || err.RetryAfter() != step.wait || !errors.Is(err, cause) {
			t.Errorf("after %v: since %v, wait %v", step.elapsed, err.Since, err.RetryAfter())
		}
	}
	w.Reached()
	w.Reached()
	if err := w.Missed(cause); !err.Since.Equal(now) || err.RetryAfter() != time.Second {
		t.Errorf("the next one: since %v, wait %v", err.Since, err.RetryAfter())
	}
	if got := w.Missed(cause).Duration(); got != "since 2027-01-15T09:00:00Z" {
		t.Errorf("got %q", got)
	}
}

package bolt

import (
	"testing"
	"time"
)

func TestPaceWaitsOnlyForCallersThatAreLikelyToComeBack(t *testing.T) {
	t.Parallel()
	queue := func() *queue {
		var q queue
		q.init()
		return &q
	}
	t.Run("a lone writer never waits", func(t *testing.T) {
		t.Parallel()
		p := pace{}
		p.note(1, time.Hour)
		if p.await(queue(), 1) != nil || p.waited != 0 {
			t.Errorf("waited %s", p.waited)
		}
	})
	t.Run("a group as large as the one before does not wait", func(t *testing.T) {
		t.Parallel()
		p := pace{}
		p.note(8, time.Hour)
		if p.await(queue(), 8) != nil || p.waited != 0 {
			t.Errorf("waited %s", p.waited)
		}
	})
	t.Run("a smaller one takes up who comes", func(t *testing.T) {
		t.Parallel()
		p, q := pace{}, queue()
		p.note(2, time.Hour)
		r := &request{done: make(chan struct{})}
		go func() { _ = q.push(r) }()
		// The wait is limited; a machine that starts the goroutine late may end it early.
		for got := p.await(q, 1); got != r; got = p.await(q, 1) {
			p.waited = 0
		}
	})
	t.Run("patience ends", func(t *testing.T) {
		t.Parallel()
		p := pace{}
		p.note(8, 2*longestWait)
		if p.await(queue(), 1) != nil {
			t.Error("somebody came")
		}
		if p.await(queue(), 1) != nil || p.waited < longestWait {
			t.Errorf("waited %s", p.waited)
		}
	})
}

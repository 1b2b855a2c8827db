package metatest

import (
	"context"
	"time"
)

// Commits signals commits of the store. Every store.Log implements it.
type Commits interface {
	// Last returns the last sequence and a channel that is closed at the next commit.
	Last() (uint64, <-chan struct{})
}

// Pacer throttles background work in favor of writers: after each piece of work it rests while
// others write, for at most nine times the duration of the piece. So evaluation on change takes a
// tenth of the time during a large ingestion, and all of it while nobody writes.
type Pacer struct {
	Commits Commits
	// After is time.After, or a replacement in tests.
	After func(time.Duration) <-chan time.Time
}

const (
	restShare = 9
	maxRest   = 10 * time.Second // after one piece of work
	quiet     = 50 * time.Millisecond
)

// rest returns after 50 ms without a commit, or after restShare times the worked duration, at most
// maxRest.
func (p *Pacer) rest(ctx context.Context, worked time.Duration) {
	if p == nil {
		return
	}
	enough := p.After(min(restShare*worked, maxRest))
	for {
		_, committed := p.Commits.Last()
		select {
		case <-ctx.Done():
			return
		case <-enough:
			return
		case <-committed:
		case <-p.After(quiet):
			return
		}
	}
}

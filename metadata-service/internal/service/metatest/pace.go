package metatest

import (
	"context"
	"time"
)

// Commits tells of writes to the store; every store.Log does.
type Commits interface {
	// Last gives a channel that is closed at the next commit.
	Last() (uint64, <-chan struct{})
}

// Pacer makes background work give way to writers: behind each piece of work it
// rests for as long as they write, up to share times as long as the piece took. So
// evaluating on change takes a tenth of the time while much is ingested, and all of
// it when nobody writes.
type Pacer struct {
	Commits Commits
	// After is time.After, or what stands for it in tests.
	After func(time.Duration) <-chan time.Time
}

const (
	restShare = 9
	maxRest   = 10 * time.Second // of one piece of work
	quiet     = 50 * time.Millisecond
)

// rest returns when nobody has written for a moment, or after a share of the time
// that was worked.
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

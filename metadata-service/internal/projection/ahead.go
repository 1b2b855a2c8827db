package projection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// AheadSink is an awaited sink to which a writer can apply its own entries before earlier ones. A
// large batch of another writer then delays no small write for longer than a part of the batch.
type AheadSink interface {
	Sink
	// ApplyAhead brings the sink up to date with a few entries, the last of which has the sequence,
	// while Apply may be at earlier ones. The position of the sink stays: Apply receives the entries
	// again. After an error the writer waits for Apply.
	ApplyAhead(ctx context.Context, sequence uint64, entries []store.Entry) error
}

// patience is the time that a writer waits for the entries before its own. Without a large batch,
// sinks apply entries within a few milliseconds.
const patience = 100 * time.Millisecond

// WaitFor is Wait for the writer of a few entries, the last of which has the sequence. If the sinks
// are behind for a while, it applies the entries to those that are an AheadSink.
func (f *Follower) WaitFor(ctx context.Context, sequence uint64, own []store.Entry, kinds ...store.EntryKind) error {
	return f.wait(ctx, sequence, own, kinds)
}

// wait returns when the awaited sinks have applied the log up to the sequence. With own entries it
// applies these ahead after a while.
func (f *Follower) wait(ctx context.Context, sequence uint64, own []store.Entry, kinds []store.EntryKind) error {
	if waiting, _, err := f.reached(sequence, kinds, nil); !waiting {
		return err
	}
	defer idle.Begin(ctx)()
	var late <-chan time.Time
	if len(own) > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	var ahead map[*sinkState]bool // sinks that the entries were applied to
	for {
		waiting, changed, err := f.reached(sequence, kinds, ahead)
		if !waiting {
			return err
		}
		select {
		case <-changed:
		case <-late:
			running, stop := f.whileOpen(ctx)
			ahead = f.applyAhead(running, sequence, own)
			stop()
		case <-f.closed:
			return fault.New(fault.Unavailable, "the service is stopping; the change is stored and will be seen after its start")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// whileOpen returns a context that also ends when the Follower is closed.
func (f *Follower) whileOpen(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		select {
		case <-f.closed:
			stop()
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

// applyAhead applies entries to the awaited sinks that are behind and support it, and returns those
// that succeeded.
func (f *Follower) applyAhead(ctx context.Context, sequence uint64, own []store.Entry) map[*sinkState]bool {
	done := map[*sinkState]bool{}
	for _, st := range f.awaited {
		sink, is := st.Sink.(AheadSink)
		f.mu.Lock()
		behind := st.applied < sequence && st.err == nil
		f.mu.Unlock()
		if !is || !behind {
			continue
		}
		err := background.Protect(func() error { return sink.ApplyAhead(ctx, sequence, own) })
		switch {
		case err == nil:
			done[st] = true
		case ctx.Err() == nil && !errors.Is(err, fault.Unsupported):
			f.cfg.Logger.WarnContext(ctx, "entries were not applied ahead", "sink", st.Name(), "sequence", sequence, "error", fmt.Sprint(err))
		}
	}
	return done
}

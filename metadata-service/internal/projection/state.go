package projection

import (
	"context"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

const (
	pageSize     = 1000 // entries per call of Apply
	firstRetry   = 100 * time.Millisecond
	longestRetry = 30 * time.Second
	// panicLimit is the number of panics of a background sink on one entry alone after which the
	// entry is skipped. With the pauses between attempts this takes over a minute, so that a
	// temporary condition can pass.
	panicLimit = 10
)

// sinkState is the progress of one sink. The mutex of the Follower guards writes to it, except for
// the fields that a single goroutine uses.
type sinkState struct {
	Sink
	background BackgroundSink // the same sink; nil for an awaited one

	applied  uint64
	err      error // kept until the failed page has been applied
	failures uint64
	panics   uint64
	skipped  uint64
	lost     uint64
	lostTo   uint64 // end of the lost entries that are already counted
	missed   *Gap

	// Only the goroutine that follows for the sink uses these. Up to singleUpTo, the end of the
	// failed page, entries are applied one by one. panicCount is the number of panics on the entry
	// panicEntry.
	singleUpTo uint64
	panicEntry uint64
	panicCount int

	// Only housekeeping uses these: the position stored in the log, and for a Keeper the time of
	// its last snapshot and the position applied then.
	storedPosition   uint64
	snapshotTime     time.Time
	snapshotPosition uint64
}

// handover is one attempt to advance a sink.
type handover struct {
	to      uint64 // position of the sink after success
	entries []store.Entry
	gap     *Gap // reported to the sink in place of the entries
}

// follow advances one sink until ctx ends.
func (f *Follower) follow(ctx context.Context, st *sinkState) {
	pause := firstRetry
	for ctx.Err() == nil {
		last, more := f.cfg.Log.Last()
		if last <= st.applied {
			select {
			case <-more:
			case <-ctx.Done():
			}
			continue
		}
		err := f.step(ctx, st, last)
		if err == nil {
			pause = firstRetry
			continue
		}
		if ctx.Err() != nil {
			return
		}
		f.cfg.Logger.ErrorContext(ctx, "projection failed", "sink", st.Name(), "position", st.applied, "retry_in", pause, "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, longestRetry)
	}
}

// step hands over one page or one gap and records the result. last is the end of the log before the
// attempt.
func (f *Follower) step(ctx context.Context, st *sinkState, last uint64) error {
	h := handover{to: last}
	err := background.Protect(func() error { return f.handOver(ctx, st, &h) })
	if err != nil && ctx.Err() != nil {
		return err // the end of ctx is no failure of the sink
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.gap != nil {
		f.recordGap(ctx, st, &h, err)
	}
	st.record(&h, err)
	if st.background == nil {
		close(f.changed)
		f.changed = make(chan struct{})
	}
	return err
}

// handOver reads the next entries and hands them to the sink. If the log has no entries up to its
// former end, they have been trimmed, and the sink continues after them.
func (f *Follower) handOver(ctx context.Context, st *sinkState, h *handover) (err error) {
	if h.entries, err = f.read(ctx, st); err != nil {
		return err
	}
	if n := len(h.entries); n > 0 {
		h.to = h.entries[n-1].Sequence
	}
	if st.background != nil {
		if h.gap, err = f.findGap(ctx, st, h.entries); err != nil {
			return err
		}
		if h.gap != nil {
			h.to = h.gap.Last
			return st.background.Missed(ctx, *h.gap)
		}
	}
	if len(h.entries) == 0 {
		return nil
	}
	return st.Apply(ctx, h.entries)
}

// read returns the next entries of a sink. Awaited sinks share them.
func (f *Follower) read(ctx context.Context, st *sinkState) ([]store.Entry, error) {
	switch {
	case st.applied < st.singleUpTo:
		return f.cfg.Log.Entries(ctx, st.applied, 1)
	case st.background != nil:
		return f.cfg.Log.Entries(ctx, st.applied, pageSize)
	}
	return f.page.read(ctx, f.cfg.Log, st.applied)
}

// findGap returns the gap of a background sink before or in place of the entries read, nil without
// one. It must run after the read, because the log may be trimmed at any time.
func (f *Follower) findGap(ctx context.Context, st *sinkState, entries []store.Entry) (*Gap, error) {
	trimmed, err := f.cfg.Log.Trimmed(ctx)
	if err != nil {
		return nil, err
	}
	if trimmed > st.applied && (len(entries) == 0 || entries[0].Sequence > trimmed) {
		return &Gap{First: st.applied + 1, Last: trimmed, Cause: Trimmed}, nil
	}
	if len(entries) == 1 && entries[0].Sequence == st.panicEntry && st.panicCount >= panicLimit {
		return &Gap{First: st.panicEntry, Last: st.panicEntry, Cause: Skipped}, nil
	}
	return nil, nil
}

// recordGap counts the entries that a sink has missed and logs them. The caller holds the mutex.
func (f *Follower) recordGap(ctx context.Context, st *sinkState, h *handover, err error) {
	if h.gap.Cause == Trimmed {
		f.countLost(ctx, st, *h.gap)
		return
	}
	if err != nil {
		return // the follower repeats the attempt
	}
	st.skipped++
	st.missed = h.gap
	entry := &h.entries[0]
	f.cfg.Logger.ErrorContext(ctx, "projection passes over an entry on which it panicked", "sink", st.Name(),
		"sequence", entry.Sequence, "kind", entry.Kind, "urn", entry.URN, "aspect", entry.Aspect, "attempts", st.panicCount)
}

// countLost counts entries that were trimmed before a sink had read them, and logs them once. The
// caller holds the mutex.
func (f *Follower) countLost(ctx context.Context, st *sinkState, gap Gap) {
	gap.First = max(gap.First, st.lostTo+1)
	if gap.First > gap.Last {
		return
	}
	st.lost += gap.Last - gap.First + 1
	st.lostTo = gap.Last
	st.missed = &gap
	f.cfg.Logger.ErrorContext(ctx, "the change log was trimmed before a projection had read it", "sink", st.Name(), "first", gap.First, "last", gap.Last)
}

// record stores the result of an attempt.
func (st *sinkState) record(h *handover, err error) {
	if err == nil {
		st.applied = h.to
		if st.applied >= st.singleUpTo {
			st.err = nil
		}
		return
	}
	st.err = err
	st.failures++
	var panicked *background.PanicError
	if errors.As(err, &panicked) {
		st.panics++
	}
	n := len(h.entries)
	if n == 0 || h.gap != nil {
		return
	}
	st.singleUpTo = max(st.singleUpTo, h.entries[n-1].Sequence)
	if panicked == nil || n > 1 {
		return
	}
	if at := h.entries[0].Sequence; at != st.panicEntry {
		st.panicEntry, st.panicCount = at, 0
	}
	st.panicCount++
}

func (st *sinkState) status(last uint64) Status {
	s := Status{
		Sink: st.Name(), Awaited: st.background == nil, Position: st.applied, Err: st.err,
		Failures: st.failures, Panics: st.panics, Skipped: st.skipped, Lost: st.lost, Missed: st.missed,
	}
	if last > st.applied {
		s.Behind = last - st.applied
	}
	return s
}

package projection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

const (
	savePeriod      = 5 * time.Second
	trimPeriod      = time.Hour
	snapshotPeriod  = 30 * time.Second // between snapshots of a Keeper
	snapshotChanges = 20_000           // number of new entries that triggers a snapshot earlier
)

// Limits define how long the log keeps entries. No limit removes an entry that an awaited sink has
// not applied.
type Limits struct {
	// Keep is the minimum age of trimmed entries, for readers of events. Zero trims nothing.
	Keep time.Duration
	// MaxLagAge and MaxLagEntries bound how long older entries wait for a background sink that has
	// not read them: until they have reached that age, or until that many later sequences exist.
	// With a driver that leaves gaps, a number of sequences is fewer entries. Zero means no bound.
	MaxLagAge     time.Duration
	MaxLagEntries uint64
}

// DefaultLimits keep a week of entries. For a background sink that makes no progress they keep at
// most a month or ten million entries, which take about half a gigabyte.
func DefaultLimits() Limits {
	const day = 24 * time.Hour
	return Limits{Keep: 7 * day, MaxLagAge: 30 * day, MaxLagEntries: 10_000_000}
}

// Housekeeping returns the error of the last attempt to save positions and snapshots or to trim the
// log, nil if it succeeded. The Follower repeats failed attempts.
func (f *Follower) Housekeeping() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.housekeepingErr
}

// housekeep periodically stores positions and trims the log.
func (f *Follower) housekeep(ctx context.Context) {
	save, trim := time.NewTicker(savePeriod), time.NewTicker(trimPeriod)
	defer save.Stop()
	defer trim.Stop()
	for {
		do := func() error { return f.save(ctx, false) }
		select {
		case <-save.C:
		case <-trim.C:
			do = func() error { return f.Trim(ctx) }
		case <-ctx.Done():
			return
		}
		err := background.Protect(do)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			f.cfg.Logger.ErrorContext(ctx, "housekeeping of the change log failed", "error", err)
		}
		f.mu.Lock()
		f.housekeepingErr = err
		f.mu.Unlock()
	}
}

// save stores the position of each durable sink. For a Keeper it first saves the snapshot. A sink
// that fails does not affect the others.
func (f *Follower) save(ctx context.Context, closing bool) error {
	var errs []error
	for _, st := range f.sinks {
		err := background.Protect(func() error { return f.saveSink(ctx, st, closing) })
		if err != nil {
			errs = append(errs, fmt.Errorf("save %s: %w", st.Name(), err))
		}
	}
	return errors.Join(errs...)
}

func (f *Follower) saveSink(ctx context.Context, st *sinkState, closing bool) error {
	position := f.appliedBy(st)
	if k, ok := st.Sink.(Keeper); ok {
		var err error
		if position, err = st.saveSnapshot(ctx, k, position, f.cfg.Now(), closing); err != nil {
			return err
		}
	}
	if !st.Durable() || position == st.storedPosition {
		return nil
	}
	if err := f.cfg.Log.SetPosition(ctx, st.Name(), position); err != nil {
		return err
	}
	st.storedPosition = position
	return nil
}

// saveSnapshot saves the snapshot of a Keeper when it is due, and returns the position up to which
// the sink is safe.
func (st *sinkState) saveSnapshot(ctx context.Context, k Keeper, applied uint64, now time.Time, closing bool) (uint64, error) {
	idle := applied == st.snapshotPosition
	early := now.Sub(st.snapshotTime) < snapshotPeriod && applied-st.snapshotPosition < snapshotChanges
	if !closing && (idle || early) {
		return st.storedPosition, nil
	}
	position, err := k.Save(ctx)
	if err != nil {
		return st.storedPosition, err
	}
	st.snapshotTime, st.snapshotPosition = now, applied
	return position, nil
}

// Trim removes the entries that the limits no longer keep.
func (f *Follower) Trim(ctx context.Context) error {
	if f.cfg.Limits.Keep <= 0 {
		return nil
	}
	t, err := f.newTrimming(ctx)
	if err != nil {
		return err
	}
	upTo, err := t.end(ctx, f.cfg.Log)
	if err != nil || upTo == 0 {
		return err
	}
	f.recordLost(ctx, upTo)
	return f.cfg.Log.Trim(ctx, upTo)
}

// trimming holds the positions and times that decide which entries are removed.
type trimming struct {
	last       uint64 // end of the log
	awaited    uint64 // last sequence that all awaited sinks have durably applied
	background uint64 // last sequence that all background sinks have durably applied
	keepFrom   int64  // epoch ms; entries of this time or later stay
	tooOld     int64  // epoch ms; entries before it wait for no background sink
	tooMany    uint64 // entries up to this sequence wait for no background sink
}

func (f *Follower) newTrimming(ctx context.Context) (*trimming, error) {
	last, _ := f.cfg.Log.Last()
	now, limits := f.cfg.Now(), f.cfg.Limits
	t := &trimming{last: last, awaited: last, background: last, keepFrom: now.Add(-limits.Keep).UnixMilli()}
	if limits.MaxLagAge > 0 {
		t.tooOld = now.Add(-limits.MaxLagAge).UnixMilli()
	}
	if n := limits.MaxLagEntries; n > 0 && last > n {
		t.tooMany = last - n
	}
	for _, st := range f.sinks {
		position, err := f.durablePosition(ctx, st)
		if err != nil {
			return nil, err
		}
		if st.background == nil {
			t.awaited = min(t.awaited, position)
		} else {
			t.background = min(t.background, position)
		}
	}
	return t, nil
}

// durablePosition returns the sequence up to which a sink needs no entries any more, even after a
// crash.
func (f *Follower) durablePosition(ctx context.Context, st *sinkState) (uint64, error) {
	if !st.Durable() {
		return f.appliedBy(st), nil
	}
	return f.cfg.Log.Position(ctx, st.Name())
}

func (f *Follower) appliedBy(st *sinkState) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return st.applied
}

func (t *trimming) trimmable(e *store.Entry) bool {
	if e.Time >= t.keepFrom || e.Sequence > t.awaited {
		return false
	}
	return e.Sequence <= t.background || e.Sequence <= t.tooMany || e.Time < t.tooOld
}

// end returns the sequence of the last trimmable entry in the unbroken run of trimmable entries at
// the start of the log, or 0 when the first entry must stay.
func (t *trimming) end(ctx context.Context, log store.Log) (upTo uint64, err error) {
	after, err := log.Trimmed(ctx)
	if err != nil {
		return 0, err
	}
	for after < t.last {
		entries, err := log.Entries(ctx, after, pageSize)
		if err != nil || len(entries) == 0 {
			return upTo, err
		}
		for i := range entries {
			if !t.trimmable(&entries[i]) {
				return upTo, nil
			}
			upTo = entries[i].Sequence
		}
		after = upTo
	}
	return upTo, nil
}

// recordLost records, for each background sink, the entries that are now trimmed before the sink
// has read them.
func (f *Follower) recordLost(ctx context.Context, upTo uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, st := range f.background {
		if st.applied < upTo {
			f.countLost(ctx, st, Gap{First: st.applied + 1, Last: upTo, Cause: Trimmed})
		}
	}
}

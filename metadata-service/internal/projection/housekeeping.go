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
	savePeriod  = 5 * time.Second
	trimPeriod  = time.Hour
	keepPeriod  = 30 * time.Second // between snapshots of a Keeper
	keepChanges = 20_000           // entries after which one is taken earlier
)

// Limits say how long entries of the log are kept. An awaited sink always finds
// what it has not applied: no limit takes it away.
type Limits struct {
	// Keep is how long every entry stays, for readers of events. Zero: nothing is trimmed.
	Keep time.Duration
	// MaxLagAge and MaxLagEntries bound how long older entries wait for a background sink that
	// has not read them: until they have that age, or so many sequences were given after them,
	// which is fewer entries with a driver that leaves gaps. Zero: as long as it takes.
	MaxLagAge     time.Duration
	MaxLagEntries uint64
}

// DefaultLimits keep a week, and at most a month or ten million entries, which
// take about half a gigabyte, for a background sink that does not go on.
func DefaultLimits() Limits {
	const day = 24 * time.Hour
	return Limits{Keep: 7 * day, MaxLagAge: 30 * day, MaxLagEntries: 10_000_000}
}

// Housekeeping tells why positions and snapshots could not be saved, or the log
// not be trimmed, the last time; nil when it went well. It is tried again.
func (f *Follower) Housekeeping() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.keeping
}

// housekeep stores positions now and then and trims the log.
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
		f.keeping = err
		f.mu.Unlock()
	}
}

// save stores the position of each durable sink, after its snapshot where it
// takes one. A sink that cannot be saved leaves the others alone.
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

func (f *Follower) saveSink(ctx context.Context, st *state, closing bool) error {
	position := f.appliedBy(st)
	if k, ok := st.Sink.(Keeper); ok {
		var err error
		if position, err = st.keep(ctx, k, position, f.cfg.Now(), closing); err != nil {
			return err
		}
	}
	if !st.Durable() || position == st.saved {
		return nil
	}
	if err := f.cfg.Log.SetPosition(ctx, st.Name(), position); err != nil {
		return err
	}
	st.saved = position
	return nil
}

// keep saves a Keeper when it is time, and gives the position that is safe.
func (st *state) keep(ctx context.Context, k Keeper, applied uint64, now time.Time, closing bool) (uint64, error) {
	idle := applied == st.kept
	early := now.Sub(st.keptAt) < keepPeriod && applied-st.kept < keepChanges
	if !closing && (idle || early) {
		return st.saved, nil
	}
	position, err := k.Save(ctx)
	if err != nil {
		return st.saved, err
	}
	st.keptAt, st.kept = now, applied
	return position, nil
}

// Trim forgets the entries that the limits no longer keep.
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

// trimming is what decides which entries go.
type trimming struct {
	last    uint64 // end of the log
	awaited uint64 // up to here the awaited sinks have stored to have applied
	held    uint64 // up to here the background sinks have
	keep    int64  // entries of this time, epoch ms, and later ones stay
	tooOld  int64  // entries before it wait for no background sink
	tooMany uint64 // nor do entries up to this one
}

func (f *Follower) newTrimming(ctx context.Context) (*trimming, error) {
	last, _ := f.cfg.Log.Last()
	now, limits := f.cfg.Now(), f.cfg.Limits
	t := &trimming{last: last, awaited: last, held: last, keep: now.Add(-limits.Keep).UnixMilli()}
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
			t.held = min(t.held, position)
		}
	}
	return t, nil
}

// durablePosition is up to where a sink needs no entries any more, even after a crash.
func (f *Follower) durablePosition(ctx context.Context, st *state) (uint64, error) {
	if !st.Durable() {
		return f.appliedBy(st), nil
	}
	return f.cfg.Log.Position(ctx, st.Name())
}

func (f *Follower) appliedBy(st *state) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return st.applied
}

func (t *trimming) trimmable(e *store.Entry) bool {
	if e.Time >= t.keep || e.Sequence > t.awaited {
		return false
	}
	return e.Sequence <= t.held || e.Sequence <= t.tooMany || e.Time < t.tooOld
}

// end is the last of the oldest entries that can be trimmed, 0 when the first cannot.
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

// recordLost tells of background sinks that have not read what is trimmed now.
func (f *Follower) recordLost(ctx context.Context, upTo uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, st := range f.background {
		if st.applied < upTo {
			f.countLost(ctx, st, Gap{First: st.applied + 1, Last: upTo, Cause: Trimmed})
		}
	}
}

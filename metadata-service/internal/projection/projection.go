// Package projection keeps everything derived equal to the store by following
// its change log: one follower reads the log and hands its entries, in order,
// to sinks. A sink projects the current state of what an entry names, never the
// entry's, so applying entries again does no harm.
//
// A write is answered when the sinks have applied it. A sink that fails is
// tried again in the background; the others go on, and writers do not wait for
// it meanwhile. Its error and its distance from the end of the log are told by
// Lags. A panic of a sink counts as its failure, so that it ends neither the
// process nor the goroutine that follows for it.
package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Sink is something derived from the log.
type Sink interface {
	// Name names the sink in positions, logs and metrics. It must not change.
	Name() string
	// Durable tells whether the sink keeps what it has applied when the process ends. A sink
	// that does goes on from its stored position; one that does not starts at the end of the
	// log and has to load the current state by itself before.
	Durable() bool
	// Apply brings the sink up to date with entries, in order, or fails as a whole. After a
	// crash entries may come again. Other sinks read the same entries: they must not be changed.
	Apply(ctx context.Context, entries []store.Entry) error
}

// Keeper is an ability of durable sinks that keep their position themselves,
// together with what they hold, and do so now and then: a snapshot. The
// follower goes on from Applied, and trims the log only up to what was kept.
type Keeper interface {
	Sink
	// Applied is the sequence of the log the sink stands for.
	Applied() uint64
	// Save keeps what the sink holds. Changes go on meanwhile. It tells the sequence that is
	// safe now, which may be that of an earlier Save when the sink has reasons not to save.
	Save(ctx context.Context) (kept uint64, err error)
}

// Limits of the follower's work.
const (
	keepPeriod    = 30 * time.Second // between snapshots of a Keeper
	keepChanges   = 20_000           // entries after which one is taken earlier
	pageSize      = 1000
	savePeriod    = 5 * time.Second
	trimPeriod    = time.Hour
	keepEntries   = 7 * 24 * time.Hour // for readers of events
	firstRetry    = 100 * time.Millisecond
	longestRetry  = 30 * time.Second
	shutdownLimit = 30 * time.Second
)

// Lag tells how far a sink is.
type Lag struct {
	Sink     string
	Position uint64 // last sequence applied
	Behind   uint64 // entries not yet applied
	Err      error  // of the last attempt, nil when it went well
}

// Follower drives sinks. Make one with Start.
type Follower struct {
	log    store.Log
	now    func() time.Time
	logger *slog.Logger
	stop   context.CancelFunc
	done   sync.WaitGroup
	closed <-chan struct{}
	page   page

	mu      sync.Mutex
	sinks   []*state
	changed chan struct{} // closed and replaced whenever a state changes
	keeping error         // of the last housekeeping, nil when it went well
}

type state struct {
	Sink
	applied uint64
	saved   uint64 // position stored in the log
	err     error

	// Of a Keeper: when it saved last, and what was applied then.
	keptAt time.Time
	kept   uint64
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

// page is the stretch of the log that was read last. Sinks that keep up ask for
// the same one, each a moment after the other; only the first has to read it.
type page struct {
	mu      sync.Mutex
	after   uint64
	entries []store.Entry
}

// worthKeeping bounds the documents of a page that is remembered, in bytes.
const worthKeeping = 1 << 20

// read gives the entries after a sequence; they are shared.
func (p *page) read(ctx context.Context, log store.Log, after uint64) ([]store.Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entries != nil && p.after == after {
		return p.entries, nil
	}
	entries, err := log.Entries(ctx, after, pageSize)
	p.after, p.entries = after, nil
	size := 0
	for i := range entries {
		size += len(entries[i].Value)
	}
	if err == nil && len(entries) > 0 && size <= worthKeeping {
		p.entries = entries
	}
	return entries, err
}

// Start begins to follow the log from the stored positions of the sinks. It
// returns at once; Wait for the end of the log to know that all have caught up.
func Start(ctx context.Context, log store.Log, now func() time.Time, logger *slog.Logger, sinks ...Sink) (*Follower, error) {
	f := &Follower{log: log, now: now, logger: logger, changed: make(chan struct{})}
	last, _ := log.Last()
	for _, s := range sinks {
		st := &state{Sink: s, applied: last, keptAt: now()}
		if s.Durable() {
			position, err := log.Position(ctx, s.Name())
			if err != nil {
				return nil, fmt.Errorf("position of %s: %w", s.Name(), err)
			}
			st.applied, st.saved = position, position
		}
		if k, ok := s.(Keeper); ok {
			st.applied = k.Applied()
			st.kept = st.applied
		}
		f.sinks = append(f.sinks, st)
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop, f.closed = stop, running.Done()
	for _, st := range f.sinks {
		f.done.Go(func() { f.follow(running, st) })
	}
	f.done.Go(func() { f.housekeep(running) })
	return f, nil
}

// Housekeeping tells why positions and snapshots could not be saved, or the log
// not be trimmed, the last time; nil when it went well. It is tried again.
func (f *Follower) Housekeeping() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.keeping
}

// Close stops following and stores the positions reached.
func (f *Follower) Close() error {
	f.stop()
	f.done.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	return f.save(ctx, true)
}

// Wait returns when every sink has applied the log up to the sequence. Sinks in
// trouble are not waited for: their errors are returned instead. After Close it
// fails with an error of kind fault.Unavailable for what was not applied.
func (f *Follower) Wait(ctx context.Context, sequence uint64) error {
	for {
		f.mu.Lock()
		waiting := false
		var errs []error
		for _, st := range f.sinks {
			if st.applied >= sequence {
				continue
			}
			if st.err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", st.Name(), st.err))
				continue
			}
			waiting = true
		}
		changed := f.changed
		f.mu.Unlock()
		if !waiting {
			return errors.Join(errs...)
		}
		select {
		case <-changed:
		case <-f.closed:
			return fault.New(fault.Unavailable, "the service is stopping; the change is stored and will be seen after its start")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Lags reports on all sinks in the order they were given.
func (f *Follower) Lags() []Lag {
	last, _ := f.log.Last()
	f.mu.Lock()
	defer f.mu.Unlock()
	lags := make([]Lag, len(f.sinks))
	for i, st := range f.sinks {
		lags[i] = Lag{Sink: st.Name(), Position: st.applied, Err: st.err}
		if last > st.applied {
			lags[i].Behind = last - st.applied
		}
	}
	return lags
}

// follow applies pages of the log to one sink until ctx ends.
func (f *Follower) follow(ctx context.Context, st *state) {
	pause := firstRetry
	for ctx.Err() == nil {
		last, more := f.log.Last()
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
		f.logger.ErrorContext(ctx, "projection failed", "sink", st.Name(), "position", st.applied, "retry_in", pause, "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, longestRetry)
	}
}

// step applies one page. The log reached to last before: when it has no entries
// for the sink, those up to there have been trimmed, and it goes on behind them.
func (f *Follower) step(ctx context.Context, st *state, last uint64) error {
	var entries []store.Entry
	err := background.Protect(func() (err error) {
		if entries, err = f.page.read(ctx, f.log, st.applied); err == nil && len(entries) > 0 {
			err = st.Apply(ctx, entries)
		}
		return err
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && ctx.Err() != nil {
		return err // stopped, which is no trouble of the sink
	}
	st.err = err
	switch {
	case err != nil:
	case len(entries) > 0:
		st.applied = entries[len(entries)-1].Sequence
	default:
		st.applied = last
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return err
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
			f.logger.ErrorContext(ctx, "housekeeping of the change log failed", "error", err)
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
	f.mu.Lock()
	position := st.applied
	f.mu.Unlock()
	if k, ok := st.Sink.(Keeper); ok {
		var err error
		if position, err = st.keep(ctx, k, position, f.now(), closing); err != nil {
			return err
		}
	}
	if !st.Durable() || position == st.saved {
		return nil
	}
	if err := f.log.SetPosition(ctx, st.Name(), position); err != nil {
		return err
	}
	st.saved = position
	return nil
}

// Trim forgets entries that every durable sink has stored to have applied and
// that are older than readers of events may ask for.
func (f *Follower) Trim(ctx context.Context) error {
	limit, _ := f.log.Last()
	for _, st := range f.sinks {
		if st.Durable() {
			position, err := f.log.Position(ctx, st.Name())
			if err != nil {
				return err
			}
			limit = min(limit, position)
		}
	}
	first, err := f.log.First(ctx)
	if err != nil || first == 0 {
		return err
	}
	cutoff := f.now().Add(-keepEntries).UnixMilli()
	upTo := first - 1
	for upTo < limit {
		entries, err := f.log.Entries(ctx, upTo, pageSize)
		if err != nil || len(entries) == 0 {
			return err
		}
		old := 0
		for old < len(entries) && entries[old].Time < cutoff && entries[old].Sequence <= limit {
			upTo = entries[old].Sequence
			old++
		}
		if old < len(entries) {
			break
		}
	}
	if upTo < first {
		return nil
	}
	return f.log.Trim(ctx, upTo)
}

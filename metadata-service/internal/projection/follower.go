package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Config is what a Follower works with.
type Config struct {
	Log    store.Log
	Now    func() time.Time
	Logger *slog.Logger
	// Awaited are the sinks that writers wait for.
	Awaited []Sink
	// Background are the sinks that nobody waits for. They go on from BeginBackground.
	Background []BackgroundSink
	// Identify puts the actor as whom background sinks read and write into their context. Nil
	// leaves it as it is.
	Identify func(context.Context) context.Context
	// Limits bound the log. With the zero value nothing is trimmed.
	Limits Limits
}

// shutdownLimit bounds the last saving of positions and snapshots.
const shutdownLimit = 30 * time.Second

// Follower drives sinks. It is safe for concurrent use. Make one with Start.
type Follower struct {
	cfg    Config
	page   page
	done   sync.WaitGroup
	begin  sync.Once
	stop   context.CancelFunc
	closed <-chan struct{}

	stopBackground context.CancelFunc

	sinks      []*state // the awaited ones first
	awaited    []*state
	background []*state

	mu      sync.Mutex    // guards below, and the progress of the sinks
	changed chan struct{} // closed and replaced whenever an awaited sink went on or failed
	keeping error         // of the last housekeeping, nil when it went well
}

// Start begins to follow the log from the stored positions of the sinks. It
// returns at once; Wait for the end of the log to know that the awaited sinks
// have caught up. The caller closes the Follower before the log.
func Start(ctx context.Context, cfg Config) (*Follower, error) {
	f := &Follower{cfg: cfg, changed: make(chan struct{}), stopBackground: func() {}}
	for _, s := range cfg.Awaited {
		if err := f.add(ctx, &state{Sink: s}); err != nil {
			return nil, err
		}
	}
	for _, s := range cfg.Background {
		if err := f.add(ctx, &state{Sink: s, background: s}); err != nil {
			return nil, err
		}
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop, f.closed = stop, running.Done()
	for _, st := range f.awaited {
		f.done.Go(func() { f.follow(running, st) })
	}
	f.done.Go(func() { f.housekeep(running) })
	return f, nil
}

// BeginBackground lets the background sinks go on. It is apart from Start since
// they use the service, which is not complete before the awaited sinks follow.
// The log is kept for them meanwhile. Only the first call does something.
func (f *Follower) BeginBackground(ctx context.Context) {
	f.begin.Do(func() {
		running, stop := context.WithCancel(context.WithoutCancel(ctx))
		f.stopBackground = stop
		if f.cfg.Identify != nil {
			running = f.cfg.Identify(running)
		}
		for _, st := range f.background {
			f.done.Go(func() { f.follow(store.WithOrigin(running, st.Name()), st) })
		}
	})
}

// add reads where a sink goes on.
func (f *Follower) add(ctx context.Context, st *state) error {
	for _, other := range f.sinks {
		if other.Name() == st.Name() {
			return fault.New(fault.Internal, "two sinks have the name %q and would share a position", st.Name())
		}
	}
	st.applied, _ = f.cfg.Log.Last()
	st.keptAt = f.cfg.Now()
	if st.Durable() {
		position, err := f.cfg.Log.Position(ctx, st.Name())
		if err != nil {
			return fmt.Errorf("position of %s: %w", st.Name(), err)
		}
		st.applied, st.saved = position, position
	}
	if k, ok := st.Sink.(Keeper); ok {
		applied, err := k.Applied(ctx)
		if err != nil {
			return fmt.Errorf("position of %s: %w", st.Name(), err)
		}
		st.applied, st.kept = applied, applied
	}
	if st.applied == 0 { // what was trimmed before a sink was there, it has not lost
		var err error
		if st.lostTo, err = f.cfg.Log.Trimmed(ctx); err != nil {
			return err
		}
	}
	f.sinks = append(f.sinks, st)
	if st.background == nil {
		f.awaited = append(f.awaited, st)
	} else {
		f.background = append(f.background, st)
	}
	return nil
}

// Close stops following and stores the positions reached.
func (f *Follower) Close() error {
	f.begin.Do(func() {}) // from here on BeginBackground starts nothing
	f.stop()
	f.stopBackground()
	f.done.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	return f.save(ctx, true)
}

// Wait returns when every awaited sink that entries of the kinds concern has applied the log up to
// the sequence; without kinds every awaited sink.
// Sinks in trouble are not waited for: their errors are returned instead. After
// Close it fails with an error of kind fault.Unavailable for what was not applied.
func (f *Follower) Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error {
	if waiting, _, err := f.reached(sequence, kinds); !waiting {
		return err
	}
	defer idle.Begin(ctx)()
	for {
		waiting, changed, err := f.reached(sequence, kinds)
		if !waiting {
			return err
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

// concerns reports whether entries of some kinds concern the sink, or of any kind when none is given.
func (st *state) concerns(kinds []store.EntryKind) bool {
	selective, is := st.Sink.(SelectiveSink)
	return !is || len(kinds) == 0 || slices.ContainsFunc(kinds, selective.Concerns)
}

// reached tells whether some awaited sink that entries of the kinds concern is still on its way to the sequence,
// what closes when that may have changed, and the errors of those in trouble.
func (f *Follower) reached(sequence uint64, kinds []store.EntryKind) (waiting bool, changed <-chan struct{}, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, st := range f.awaited {
		switch {
		case st.applied >= sequence, !st.concerns(kinds):
		case st.err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", st.Name(), st.err))
		default:
			waiting = true
		}
	}
	return waiting, f.changed, errors.Join(errs...)
}

// Status reports on all sinks: the awaited ones in the order they were given,
// then those in the background.
func (f *Follower) Status() []Status {
	last, _ := f.cfg.Log.Last()
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]Status, len(f.sinks))
	for i, st := range f.sinks {
		list[i] = st.status(last)
	}
	return list
}

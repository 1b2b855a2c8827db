package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Config holds the dependencies and settings of a Follower.
type Config struct {
	Log    store.Log
	Now    func() time.Time
	Logger *slog.Logger
	// Awaited are the sinks that writers wait for.
	Awaited []Sink
	// Background are the sinks that no writer waits for. They start with BeginBackground.
	Background []BackgroundSink
	// Identify adds to a context the actor that background sinks act as. Nil leaves the context
	// unchanged.
	Identify func(context.Context) context.Context
	// Limits bound the length of the log. The zero value trims nothing.
	Limits Limits
}

// shutdownLimit bounds the time that Close takes to save positions and snapshots.
const shutdownLimit = 30 * time.Second

// Follower reads the change log and drives sinks. It is safe for concurrent use. Start creates one.
type Follower struct {
	cfg    Config
	page   page
	done   sync.WaitGroup
	begin  sync.Once
	stop   context.CancelFunc
	closed <-chan struct{}

	stopBackground context.CancelFunc

	sinks      []*sinkState // awaited sinks first
	awaited    []*sinkState
	background []*sinkState

	mu              sync.Mutex    // guards the fields below and the progress of the sinks
	changed         chan struct{} // closed and replaced whenever an awaited sink has advanced or failed
	housekeepingErr error         // error of the last housekeeping, nil after success
}

// Start begins to follow the log from the stored positions of the sinks. It returns at once; Wait
// for the end of the log ensures that the awaited sinks have caught up. It fails when two sinks
// have the same name. The caller closes the Follower before the log.
func Start(ctx context.Context, cfg Config) (*Follower, error) {
	f := &Follower{cfg: cfg, changed: make(chan struct{}), stopBackground: func() {}}
	for _, s := range cfg.Awaited {
		if err := f.add(ctx, &sinkState{Sink: s}); err != nil {
			return nil, err
		}
	}
	for _, s := range cfg.Background {
		if err := f.add(ctx, &sinkState{Sink: s, background: s}); err != nil {
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

// BeginBackground starts the background sinks. It is separate from Start because they use the
// service, which is complete only once the awaited sinks follow the log. The log keeps entries for
// them meanwhile. Further calls do nothing.
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

// add determines the position from which a sink continues, and adds the sink to the Follower.
func (f *Follower) add(ctx context.Context, st *sinkState) error {
	for _, other := range f.sinks {
		if other.Name() == st.Name() {
			return fault.New(fault.Internal, "two sinks have the name %q and would share a position", st.Name())
		}
	}
	st.applied, _ = f.cfg.Log.Last()
	st.snapshotTime = f.cfg.Now()
	if st.Durable() {
		position, err := f.cfg.Log.Position(ctx, st.Name())
		if err != nil {
			return fmt.Errorf("position of %s: %w", st.Name(), err)
		}
		st.applied, st.storedPosition = position, position
	}
	if k, ok := st.Sink.(Keeper); ok {
		applied, err := k.Applied(ctx)
		if err != nil {
			return fmt.Errorf("position of %s: %w", st.Name(), err)
		}
		st.applied, st.snapshotPosition = applied, applied
	}
	if st.applied == 0 { // a new sink has not lost the entries that were trimmed earlier
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

// Close stops all sinks, waits for their goroutines and stores the positions reached. It returns
// the errors of storing them.
func (f *Follower) Close() error {
	f.begin.Do(func() {}) // a later BeginBackground starts nothing
	f.stop()
	f.stopBackground()
	f.done.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	return f.save(ctx, true)
}

// Wait returns when all awaited sinks have applied the log up to the sequence. With kinds it waits
// only for the sinks that entries of these kinds concern. It does not wait for failing sinks and
// returns their errors instead. When the Follower is closed, Wait fails with fault.Unavailable if
// entries are still unapplied.
func (f *Follower) Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error {
	return f.wait(ctx, sequence, nil, kinds)
}

// concerns reports whether entries of any of the kinds concern the sink. It returns true when no
// kind is given.
func (st *sinkState) concerns(kinds []store.EntryKind) bool {
	selective, is := st.Sink.(SelectiveSink)
	return !is || len(kinds) == 0 || slices.ContainsFunc(kinds, selective.Concerns)
}

// reached reports whether an awaited sink that the kinds concern has still to reach the sequence,
// except those to which the entries were applied ahead. The channel closes when this may have
// changed. The error joins the errors of failing sinks.
func (f *Follower) reached(sequence uint64, kinds []store.EntryKind, ahead map[*sinkState]bool) (waiting bool, changed <-chan struct{}, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, st := range f.awaited {
		switch {
		case st.applied >= sequence, ahead[st], !st.concerns(kinds):
		case st.err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", st.Name(), st.err))
		default:
			waiting = true
		}
	}
	return waiting, f.changed, errors.Join(errs...)
}

// Status returns the status of all sinks: first the awaited ones in the order of Config, then the
// background ones.
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

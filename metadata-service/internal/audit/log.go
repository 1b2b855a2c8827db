package audit

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	maxQueued    = 10_000                 // events that wait to be stored
	defaultPause = 250 * time.Millisecond // between two stores of the queue
	tickPeriod   = time.Second
	trimPeriod   = time.Hour
	searchers    = 2 // queries that run at a time
)

// Config is what a Log works with.
type Config struct {
	// Open opens the store. While it fails events wait, and it is tried again.
	Open func() (Store, error)
	// Keep is how long events stay, MaxBytes what they may take together; 0 is for ever and any.
	Keep     time.Duration
	MaxBytes int64
	// Ignored are actors whose changes are not recorded.
	Ignored []urn.URN
	Now     func() time.Time
	Log     *slog.Logger
	// Pause is the time between two stores of what was recorded; 250 ms when 0.
	Pause time.Duration
}

// Log takes events and finds them again. It is safe for concurrent use; a nil Log
// records nothing and finds nothing.
type Log struct {
	cfg     Config
	work    *background.Group
	stop    context.CancelFunc
	wake    chan struct{} // there is something to store
	trim    chan struct{} // much was stored
	finding chan struct{} // slots of queries
	number  atomic.Uint64

	flushing sync.Mutex
	opening  sync.Mutex
	store    Store
	openErr  error
	shut     bool

	mu      sync.Mutex
	queue   []Event
	floods  floods
	figures Figures
	grown   int64 // bytes stored since the last trim was asked for
	recent  ring
}

// Figures count since the process started.
type Figures struct {
	Recorded map[Class]uint64 // events stored
	Queued   int              // events that wait
	Dropped  uint64           // events lost because too many waited
	Counted  uint64           // refusals that are told in the count of another event
	Failures uint64           // stores of the queue that failed, and are tried again
}

// New makes a Log and begins to store what it is given. The caller closes it.
func New(cfg Config) *Log {
	if cfg.Pause == 0 {
		cfg.Pause = defaultPause
	}
	l := &Log{
		cfg: cfg, work: background.NewGroup(cfg.Log), wake: make(chan struct{}, 1), trim: make(chan struct{}, 1),
		finding: make(chan struct{}, searchers), figures: Figures{Recorded: map[Class]uint64{}},
	}
	l.number.Store(uint64(max(cfg.Now().UnixNano(), 0)))
	l.recent.changed = make(chan struct{})
	var ctx context.Context
	ctx, l.stop = context.WithCancel(context.Background())
	_, _ = l.opened() // a failure is tried again, and told by Condition
	l.work.Go("audit log", func() error { return l.run(ctx) })
	l.work.Go("retention of the audit log", func() error { return l.retain(ctx) })
	return l
}

// Close stores what waits and closes the store.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.stop()
	l.work.Wait()
	l.opening.Lock()
	defer l.opening.Unlock()
	l.shut = true
	if l.store == nil {
		return nil
	}
	return l.store.Close()
}

// Record takes down what happened in a request. It fills in what the request
// tells, does not wait, and loses the event when too many wait, which is counted.
func (l *Log) Record(ctx context.Context, e Event) {
	if l == nil {
		return
	}
	e.Number = l.number.Add(1)
	if e.Time == 0 {
		e.Time = l.cfg.Now().UnixMilli()
	}
	e.from(store.CallerOf(ctx))
	e.cut()
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Class() == Refusals {
		l.enqueue(l.floods.close(e.Time)...)
		if !l.floods.admit(&e) {
			l.figures.Counted++
			return
		}
	}
	l.enqueue(e)
}

// enqueue adds events to the queue. The mutex is held.
func (l *Log) enqueue(events ...Event) {
	if len(events) == 0 {
		return
	}
	room := max(0, maxQueued-len(l.queue))
	l.figures.Dropped += uint64(max(0, len(events)-room))
	l.queue = append(l.queue, events[:min(room, len(events))]...)
	notify(l.wake)
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run stores the queue, with a pause in between so that a flood of events does
// not become a flood of syncs.
func (l *Log) run(ctx context.Context) error {
	tick := time.NewTicker(tickPeriod)
	defer tick.Stop()
	for {
		select {
		case <-l.wake:
		case <-tick.C:
		case <-ctx.Done():
			return l.flushLast()
		}
		_ = l.Flush(ctx) // told by Condition, and tried again
		l.rest(ctx)
	}
}

// rest waits for a pause, or until ctx ends.
func (l *Log) rest(ctx context.Context) {
	pause := time.NewTimer(l.cfg.Pause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
}

// flushLast stores what the end of the process would lose, open counts included.
func (l *Log) flushLast() error {
	l.mu.Lock()
	l.enqueue(l.floods.end()...)
	l.mu.Unlock()
	if err := l.flush(context.Background()); err != nil {
		l.cfg.Log.Error("audit events lost at the end", "events", l.Figures().Queued, "error", err)
	}
	return nil
}

// Flush stores what waits and returns once it is durable.
func (l *Log) Flush(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	l.enqueue(l.floods.close(l.cfg.Now().UnixMilli())...)
	l.mu.Unlock()
	return l.flush(ctx)
}

func (l *Log) flush(ctx context.Context) error {
	l.flushing.Lock()
	defer l.flushing.Unlock()
	l.mu.Lock()
	events := l.queue
	l.queue = nil
	l.mu.Unlock()
	if len(events) == 0 {
		return nil
	}
	err := l.Append(ctx, events)
	if err == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.figures.Failures++
	waiting := append(events, l.queue...)
	l.figures.Dropped += uint64(max(0, len(waiting)-maxQueued))
	l.queue = waiting[:min(len(waiting), maxQueued)]
	return err
}

// Append stores events, all or none, and returns once they are durable.
func (l *Log) Append(ctx context.Context, events []Event) error {
	s, err := l.opened()
	if err != nil {
		return err
	}
	if err := background.Protect(func() error { return s.Append(ctx, events) }); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range events {
		l.figures.Recorded[events[i].Class()]++
		l.grown += int64(len(events[i].Entity) + len(events[i].Reason) + typicalBytes)
	}
	l.recent.add(events)
	if l.cfg.MaxBytes > 0 && l.grown > l.cfg.MaxBytes/64 {
		l.grown = 0
		notify(l.trim)
	}
	return nil
}

// typicalBytes is about what an event takes besides its longest texts.
const typicalBytes = 150

// opened gives the store, which is opened when that has not gone well yet.
func (l *Log) opened() (Store, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.shut {
		return nil, fault.New(fault.Unavailable, "the audit log is closed")
	}
	if l.store != nil {
		return l.store, nil
	}
	s, err := l.cfg.Open()
	if err != nil {
		if l.openErr == nil {
			l.cfg.Log.Error("audit log cannot be opened; events wait in memory", "error", err)
		}
		l.openErr = err
		return nil, err
	}
	l.store, l.openErr = s, nil
	return s, nil
}

// Condition tells how the store is, for health.
func (l *Log) Condition() disk.State {
	if l == nil {
		return disk.State{}
	}
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.store == nil {
		return disk.State{Err: l.openErr}
	}
	return l.store.Condition()
}

// Figures tells what was counted.
func (l *Log) Figures() Figures {
	if l == nil {
		return Figures{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.figures
	f.Queued = len(l.queue)
	f.Recorded = map[Class]uint64{}
	for c, n := range l.figures.Recorded {
		f.Recorded[c] = n
	}
	return f
}

// Sizes tells what the classes take.
func (l *Log) Sizes(ctx context.Context) (map[Class]Size, error) {
	if l == nil {
		return nil, nil
	}
	s, err := l.opened()
	if err != nil {
		return nil, err
	}
	return s.Sizes(ctx)
}

// retain trims the store now and then, and after much was stored.
func (l *Log) retain(ctx context.Context) error {
	tick := time.NewTicker(trimPeriod)
	defer tick.Stop()
	for {
		if err := l.Trim(ctx); err != nil && ctx.Err() == nil {
			l.cfg.Log.ErrorContext(ctx, "audit log not trimmed", "error", err)
		}
		select {
		case <-tick.C:
		case <-l.trim:
		case <-ctx.Done():
			return nil
		}
	}
}

// Trim forgets what is beyond the limits.
func (l *Log) Trim(ctx context.Context) error {
	limits := Limits{MaxBytes: l.cfg.MaxBytes}
	if l.cfg.Keep > 0 {
		limits.Before = max(0, l.cfg.Now().Add(-l.cfg.Keep).UnixMilli())
	}
	s, err := l.opened()
	if err != nil {
		return err
	}
	gone, err := s.Trim(ctx, limits)
	if gone > 0 {
		l.cfg.Log.InfoContext(ctx, "audit log trimmed", "events", gone)
	}
	return err
}

// ErrOff says that there is no audit log.
var ErrOff error = fault.New(fault.Unsupported, "the audit log is off: audit.enabled turns it on")

// Found is a page of events.
type Found struct {
	Events []Event
	Total  int // of the whole query, exact up to the number asked for
}

// Find lists events in the order of their places, those included that were
// recorded a moment ago, and counts up to countTo. Few queries run at a time.
func (l *Log) Find(ctx context.Context, q Query, countTo int) (Found, error) {
	if l == nil {
		return Found{}, ErrOff
	}
	ctx, end, err := idle.Take(ctx, l.finding)
	if err != nil {
		return Found{}, err
	}
	defer end()
	// What cannot be stored now is not found yet; that is told elsewhere.
	if err := l.Flush(ctx); err != nil && ctx.Err() != nil {
		return Found{}, ctx.Err()
	}
	s, err := l.opened()
	if err != nil {
		return Found{}, err
	}
	var out Found
	if out.Events, err = s.Find(ctx, q); err != nil || countTo <= 0 {
		return out, err
	}
	out.Total, err = s.Count(ctx, q, countTo)
	return out, err
}

// from fills in what the request tells, where the event does not say otherwise.
func (e *Event) from(c *store.Caller) {
	if c == nil {
		return
	}
	for _, pair := range []struct {
		to   *string
		text string
	}{{&e.Address, c.Address}, {&e.Agent, c.Agent}, {&e.Source, c.Door}, {&e.Request, c.Request}, {&e.Token, c.Token}} {
		if *pair.to == "" {
			*pair.to = pair.text
		}
	}
}

// cut bounds the texts, which come from outside.
func (e *Event) cut() {
	for _, text := range []*string{
		&e.Aspect, &e.Address, &e.Agent, &e.Source, &e.Request, &e.Trace, &e.Token, &e.Run, &e.Origin, &e.LoginSource, &e.Denial, &e.Reason, &e.Operation, &e.Privileges,
	} {
		*text = shorten(*text, MaxTextBytes)
	}
	e.Actor, e.Entity = urn.URN(shorten(string(e.Actor), MaxURNBytes)), urn.URN(shorten(string(e.Entity), MaxURNBytes))
}

func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// maxRecent is how many events followers can be behind.
const maxRecent = 4096

// ring holds the events stored last, by the order of their arrival, which is not
// that of their times.
type ring struct {
	events  []Event
	upTo    uint64 // number of events that ever arrived
	changed chan struct{}
}

func (r *ring) add(events []Event) {
	r.events = append(r.events, events...)
	r.upTo += uint64(len(events))
	if n := len(r.events); n > 2*maxRecent {
		r.events = slices.Clone(r.events[n-maxRecent:])
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// Arrived is what was stored after a moment.
type Arrived struct {
	Events []Event // in the order of their arrival
	UpTo   uint64  // the moment to go on from
	Missed uint64  // events between that are no longer remembered
}

// Follow waits for events that are stored after a moment, at most until ctx ends,
// and gives none then. 0 is the start of the process. Now gives the moment.
func (l *Log) Follow(ctx context.Context, after uint64) (Arrived, error) {
	if l == nil {
		return Arrived{}, ErrOff
	}
	for {
		l.mu.Lock()
		out, changed := l.recent.since(after), l.recent.changed
		l.mu.Unlock()
		if len(out.Events) > 0 || out.Missed > 0 {
			return out, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return out, nil
			}
			return out, ctx.Err()
		}
	}
}

func (r *ring) since(after uint64) Arrived {
	if after >= r.upTo {
		return Arrived{UpTo: r.upTo}
	}
	first := r.upTo - uint64(len(r.events)) // arrived before those remembered
	out := Arrived{UpTo: r.upTo, Missed: max(first, after) - after}
	out.Events = slices.Clone(r.events[max(first, after)-first:])
	return out
}

// Now is the moment to follow from.
func (l *Log) Now() uint64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recent.upTo
}

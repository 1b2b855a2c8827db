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
	maxQueued    = 10_000                 // events in the queue
	defaultPause = 250 * time.Millisecond // between two writes of the queue
	tickPeriod   = time.Second
	trimPeriod   = time.Hour
	searchers    = 2 // concurrent queries
)

// Config holds the dependencies and settings of a Log.
type Config struct {
	// Open opens the store. While it fails, events are queued and Open is tried again.
	Open func() (Store, error)
	// Keep is the time after which events are deleted, MaxBytes the maximum size of all events; 0
	// means no limit.
	Keep     time.Duration
	MaxBytes int64
	// Ignored are actors whose changes are not recorded.
	Ignored []urn.URN
	Now     func() time.Time
	Log     *slog.Logger
	// Pause is the time between two writes of the queue; 0 means 250 ms.
	Pause time.Duration
}

// Log records and finds events. It is safe for concurrent use. A nil Log records nothing and finds
// nothing.
type Log struct {
	cfg     Config
	work    *background.Group
	stop    context.CancelFunc
	wake    chan struct{} // the queue has events
	trim    chan struct{} // the store has grown
	finding chan struct{} // semaphore of queries
	number  atomic.Uint64

	flushing sync.Mutex
	openMu   sync.Mutex
	store    Store
	openErr  error
	closed   bool

	mu             sync.Mutex
	queue          []Event
	floods         floods
	figures        Figures
	bytesSinceTrim int64 // bytes stored since the last request to trim
	recent         ring
}

// Figures are counters since the start of the process.
type Figures struct {
	Recorded map[Class]uint64 // stored events
	Queued   int              // events in the queue
	Dropped  uint64           // events lost because the queue was full
	Counted  uint64           // refusals included in the count of another event
	Failures uint64           // failed writes of the queue; these are repeated
}

// New returns a Log and starts its goroutines. The caller closes it.
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
	_, _ = l.opened() // Condition reports a failure, and run tries again
	l.work.Go("audit log", func() error { return l.run(ctx) })
	l.work.Go("retention of the audit log", func() error { return l.retain(ctx) })
	return l
}

// Close stores the queued events and closes the store.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.stop()
	l.work.Wait()
	l.openMu.Lock()
	defer l.openMu.Unlock()
	l.closed = true
	if l.store == nil {
		return nil
	}
	return l.store.Close()
}

// Record records an event of a request and fills in the facts of the request from ctx. It does not
// block. If the queue is full, the event is lost and counted.
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

// enqueue adds events to the queue. The caller holds the mutex.
func (l *Log) enqueue(events ...Event) {
	if len(events) == 0 {
		return
	}
	free := max(0, maxQueued-len(l.queue))
	l.figures.Dropped += uint64(max(0, len(events)-free))
	l.queue = append(l.queue, events[:min(free, len(events))]...)
	notify(l.wake)
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run stores the queue, with pauses in between so that many events do not cause many syncs.
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
		_ = l.Flush(ctx) // Condition reports a failure, and the next pass tries again
		l.rest(ctx)
	}
}

// rest waits for Config.Pause, or until ctx ends.
func (l *Log) rest(ctx context.Context) {
	pause := time.NewTimer(l.cfg.Pause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
}

// flushLast stores the queue and the open counts at the end of the process.
func (l *Log) flushLast() error {
	l.mu.Lock()
	l.enqueue(l.floods.end()...)
	l.mu.Unlock()
	if err := l.flush(context.Background()); err != nil {
		l.cfg.Log.Error("audit events lost at the end", "events", l.Figures().Queued, "error", err)
	}
	return nil
}

// Flush stores the queued events and returns when they are durable.
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

// Append stores events, all or none, and returns when they are durable.
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
		l.bytesSinceTrim += int64(len(events[i].Entity) + len(events[i].Reason) + typicalBytes)
	}
	l.recent.add(events)
	if l.cfg.MaxBytes > 0 && l.bytesSinceTrim > l.cfg.MaxBytes/64 {
		l.bytesSinceTrim = 0
		notify(l.trim)
	}
	return nil
}

// typicalBytes is the approximate size of an event without its longest texts.
const typicalBytes = 150

// opened returns the store, and opens it if that has not succeeded before.
func (l *Log) opened() (Store, error) {
	l.openMu.Lock()
	defer l.openMu.Unlock()
	if l.closed {
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

// Condition returns the state of the store, for health.
func (l *Log) Condition() disk.State {
	if l == nil {
		return disk.State{}
	}
	l.openMu.Lock()
	defer l.openMu.Unlock()
	if l.store == nil {
		return disk.State{Err: l.openErr}
	}
	return l.store.Condition()
}

// Figures returns the counters.
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

// Sizes returns the size of each class.
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

// retain trims the store periodically, and after it has grown.
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

// Trim deletes the events beyond the limits.
func (l *Log) Trim(ctx context.Context) error {
	limits := Limits{MaxBytes: l.cfg.MaxBytes}
	if l.cfg.Keep > 0 {
		limits.Before = max(0, l.cfg.Now().Add(-l.cfg.Keep).UnixMilli())
	}
	s, err := l.opened()
	if err != nil {
		return err
	}
	trimmed, err := s.Trim(ctx, limits)
	if trimmed > 0 {
		l.cfg.Log.InfoContext(ctx, "audit log trimmed", "events", trimmed)
	}
	return err
}

// ErrOff is the error of queries without an audit log.
var ErrOff error = fault.New(fault.Unsupported, "the audit log is off: audit.enabled turns it on")

// Found is a page of events.
type Found struct {
	Events []Event
	Total  int // number of events that match the query, exact up to the requested maximum
}

// Find returns events ordered by place, including those just recorded, and counts matches up to
// countTo. At most two queries run at a time; others wait.
func (l *Log) Find(ctx context.Context, q Query, countTo int) (Found, error) {
	if l == nil {
		return Found{}, ErrOff
	}
	ctx, end, err := idle.Take(ctx, l.finding)
	if err != nil {
		return Found{}, err
	}
	defer end()
	// Events that cannot be stored now are missing in the result. Condition reports the failure.
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

// from fills in the facts of the request that the event lacks.
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

// cut limits the texts, which are outside input.
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

// maxRecent is the number of events by which followers can lag behind.
const maxRecent = 4096

// ring holds the last stored events in the order of storage, which is not that of their times.
type ring struct {
	events  []Event
	upTo    uint64 // number of all events since the start
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

// Arrived holds the events stored after a mark.
type Arrived struct {
	Events []Event // in the order of storage
	UpTo   uint64  // the mark for the next call
	Missed uint64  // events in between that are no longer in memory
}

// Follow waits for events stored after a mark, and returns none if the deadline of ctx passes
// first. The mark 0 is the start of the process. Now returns the present mark.
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
	first := r.upTo - uint64(len(r.events)) // stored before those in memory
	out := Arrived{UpTo: r.upTo, Missed: max(first, after) - after}
	out.Events = slices.Clone(r.events[max(first, after)-first:])
	return out
}

// Now returns the present mark for Follow.
func (l *Log) Now() uint64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recent.upTo
}

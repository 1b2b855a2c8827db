package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// taskKey is the attribute of spans that names a task.
const taskKey = "cartulary.task"

// Kind is one sort of work.
type Kind struct {
	// Name never changes, as tasks are stored by it.
	Name string
	// Allow decides whether the actor in the context may have this done. It is asked at Start
	// and whenever a task begins, so that one of somebody who lost the right meanwhile fails.
	// Nil allows everybody.
	Allow func(ctx context.Context, params json.RawMessage) error
	// Run does the work. It returns soon after ctx ends, with any error. It may be called again
	// for the same task, from the checkpoint saved last.
	Run func(ctx context.Context, run *Run) error
}

// Config is what a Manager works with.
type Config struct {
	Store Store
	// MayAct refuses an actor who may not act any more, such as a suspended user. Nil refuses nobody.
	MayAct func(ctx context.Context, actor urn.URN) error
	// Running is how many tasks run at once, Waiting how many more may wait; 2 and 100 when 0.
	Running, Waiting int
	// KeepFor and Keep bound the ended tasks that are remembered, by age and by number; 30 days and 1,000 when 0.
	KeepFor time.Duration
	Keep    int
	// Tracer makes a trace of each run of a task; nil makes none.
	Tracer *tracing.Tracer
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	defaultRunning = 2
	defaultWaiting = 100
	defaultKeepFor = 30 * 24 * time.Hour
	defaultKeep    = 1000
	// maxAttempts is how often a task begins without saving a checkpoint: one that ends the process
	// each time would otherwise keep the service from running.
	maxAttempts = 5
)

// Causes by which the context of a task ends.
var (
	errCancelled = fault.New(fault.Canceled, "the task was cancelled")
	errShutdown  = fault.New(fault.Unavailable, "the service is shutting down; the task goes on at its next start")
)

// Manager runs tasks. It is safe for concurrent use. Make one with New, and let it begin with Begin.
type Manager struct {
	cfg     Config
	kinds   map[string]Kind
	workers *background.Group
	// beginning is how Begin went, until it has succeeded.
	beginning disk.Condition

	mu            sync.Mutex
	wanted, begun bool // Begin was called, and has succeeded
	shut          bool
	live          map[ID]*live // that have not ended, or whose end is not stored yet
	queue         []*live      // in the order in which they begin
	busy          int          // running now
}

// live is a task that this process answers for.
type live struct {
	stop context.CancelCauseFunc
	ctx  context.Context
	over chan struct{} // closed when this process has finished with the task

	mu   sync.Mutex
	task Task
	lost bool // the end could not be stored
}

func (l *live) get() Task {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.task
}

// New makes a Manager that knows no kinds. Tasks of registered ones can be started at once, and run from Begin on.
func New(cfg Config) *Manager {
	cfg.Running, cfg.Waiting = or(cfg.Running, defaultRunning), or(cfg.Waiting, defaultWaiting)
	cfg.KeepFor, cfg.Keep = or(cfg.KeepFor, defaultKeepFor), or(cfg.Keep, defaultKeep)
	return &Manager{cfg: cfg, kinds: map[string]Kind{}, live: map[ID]*live{}, workers: background.NewGroup(cfg.Log)}
}

// Register makes kinds known. All of them are registered before Begin, as tasks of an unknown one fail.
func (m *Manager) Register(kinds ...Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range kinds {
		m.kinds[k.Name] = k
	}
}

func (m *Manager) kind(name string) (Kind, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.kinds[name]
	return k, ok
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// Begin takes up the tasks that a former process left, the oldest first, and lets tasks run.
// After an error Probe tries again.
func (m *Manager) Begin(ctx context.Context) error {
	m.mu.Lock()
	m.wanted = true
	m.mu.Unlock()
	err := m.takeUp(ctx)
	m.beginning.Note(err)
	return err
}

// takeUp is Begin.
func (m *Manager) takeUp(ctx context.Context) error {
	if err := m.trim(ctx); err != nil {
		return err
	}
	var left []ID
	for _, state := range []State{Queued, Running} {
		for start := 0; ; start += MaxCount {
			page, total, err := m.cfg.Store.List(ctx, Query{States: []State{state}, Start: start, Count: MaxCount})
			if err != nil {
				return err
			}
			for i := range page {
				left = append(left, page[i].ID)
			}
			if start+len(page) >= total || len(page) == 0 {
				break
			}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// Lists are newest first, and what runs has begun before what waits.
	for i := len(left) - 1; i >= 0; i-- {
		if m.live[left[i]] != nil {
			continue
		}
		t, err := m.cfg.Store.Get(ctx, left[i])
		if err != nil {
			return err
		}
		m.cfg.Log.InfoContext(ctx, "task goes on after a restart", "task", t.ID, "kind", t.Kind, "done", t.Progress.Done, "total", t.Progress.Total)
		m.enqueue(t)
	}
	m.begun = true
	m.dispatch()
	return nil
}

// enqueue adds a stored task to the queue. The caller holds the mutex.
func (m *Manager) enqueue(t Task) {
	l := &live{task: t, over: make(chan struct{})}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	if t.CancelRequested {
		l.stop(errCancelled)
	}
	m.live[t.ID] = l
	m.queue = append(m.queue, l)
}

// dispatch lets the first tasks of the queue run. The caller holds the mutex.
func (m *Manager) dispatch() {
	for m.begun && !m.shut && m.busy < m.cfg.Running && len(m.queue) > 0 {
		l := m.queue[0]
		m.queue = m.queue[1:]
		m.busy++
		m.workers.Go("task "+string(l.get().ID), func() error {
			m.work(l)
			return nil
		})
	}
}

// Start makes a task of a kind for the actor in the context, and returns once it is stored.
// Params are encoded as JSON. A key keeps a second task with the same one from being started
// before this one has ended: that is fault.Conflict and names the task. An actor who may not
// is refused by the kind's Allow. Too many waiting tasks are fault.Unavailable.
func (m *Manager) Start(ctx context.Context, kind string, params any, key string) (t Task, err error) {
	ctx, span := tracing.Start(ctx, "start a task")
	defer func() {
		span.Word(taskKey, string(t.ID))
		span.End(err)
	}()
	t, err = m.prepare(ctx, kind, params, key)
	if err != nil {
		return Task{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shut {
		return Task{}, errShutdown
	}
	if len(m.queue) >= m.cfg.Waiting {
		return Task{}, fault.New(fault.Unavailable, "%d tasks are waiting already, which is the most; wait until some have ended, or cancel them", len(m.queue))
	}
	if t.ID, err = m.cfg.Store.Add(ctx, t); err != nil {
		return Task{}, err
	}
	m.enqueue(t)
	m.dispatch()
	m.cfg.Log.InfoContext(ctx, "task started", "task", t.ID, "kind", kind, "actor", t.Actor.URN)
	return t, nil
}

func (m *Manager) prepare(ctx context.Context, kind string, params any, key string) (t Task, err error) {
	k, ok := m.kind(kind)
	if !ok {
		return t, fault.New(fault.Invalid, "kind: there are no tasks of the kind %.40q", kind)
	}
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return t, fault.New(fault.Unauthenticated, "who starts the task is not known")
	}
	if len(key) > MaxKey {
		return t, fault.New(fault.Invalid, "key: has %d bytes, at most %d are possible", len(key), MaxKey)
	}
	t = Task{
		Kind: kind, Key: key, State: Queued, Created: m.cfg.Now().UnixMilli(),
		Actor: Actor{URN: actor.URN, System: actor.System, Scope: actor.Scope},
	}
	if t.Params, err = encode("parameters", params, MaxParams); err != nil {
		return t, err
	}
	return t, k.allow(ctx, t.Params)
}

func (k Kind) allow(ctx context.Context, params json.RawMessage) error {
	if k.Allow == nil {
		return nil
	}
	return k.Allow(ctx, params)
}

// Get tells about one task. One that is not there is fault.NotFound, an id of another form fault.Malformed.
func (m *Manager) Get(ctx context.Context, id ID) (Task, error) {
	if _, _, err := id.Parse(); err != nil {
		return Task{}, err
	}
	if l := m.find(id); l != nil && l.get().State.Ended() {
		return l.get(), nil // its end is not stored yet
	}
	return m.cfg.Store.Get(ctx, id)
}

// List gives a page of tasks, newest first, and tells how many the query selects.
func (m *Manager) List(ctx context.Context, q Query) ([]Task, int, error) {
	if err := q.Check(); err != nil {
		return nil, 0, err
	}
	return m.cfg.Store.List(ctx, q)
}

func (m *Manager) find(id ID) *live {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live[id]
}

// Cancel asks a task to stop, durably, and tells how it is then: a waiting one has ended, a
// running one ends soon, which Wait waits for. Cancelling a task that has ended changes nothing.
func (m *Manager) Cancel(ctx context.Context, id ID) (Task, error) {
	t, err := m.Get(ctx, id)
	if err != nil || t.State.Ended() {
		return t, err
	}
	l := m.find(id)
	if l == nil {
		return m.Get(ctx, id) // it ended meanwhile
	}
	if err := m.requestCancel(ctx, l); err != nil {
		return Task{}, err
	}
	if m.dequeue(l) {
		m.finish(l, errCancelled)
		m.forget(l, false)
	}
	return m.Get(ctx, id)
}

func (m *Manager) requestCancel(ctx context.Context, l *live) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.task.State.Ended() {
		return nil
	}
	next := l.task
	next.CancelRequested = true
	if err := m.cfg.Store.Put(ctx, next); err != nil {
		return err
	}
	l.task = next
	l.stop(errCancelled)
	return nil
}

// dequeue takes a task out of the queue, and tells whether it was there.
func (m *Manager) dequeue(l *live) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, waiting := range m.queue {
		if waiting == l {
			m.queue = append(m.queue[:i:i], m.queue[i+1:]...)
			return true
		}
	}
	return false
}

// Wait returns when a task has ended and tells how. When the service shuts down before that it is fault.Unavailable.
func (m *Manager) Wait(ctx context.Context, id ID) (Task, error) {
	if l := m.find(id); l != nil {
		end := idle.Begin(ctx)
		select {
		case <-l.over:
		case <-ctx.Done():
			return Task{}, ctx.Err()
		}
		end()
		if t := l.get(); !t.State.Ended() {
			return Task{}, errShutdown
		}
	}
	return m.Get(ctx, id)
}

// Condition tells how the last write of the store went, and why no task runs when Begin
// failed.
func (m *Manager) Condition() disk.State { return m.cfg.Store.Condition().Or(m.beginning.State()) }

// Probe writes something of no consequence, and what could not be stored before, to learn
// whether there is room again. It begins when Begin could not.
func (m *Manager) Probe(ctx context.Context) error {
	if err := m.cfg.Store.Probe(ctx); err != nil {
		return err
	}
	m.storeLost()
	m.mu.Lock()
	begun := m.begun || !m.wanted
	m.mu.Unlock()
	if begun {
		return nil
	}
	return m.Begin(ctx)
}

// Close stops what runs and waits for it. Tasks that have not ended go on at the next start.
// Closing twice is fine.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.shut = true
	for _, l := range m.live {
		l.stop(errShutdown)
	}
	waiting := m.queue
	m.queue = nil
	m.mu.Unlock()
	m.workers.Wait()
	for _, l := range waiting {
		m.forget(l, false)
	}
	m.storeLost()
	return m.cfg.Store.Close()
}

// work runs one task, then the next of the queue.
func (m *Manager) work(l *live) {
	defer m.forget(l, true)
	err := m.begin(l)
	if err == nil {
		err = background.Protect(func() error { return m.run(l) })
	}
	m.finish(l, err)
	if err := m.trim(context.Background()); err != nil {
		m.cfg.Log.Warn("ended tasks were not trimmed", "error", err)
	}
	m.storeLost()
}

// begin notes durably that the task begins.
func (m *Manager) begin(l *live) error {
	if err := context.Cause(l.ctx); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.task.Attempts >= maxAttempts {
		return fault.New(fault.Unavailable, "the service ended %d times while the task was running, without progress; look for the reason before starting it again", maxAttempts)
	}
	next := l.task
	next.State = Running
	next.Attempts++
	if next.Started == 0 {
		next.Started = m.cfg.Now().UnixMilli()
	}
	if err := m.cfg.Store.Put(l.ctx, next); err != nil {
		return err
	}
	l.task = next
	return nil
}

func (m *Manager) run(l *live) (err error) {
	t := l.get()
	k, ok := m.kind(t.Kind)
	if !ok {
		return fault.New(fault.Unsupported, "this version of the service knows no tasks of the kind %s", t.Kind)
	}
	// It outlives the request that started it, which names the task in its own trace.
	ctx, span := m.cfg.Tracer.Root(l.ctx, "task "+t.Kind)
	defer func() { span.End(err) }()
	span.Word(taskKey, string(t.ID))
	span.Count("cartulary.attempt", t.Attempts)
	ctx = auth.WithActor(ctx, auth.Actor{URN: t.Actor.URN, System: t.Actor.System, Scope: t.Actor.Scope})
	if m.cfg.MayAct != nil && !t.Actor.System {
		if err := m.cfg.MayAct(ctx, t.Actor.URN); err != nil {
			return err
		}
	}
	if err := k.allow(ctx, t.Params); err != nil {
		return err
	}
	return k.Run(ctx, &Run{manager: m, live: l})
}

// finish notes how a task ended. One that a shutdown has stopped has not ended.
func (m *Manager) finish(l *live, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	cause := context.Cause(l.ctx)
	switch {
	case err == nil:
		l.task.State = Succeeded
	case l.task.CancelRequested:
		l.task.State = Cancelled
	case errors.Is(cause, errShutdown):
		l.task.Attempts = 0
		m.logged(m.cfg.Store.Put(context.Background(), l.task), &l.task)
		return
	default:
		l.task.State = Failed
		l.task.Error, l.task.Fault = cut(fault.Message(err), maxError), fault.KindOf(err).Error()
	}
	l.task.Ended, l.task.Checkpoint = m.cfg.Now().UnixMilli(), nil
	args := []any{"task", l.task.ID, "kind", l.task.Kind, "state", l.task.State, "done", l.task.Progress.Done, "total", l.task.Progress.Total}
	if l.task.State == Failed {
		m.cfg.Log.Error("task failed", append(args, "error", err)...)
	} else {
		m.cfg.Log.Info("task ended", args...)
	}
	err = m.cfg.Store.Put(context.Background(), l.task)
	l.lost = err != nil && !errors.Is(err, fault.NotFound) // as when a damaged store was replaced
	m.logged(err, &l.task)
}

func (m *Manager) logged(err error, t *Task) {
	if err != nil {
		m.cfg.Log.Error("what is known of a task was not stored", "task", t.ID, "error", err)
	}
}

// forget ends the responsibility of the process for a task, unless its end is not stored yet,
// and lets the next one run.
func (m *Manager) forget(l *live, ran bool) {
	l.stop(nil)
	l.mu.Lock()
	id, lost := l.task.ID, l.lost
	l.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if ran {
		m.busy--
	}
	if !lost {
		delete(m.live, id)
	}
	close(l.over)
	m.dispatch()
}

// storeLost tries again to store ends that could not be, as when the disk was full.
func (m *Manager) storeLost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, l := range m.live {
		l.mu.Lock()
		if l.lost && m.cfg.Store.Put(context.Background(), l.task) == nil {
			l.lost = false
			delete(m.live, id)
		}
		l.mu.Unlock()
	}
}

func (m *Manager) trim(ctx context.Context) error {
	_, err := m.cfg.Store.Trim(ctx, m.cfg.Now().Add(-m.cfg.KeepFor).UnixMilli(), m.cfg.Keep)
	return err
}

// Run is a task to the kind that does its work. It belongs to the goroutine that got it.
type Run struct {
	manager *Manager
	live    *live
}

// ID is that of the task.
func (r *Run) ID() ID { return r.live.get().ID }

// Actor is whom the task acts for, who is also the actor of its context.
func (r *Run) Actor() Actor { return r.live.get().Actor }

// Progress is what was saved last.
func (r *Run) Progress() Progress { return r.live.get().Progress }

// Started is when it began first, in epoch milliseconds.
func (r *Run) Started() int64 { return r.live.get().Started }

// Params decodes the parameters.
func (r *Run) Params(into any) error {
	if err := json.Unmarshal(r.live.get().Params, into); err != nil {
		return fmt.Errorf("read the parameters of the task: %w", err)
	}
	return nil
}

// Checkpoint decodes the checkpoint that was saved last, and tells whether there is one.
func (r *Run) Checkpoint(into any) (bool, error) {
	saved := r.live.get().Checkpoint
	if saved == nil {
		return false, nil
	}
	if err := json.Unmarshal(saved, into); err != nil {
		return false, fmt.Errorf("read the checkpoint of the task: %w", err)
	}
	return true, nil
}

// SetResult sets what the task answers, encoded as JSON. It is stored with the next Save, or at the end.
func (r *Run) SetResult(value any) error {
	text, err := encode("result", value, MaxResult)
	if err != nil {
		return err
	}
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	r.live.task.Result = text
	return nil
}

// Save stores how far the task is, durably. After a restart it goes on from the checkpoint, which
// is encoded as JSON; nil keeps the one before. It returns an error when the task is to stop, with
// which Run should return; what was handed to it is stored all the same.
func (r *Run) Save(ctx context.Context, p Progress, checkpoint any) error {
	text, err := encode("checkpoint", checkpoint, MaxCheckpoint)
	if err != nil {
		return err
	}
	if err := r.live.save(ctx, r.manager, p, text); err != nil {
		return err
	}
	return context.Cause(r.live.ctx)
}

func (l *live) save(ctx context.Context, m *Manager, p Progress, checkpoint json.RawMessage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.task
	next.Progress, next.Saved, next.Attempts = p.cut(), m.cfg.Now().UnixMilli(), 0
	if checkpoint != nil {
		next.Checkpoint = checkpoint
	}
	if err := m.cfg.Store.Put(context.WithoutCancel(ctx), next); err != nil {
		return err
	}
	l.task = next
	return nil
}

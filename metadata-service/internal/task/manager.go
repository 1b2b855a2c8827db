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

// taskKey is the span attribute with the id of a task.
const taskKey = "cartulary.task"

// Kind defines one kind of tasks.
type Kind struct {
	// Name must never change, since stored tasks refer to it.
	Name string
	// Allow decides whether the actor in the context may run a task with the parameters. It is
	// called by Start and whenever a task begins, so that a task fails if its actor has lost the
	// privilege in the meantime. Nil allows all actors.
	Allow func(ctx context.Context, params json.RawMessage) error
	// Run executes the task. It must return soon after ctx ends, with any error. It may be called
	// again for the same task, from the last saved checkpoint.
	Run func(ctx context.Context, run *Run) error
}

// Config holds the dependencies and settings of a Manager.
type Config struct {
	Store Store
	// MayAct refuses an actor that may no longer act, such as a suspended user. Nil refuses none.
	MayAct func(ctx context.Context, actor urn.URN) error
	// Running is the maximum number of running tasks, Waiting that of waiting tasks; 2 and 100 if
	// 0.
	Running, Waiting int
	// KeepFor and Keep limit the age and number of stored ended tasks; 30 days and 1,000 if 0.
	KeepFor time.Duration
	Keep    int
	// Tracer creates a trace of each run of a task; nil creates none.
	Tracer *tracing.Tracer
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	defaultRunning = 2
	defaultWaiting = 100
	defaultKeepFor = 30 * 24 * time.Hour
	defaultKeep    = 1000
	// maxAttempts is the maximum number of attempts without a saved checkpoint. Otherwise a task
	// that crashes the process each time would keep the service from running.
	maxAttempts = 5
)

// Causes for the end of a task's context.
var (
	errCancelled = fault.New(fault.Canceled, "the task was cancelled")
	errShutdown  = fault.New(fault.Unavailable, "the service is shutting down; the task goes on at its next start")
)

// Manager runs tasks. It is safe for concurrent use. Create it with New, and start it with Begin.
type Manager struct {
	cfg     Config
	kinds   map[string]Kind
	workers *background.Group
	// beginCondition is the result of Begin until it has succeeded.
	beginCondition disk.Condition

	mu                          sync.Mutex
	beginCalled, beginSucceeded bool // Begin was called; Begin has succeeded
	isShutDown                  bool
	live                        map[ID]*liveTask // tasks that have not ended, or with an end that is not stored yet
	queue                       []*liveTask      // in the order of execution
	running                     int              // number of running tasks
}

// liveTask is a task for which this process is responsible.
type liveTask struct {
	stop  context.CancelCauseFunc
	ctx   context.Context
	ended chan struct{} // closed when this process has finished with the task

	mu         sync.Mutex
	task       Task
	endUnsaved bool // the end could not be stored
}

func (l *liveTask) get() Task {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.task
}

// New returns a Manager without kinds. Tasks of registered kinds can be started at once, and run
// after Begin.
func New(cfg Config) *Manager {
	cfg.Running, cfg.Waiting = orDefault(cfg.Running, defaultRunning), orDefault(cfg.Waiting, defaultWaiting)
	cfg.KeepFor, cfg.Keep = orDefault(cfg.KeepFor, defaultKeepFor), orDefault(cfg.Keep, defaultKeep)
	return &Manager{cfg: cfg, kinds: map[string]Kind{}, live: map[ID]*liveTask{}, workers: background.NewGroup(cfg.Log)}
}

// Register adds kinds. Call it for all kinds before Begin, since tasks of unknown kinds fail.
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

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// Begin resumes the tasks of a previous process, oldest first, and starts execution. After an error
// Probe tries again.
func (m *Manager) Begin(ctx context.Context) error {
	m.mu.Lock()
	m.beginCalled = true
	m.mu.Unlock()
	err := m.resume(ctx)
	m.beginCondition.Note(err)
	return err
}

// resume implements Begin.
func (m *Manager) resume(ctx context.Context) error {
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
	// Lists are newest first, and running tasks have begun before waiting ones.
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
	m.beginSucceeded = true
	m.dispatch()
	return nil
}

// enqueue adds a stored task to the queue. The caller holds the mutex.
func (m *Manager) enqueue(t Task) {
	l := &liveTask{task: t, ended: make(chan struct{})}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	if t.CancelRequested {
		l.stop(errCancelled)
	}
	m.live[t.ID] = l
	m.queue = append(m.queue, l)
}

// dispatch starts the first tasks of the queue. The caller holds the mutex.
func (m *Manager) dispatch() {
	for m.beginSucceeded && !m.isShutDown && m.running < m.cfg.Running && len(m.queue) > 0 {
		l := m.queue[0]
		m.queue = m.queue[1:]
		m.running++
		m.workers.Go("task "+string(l.get().ID), func() error {
			m.work(l)
			return nil
		})
	}
}

// Start creates a task of a kind for the actor in the context, and returns once it is stored.
// params is encoded as JSON. While a task with a key has not ended, starting another one with the
// same key is fault.Conflict and names the first. Allow of the kind refuses actors without the
// privilege. Too many waiting tasks are fault.Unavailable.
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
	if m.isShutDown {
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
		return t, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
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

// Get returns one task. An absent task is fault.NotFound, an invalid id fault.Malformed.
func (m *Manager) Get(ctx context.Context, id ID) (Task, error) {
	if _, _, err := id.Parse(); err != nil {
		return Task{}, err
	}
	if l := m.find(id); l != nil && l.get().State.Ended() {
		return l.get(), nil // its end is not stored yet
	}
	return m.cfg.Store.Get(ctx, id)
}

// List returns a page of tasks, newest first, and the number of all tasks that the query selects.
func (m *Manager) List(ctx context.Context, q Query) ([]Task, int, error) {
	if err := q.Check(); err != nil {
		return nil, 0, err
	}
	return m.cfg.Store.List(ctx, q)
}

func (m *Manager) find(id ID) *liveTask {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live[id]
}

// Cancel requests the cancellation of a task, durably, and returns its state: a waiting task has
// ended, a running task ends soon, which Wait waits for. Cancelling an ended task changes nothing.
func (m *Manager) Cancel(ctx context.Context, id ID) (Task, error) {
	t, err := m.Get(ctx, id)
	if err != nil || t.State.Ended() {
		return t, err
	}
	l := m.find(id)
	if l == nil {
		return m.Get(ctx, id) // it has ended in the meantime
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

func (m *Manager) requestCancel(ctx context.Context, l *liveTask) error {
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

// dequeue removes a task from the queue, and reports whether it was there.
func (m *Manager) dequeue(l *liveTask) bool {
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

// Wait returns a task when it has ended. If the service shuts down before that, the error is
// fault.Unavailable.
func (m *Manager) Wait(ctx context.Context, id ID) (Task, error) {
	if l := m.find(id); l != nil {
		end := idle.Begin(ctx)
		select {
		case <-l.ended:
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

// Condition returns the result of the last write of the store, or the failure of Begin, after which
// no task runs.
func (m *Manager) Condition() disk.State { return m.cfg.Store.Condition().Or(m.beginCondition.State()) }

// Probe makes a test write, and repeats failed writes, to find out whether storage is available
// again. It also repeats a failed Begin.
func (m *Manager) Probe(ctx context.Context) error {
	if err := m.cfg.Store.Probe(ctx); err != nil {
		return err
	}
	m.storeLost()
	m.mu.Lock()
	begun := m.beginSucceeded || !m.beginCalled
	m.mu.Unlock()
	if begun {
		return nil
	}
	return m.Begin(ctx)
}

// Close stops the running tasks and waits for them. Tasks that have not ended continue at the next
// start. Calling it twice is allowed.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.isShutDown = true
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

// work runs one task, and then lets the next one of the queue run.
func (m *Manager) work(l *liveTask) {
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

// begin stores durably that the task begins.
func (m *Manager) begin(l *liveTask) error {
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

func (m *Manager) run(l *liveTask) (err error) {
	t := l.get()
	k, ok := m.kind(t.Kind)
	if !ok {
		return fault.New(fault.Unsupported, "this version of the service knows no tasks of the kind %s", t.Kind)
	}
	// The trace outlives the request that started the task. The trace of that request names the
	// task.
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

// finish stores the end of a task. A task that a shutdown has stopped has not ended.
func (m *Manager) finish(l *liveTask, err error) {
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
		m.logFailure(m.cfg.Store.Put(context.Background(), l.task), &l.task)
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
	l.endUnsaved = err != nil && !errors.Is(err, fault.NotFound) // for example after a damaged store was replaced
	m.logFailure(err, &l.task)
}

func (m *Manager) logFailure(err error, t *Task) {
	if err != nil {
		m.cfg.Log.Error("the state of a task was not stored", "task", t.ID, "error", err)
	}
}

// forget ends the responsibility of the process for a task, unless its end is not stored yet, and
// lets the next one run.
func (m *Manager) forget(l *liveTask, ran bool) {
	l.stop(nil)
	l.mu.Lock()
	id, lost := l.task.ID, l.endUnsaved
	l.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if ran {
		m.running--
	}
	if !lost {
		delete(m.live, id)
	}
	close(l.ended)
	m.dispatch()
}

// storeLost repeats failed writes of ends, for example after the disk was full.
func (m *Manager) storeLost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, l := range m.live {
		l.mu.Lock()
		if l.endUnsaved && m.cfg.Store.Put(context.Background(), l.task) == nil {
			l.endUnsaved = false
			delete(m.live, id)
		}
		l.mu.Unlock()
	}
}

func (m *Manager) trim(ctx context.Context) error {
	_, err := m.cfg.Store.Trim(ctx, m.cfg.Now().Add(-m.cfg.KeepFor).UnixMilli(), m.cfg.Keep)
	return err
}

// Run is the interface of a running task to its kind. Only the goroutine that got it may use it.
type Run struct {
	manager *Manager
	live    *liveTask
}

// ID returns the id of the task.
func (r *Run) ID() ID { return r.live.get().ID }

// Actor returns the actor of the task, which is also the actor of its context.
func (r *Run) Actor() Actor { return r.live.get().Actor }

// Progress returns the last saved progress.
func (r *Run) Progress() Progress { return r.live.get().Progress }

// Started returns the time of the first begin in epoch milliseconds.
func (r *Run) Started() int64 { return r.live.get().Started }

// Params decodes the parameters.
func (r *Run) Params(into any) error {
	if err := json.Unmarshal(r.live.get().Params, into); err != nil {
		return fmt.Errorf("read the parameters of the task: %w", err)
	}
	return nil
}

// Checkpoint decodes the last saved checkpoint, and reports whether there is one.
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

// SetResult sets the result of the task, encoded as JSON. It is stored with the next Save, or at
// the end.
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

// Save stores the progress of the task durably. After a restart the task continues from the
// checkpoint, which is encoded as JSON; nil keeps the previous one. If the task is to stop, Save
// returns an error, with which Run should return; the progress and checkpoint are stored
// nevertheless.
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

func (l *liveTask) save(ctx context.Context, m *Manager, p Progress, checkpoint json.RawMessage) error {
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

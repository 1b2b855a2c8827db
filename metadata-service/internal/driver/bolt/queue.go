package bolt

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// request is one Update on its way through the writer.
type request struct {
	fn    func(*tx) error
	state atomic.Int32 // requestQueued, then one of the others for good

	// Written by the writer before done is closed.
	commit store.Commit
	err    error
	done   chan struct{}
}

const (
	requestQueued    = iota
	requestTaken     // by the writer: it will be answered
	requestAbandoned // by its caller, whose context ended first
)

// queue hands requests to the writer in the order of their arrival.
type queue struct {
	mu      sync.Mutex
	waiting []*request
	closed  bool
	wake    chan struct{} // holds a token when there is something to look at
	drained chan struct{} // closed when the writer has ended
}

func (q *queue) init() {
	q.wake, q.drained = make(chan struct{}, 1), make(chan struct{})
}

func (q *queue) push(r *request) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return closedError()
	}
	q.waiting = append(q.waiting, r)
	q.ring()
	return nil
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ring()
}

func (q *queue) ring() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take gives the next request whose caller still waits, nil when there is none.
func (q *queue) take() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 {
		next := q.waiting[0]
		q.waiting[0] = nil
		if q.waiting = q.waiting[1:]; len(q.waiting) == 0 {
			q.waiting = nil
		}
		if next.state.CompareAndSwap(requestQueued, requestTaken) {
			return next
		}
	}
	return nil
}

// wait blocks until there is a request; nil means that the queue is closed and empty.
func (q *queue) wait() *request {
	for {
		if next := q.take(); next != nil {
			return next
		}
		q.mu.Lock()
		ended := q.closed && len(q.waiting) == 0
		q.mu.Unlock()
		if ended {
			return nil
		}
		<-q.wake
	}
}

// Update implements store.Writer. It must not be called from within fn.
func (s *Store) Update(ctx context.Context, fn func(tx store.Tx) error) (store.Commit, error) {
	origin, caller := store.OriginOf(ctx), store.CallerOf(ctx)
	return s.submit(ctx, func(tx *tx) error {
		tx.origin, tx.caller = origin, caller
		return fn(tx)
	})
}

func (s *Store) submit(ctx context.Context, fn func(*tx) error) (store.Commit, error) {
	if err := ctx.Err(); err != nil {
		return store.Commit{}, err
	}
	r := &request{fn: fn, done: make(chan struct{})}
	if err := s.queue.push(r); err != nil {
		return store.Commit{}, err
	}
	defer idle.Begin(ctx)()
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.state.CompareAndSwap(requestQueued, requestAbandoned) {
			return store.Commit{}, ctx.Err()
		}
		<-r.done
	}
	return r.commit, r.err
}

package bolt

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// request is one Update on its way through the writer.
type request struct {
	fn    func(*tx) error
	size  int          // in bytes, as announced by store.WithSize
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

// isLarge reports whether a request belongs into the lane of large updates.
func (r *request) isLarge() bool { return r.size > smallUpdate }

// smallUpdate is up to how many announced bytes an update is small.
const smallUpdate = 256 << 10

// queue hands requests to the writer: small updates in the order of their arrival, and large
// ones in theirs.
type queue struct {
	mu           sync.Mutex
	small, large lane
	closed       bool
	wake         chan struct{} // holds a token when there is something to look at
	drained      chan struct{} // closed when the writer has ended
}

// lane is requests in the order of their arrival.
type lane struct{ waiting []*request }

func (q *queue) init() {
	q.wake, q.drained = make(chan struct{}, 1), make(chan struct{})
}

func (q *queue) push(r *request) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return closedError()
	}
	if r.isLarge() {
		q.large.waiting = append(q.large.waiting, r)
	} else {
		q.small.waiting = append(q.small.waiting, r)
	}
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

// takeSmall gives the next small request whose caller still waits, nil when there is none.
func (q *queue) takeSmall() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.small.take()
}

// takeLarge is takeSmall for large requests, and gives nil when the next one is larger than room.
func (q *queue) takeLarge(room int) *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.large.skipAbandoned(); len(q.large.waiting) == 0 || q.large.waiting[0].size > room {
		return nil
	}
	return q.large.take()
}

// take gives a request to open a group with, nil when there is none.
func (q *queue) take(preferLarge bool) *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	first, second := &q.small, &q.large
	if preferLarge {
		first, second = second, first
	}
	if r := first.take(); r != nil {
		return r
	}
	return second.take()
}

// skipAbandoned drops requests at the front of a lane whose callers have left.
func (l *lane) skipAbandoned() {
	for len(l.waiting) > 0 && l.waiting[0].state.Load() == requestAbandoned {
		l.drop()
	}
}

// take gives the next request whose caller still waits, nil when there is none.
func (l *lane) take() *request {
	for len(l.waiting) > 0 {
		next := l.waiting[0]
		l.drop()
		if next.state.CompareAndSwap(requestQueued, requestTaken) {
			return next
		}
	}
	return nil
}

// drop removes the first request of a lane.
func (l *lane) drop() {
	l.waiting[0] = nil
	if l.waiting = l.waiting[1:]; len(l.waiting) == 0 {
		l.waiting = nil
	}
}

// hasSmall reports whether small requests are waiting.
func (q *queue) hasSmall() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.small.waiting) > 0
}

// wait blocks until there is a request to open a group with; nil means that the queue is closed
// and empty. Where both lanes have requests it is a large one if preferLarge is set. Large requests are left waiting
// until a time, unless the queue is closed.
func (q *queue) wait(preferLarge bool, smallUntil time.Time) *request {
	for {
		q.mu.Lock()
		closed, empty := q.closed, len(q.small.waiting)+len(q.large.waiting) == 0
		q.mu.Unlock()
		rest := time.Until(smallUntil)
		if closed || rest <= 0 {
			if next := q.take(preferLarge); next != nil {
				return next
			}
			if closed && empty {
				return nil
			}
			<-q.wake
			continue
		}
		if next := q.takeSmall(); next != nil {
			return next
		}
		timer := time.NewTimer(rest)
		select {
		case <-q.wake:
		case <-timer.C:
		}
		timer.Stop()
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
	r := &request{fn: fn, size: store.SizeOf(ctx), done: make(chan struct{})}
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

package bolt

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// request is one Update in the queue of the writer.
type request struct {
	fn    func(*tx) error
	size  int          // in bytes, as announced by store.WithSize
	state atomic.Int32 // requestQueued, then finally one of the other two states

	// Written by the writer before done is closed.
	commit store.Commit
	err    error
	done   chan struct{}
}

const (
	requestQueued    = iota
	requestTaken     // taken by the writer, which will answer it
	requestAbandoned // abandoned by its caller, whose context ended first
)

// isLarge reports whether a request belongs in the lane of large updates.
func (r *request) isLarge() bool { return r.size > smallUpdate }

// smallUpdate is the greatest number of announced bytes of a small update.
const smallUpdate = 256 << 10

// queue passes requests to the writer. Each of its two lanes keeps the order of arrival.
type queue struct {
	mu           sync.Mutex
	small, large lane
	closed       bool
	wake         chan struct{} // holds a token when the writer should check the queue
	drained      chan struct{} // closed when the writer has ended
}

// lane holds requests in the order of their arrival.
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

// takeSmall returns the next small request whose caller still waits, or nil.
func (q *queue) takeSmall() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.small.take()
}

// takeLarge returns the next large request, or nil when there is none or the next one is larger
// than room.
func (q *queue) takeLarge(room int) *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.large.skipAbandoned(); len(q.large.waiting) == 0 || q.large.waiting[0].size > room {
		return nil
	}
	return q.large.take()
}

// take returns a request that opens a group, or nil.
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

// skipAbandoned drops abandoned requests at the front of a lane.
func (l *lane) skipAbandoned() {
	for len(l.waiting) > 0 && l.waiting[0].state.Load() == requestAbandoned {
		l.drop()
	}
}

// take returns the next request whose caller still waits, or nil.
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

// wait blocks until a request can open a group and returns it; nil means that the queue is closed
// and empty. When both lanes have requests, preferLarge selects the large one. Large requests wait
// until smallUntil, unless the queue is closed.
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

package event

import (
	"context"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// notedChanges is how many notices wait for one subscriber. What comes on top is not
	// kept: the subscriber is told to read again instead.
	notedChanges = 256
	// mostBehind is how many entries the reader of the log catches up with. Beyond that, as
	// in a bulk ingestion, everybody is told to read again, which costs less than each change.
	mostBehind = 4000
)

// hub fans out notices to subscribers. It reads the change log once for all of them,
// and only while there is one.
type hub struct {
	service *Service

	mu          sync.Mutex
	subscribers map[*Subscription]struct{}
	reader      *logReader // nil without subscribers
}

// logReader is the goroutine that reads the log.
type logReader struct {
	at   uint64 // sequence up to which entries were fanned out; guarded by the hub
	stop context.CancelFunc
	done chan struct{}
}

// Subscription is one subscriber of notices. Its methods are called by one goroutine.
type Subscription struct {
	hub  *hub
	wake chan struct{} // holds one while there is something to take

	mu sync.Mutex
	// Two lists of a fixed size take turns, so that a subscriber takes its memory when it
	// comes and no more after that.
	waiting, taken []*Notice
	lost           bool // waiting did not suffice
	at             uint64
	err            error // why no more will come
}

// Batch is what a subscriber has to be told. It is good until the next call of Next.
type Batch struct {
	// Reset tells that there were more changes than are kept, and that none of them is told:
	// what was read earlier is to be read again.
	Reset   bool
	Notices []*Notice // in the order of the log
	// At is the sequence of the log up to which the subscriber has been told, for Missed.
	At uint64
}

// Subscribe begins to collect notices for a subscriber, from the end of the log on. Close
// it. The context matters for this call alone.
func (s *Service) Subscribe(ctx context.Context) (*Subscription, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &s.hub
	sub := &Subscription{
		hub: h, wake: make(chan struct{}, 1), waiting: make([]*Notice, 0, notedChanges), taken: make([]*Notice, 0, notedChanges),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reader == nil {
		h.start()
	}
	sub.at = h.reader.at
	h.subscribers[sub] = struct{}{}
	return sub, nil
}

// Missed tells whether something may have changed since a subscriber had been told up to
// a sequence.
func (s *Service) Missed(at uint64) bool {
	last, _ := s.cfg.Log.Last()
	return at != last
}

// start is called with the lock held.
func (h *hub) start() {
	// The reader ends with the last subscriber and not with the request of the first.
	ctx, stop := context.WithCancel(context.Background())
	last, _ := h.service.cfg.Log.Last()
	r := &logReader{at: last, stop: stop, done: make(chan struct{})}
	h.reader = r
	go func() {
		defer close(r.done)
		h.ended(r, background.Protect(func() error { return h.read(ctx, r) }))
	}()
}

// Close ends a subscription. Behind the last one the reader of the log has ended.
func (sub *Subscription) Close() {
	h := sub.hub
	h.mu.Lock()
	delete(h.subscribers, sub)
	r := h.reader
	if r == nil || len(h.subscribers) > 0 {
		h.mu.Unlock()
		return
	}
	h.reader = nil
	h.mu.Unlock()
	r.stop()
	<-r.done
}

// ended tells all subscribers that the reader cannot go on. They may subscribe anew.
func (h *hub) ended(r *logReader, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r.stop()
	if h.reader != r {
		return
	}
	h.reader = nil
	for sub := range h.subscribers {
		sub.fail(err)
	}
	clear(h.subscribers)
}

// read fans out the log until ctx ends.
func (h *hub) read(ctx context.Context, r *logReader) error {
	s := h.service
	at := r.at
	for {
		last, more := s.cfg.Log.Last() // before reading, so that nothing is missed in between
		trimmed, err := s.cfg.Log.Trimmed(ctx)
		if err != nil {
			return err
		}
		// Sequences have gaps, so it may be less behind than this. It may always be told to read again.
		if trimmed > at || last > at+mostBehind {
			at = last
			h.publish(r, nil, true, at)
		}
		entries, err := s.cfg.Log.Entries(ctx, at, pageSize)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			select {
			case <-more:
			case <-ctx.Done():
				return ctx.Err()
			}
			continue
		}
		s.settle(ctx, entries)
		notices, err := s.notices(ctx, entries)
		if err != nil {
			return err
		}
		at = entries[len(entries)-1].Sequence
		h.publish(r, notices, false, at)
	}
}

// publish hands notices to all subscribers, without waiting for any of them.
func (h *hub) publish(r *logReader, notices []*Notice, lost bool, at uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reader != r {
		return // it was told to end, and another one may have begun
	}
	r.at = at
	for sub := range h.subscribers {
		sub.put(notices, lost, at)
	}
}

// put notes notices, or that there were too many.
func (sub *Subscription) put(notices []*Notice, lost bool, at uint64) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.at = at
	if lost || len(sub.waiting)+len(notices) > notedChanges {
		sub.lost = true
		clear(sub.waiting)
		sub.waiting = sub.waiting[:0]
	}
	if !sub.lost {
		sub.waiting = append(sub.waiting, notices...)
	}
	if sub.lost || len(notices) > 0 {
		sub.ring()
	}
}

func (sub *Subscription) fail(err error) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.err = err
	sub.ring()
}

// ring is called with the lock held.
func (sub *Subscription) ring() {
	select {
	case sub.wake <- struct{}{}:
	default:
	}
}

// Next gives what there is to tell. It returns as soon as there is something, when the time
// to wait is over, or when ctx ends; the batch may be empty. An error is final: changes
// cannot be followed any more by this subscription.
func (sub *Subscription) Next(ctx context.Context, wait time.Duration) (Batch, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-sub.wake:
	case <-timer.C:
	case <-ctx.Done():
	}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if sub.err != nil {
		return Batch{}, fault.Wrap(sub.err, fault.Unavailable, "changes cannot be read at the moment; connect again")
	}
	clear(sub.taken) // what it referred to is no longer needed
	sub.waiting, sub.taken = sub.taken[:0], sub.waiting
	b := Batch{Reset: sub.lost, Notices: sub.taken, At: sub.at}
	sub.lost = false
	return b, nil
}

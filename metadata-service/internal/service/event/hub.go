package event

import (
	"context"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// maxNotices is the maximum number of notices that wait for one subscriber. Beyond it, all
	// are dropped and the subscriber gets a reset.
	maxNotices = 256
	// maxBehind is the maximum number of sequences that the reader catches up with. Beyond it, as
	// during a bulk ingestion, all subscribers get a reset, which costs less than single notices.
	maxBehind = 4000
)

// hub distributes notices to subscribers. It reads the change log once for all of them, and only
// while there are any.
type hub struct {
	service *Service

	mu          sync.Mutex
	subscribers map[*Subscription]struct{}
	reader      *logReader // nil without subscribers
}

// logReader is the goroutine that reads the log.
type logReader struct {
	at   uint64 // sequence up to which entries were distributed; guarded by the hub
	stop context.CancelFunc
	done chan struct{}
}

// Subscription is one subscriber of notices. Only one goroutine may call its methods.
type Subscription struct {
	hub  *hub
	wake chan struct{} // holds one element while a batch is available

	mu sync.Mutex
	// Two lists of fixed capacity alternate, so that a subscriber allocates its memory once at the
	// start.
	waiting, taken []*Notice
	overflowed     bool // the capacity of waiting was exceeded
	at             uint64
	err            error // the reason for the end of the subscription
}

// Batch holds the new notices of a subscriber. It is valid until the next call of Next.
type Batch struct {
	// Reset reports that notices were dropped because there were too many. The subscriber must read
	// its data again.
	Reset   bool
	Notices []*Notice // in log order
	// At is the log sequence up to which the batch is complete, for Missed.
	At uint64
}

// Subscribe starts to collect notices for a subscriber, from the current end of the log. The caller
// must call Close. ctx applies to this call only.
func (s *Service) Subscribe(ctx context.Context) (*Subscription, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &s.hub
	sub := &Subscription{
		hub: h, wake: make(chan struct{}, 1), waiting: make([]*Notice, 0, maxNotices), taken: make([]*Notice, 0, maxNotices),
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

// Missed reports whether changes may have followed the sequence at, the At of a batch.
func (s *Service) Missed(at uint64) bool {
	last, _ := s.cfg.Log.Last()
	return at != last
}

// start starts the log reader. The caller holds the lock.
func (h *hub) start() {
	// The reader ends with the last subscriber, not with the request of the first one.
	ctx, stop := context.WithCancel(context.Background())
	last, _ := h.service.cfg.Log.Last()
	r := &logReader{at: last, stop: stop, done: make(chan struct{})}
	h.reader = r
	go func() {
		defer close(r.done)
		h.ended(r, background.Protect(func() error { return h.read(ctx, r) }))
	}()
}

// Close ends a subscription. After the last subscription it waits for the end of the log reader.
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

// ended passes the error of the reader to all subscribers and removes them. They may subscribe
// again.
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

// read distributes the log until ctx ends.
func (h *hub) read(ctx context.Context, r *logReader) error {
	s := h.service
	at := r.at
	for {
		last, more := s.cfg.Log.Last() // before reading, to miss no commit in between
		trimmed, err := s.cfg.Log.Trimmed(ctx)
		if err != nil {
			return err
		}
		// Sequences have gaps, so the reader may be less far behind than this. A reset is always
		// correct.
		if trimmed > at || last > at+maxBehind {
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

// publish passes notices to all subscribers, without waiting for any of them.
func (h *hub) publish(r *logReader, notices []*Notice, lost bool, at uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reader != r {
		return // this reader was stopped, and another one may have started
	}
	r.at = at
	for sub := range h.subscribers {
		sub.put(notices, lost, at)
	}
}

// put appends notices, or replaces them with a reset when there are too many.
func (sub *Subscription) put(notices []*Notice, lost bool, at uint64) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.at = at
	if lost || len(sub.waiting)+len(notices) > maxNotices {
		sub.overflowed = true
		clear(sub.waiting)
		sub.waiting = sub.waiting[:0]
	}
	if !sub.overflowed {
		sub.waiting = append(sub.waiting, notices...)
	}
	if sub.overflowed || len(notices) > 0 {
		sub.notify()
	}
}

func (sub *Subscription) fail(err error) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.err = err
	sub.notify()
}

// notify wakes the subscriber. The caller holds the lock.
func (sub *Subscription) notify() {
	select {
	case sub.wake <- struct{}{}:
	default:
	}
}

// Next returns the notices since the previous call. It returns as soon as there are any, when the
// wait has elapsed, or when ctx ends; the batch may be empty. An error is final: this subscription
// gets no more changes.
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
	clear(sub.taken) // releases the notices of the previous batch
	sub.waiting, sub.taken = sub.taken[:0], sub.waiting
	b := Batch{Reset: sub.overflowed, Notices: sub.taken, At: sub.at}
	sub.overflowed = false
	return b, nil
}

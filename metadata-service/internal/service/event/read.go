package event

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// deriver derives the events of an entry, possibly none.
type deriver func(r *reading, ctx context.Context, e *store.Entry) (derived, error)

// derived holds the events of an entry. Each is encoded when it is taken, since an entry may give
// more events than a page holds.
type derived struct {
	count int
	event func(i int) json.RawMessage
	// done receives true when all events have been taken, and false when the page ended before. It
	// may be nil.
	done func(whole bool)
}

func singleEvent(event json.RawMessage) derived {
	return derived{count: 1, event: func(int) json.RawMessage { return event }}
}

// reading is one poll in progress.
type reading struct {
	*Service
	derive        deriver
	withoutEdges  bool
	limit         int
	place         place
	events        []json.RawMessage
	places        []place // the place after each event
	bytes         int
	reservedEdges int // edges for which memory is reserved: the maximum of the entries so far
	missed        bool
}

// skipTrimmed moves the place past the trimmed part of the log.
func (r *reading) skipTrimmed(ctx context.Context) error {
	trimmed, err := r.cfg.Log.Trimmed(ctx)
	if err == nil && trimmed > r.place.after {
		r.place, r.missed = place{after: trimmed}, true
	}
	return err
}

// read collects events until there are some. It skips entries without events and moves the place
// on. It reads existing entries until scanning ends, and waits for new ones until waiting ends.
func (r *reading) read(ctx, waiting, scanning context.Context) error {
	for {
		_, more := r.cfg.Log.Last() // before reading, to miss no commit in between
		entries, err := r.cfg.Log.Entries(ctx, r.place.after, pageSize)
		if err != nil {
			return err
		}
		r.settle(ctx, entries)
		for i := range entries {
			if err := r.take(ctx, &entries[i]); err != nil {
				return err
			}
			if r.full() {
				return nil
			}
		}
		switch {
		case len(entries) > 0 && scanning.Err() == nil:
			continue
		case len(r.events) > 0 || waiting.Err() != nil:
			return nil
		}
		if !r.await(ctx, waiting, more) {
			return nil
		}
	}
}

// await reports whether new entries arrived before the wait elapsed.
func (r *reading) await(ctx, waiting context.Context, more <-chan struct{}) bool {
	defer idle.Begin(ctx)()
	select {
	case <-more:
		return true
	case <-waiting.Done():
		return false
	}
}

// settleLimit is the maximum delay of events for a projection that is behind.
const settleLimit = 2 * time.Second

// settle waits until searches show the entries. A failing projection does not delay events beyond
// settleLimit.
func (s *Service) settle(ctx context.Context, entries []store.Entry) {
	if len(entries) == 0 || s.cfg.Settled == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	_ = s.cfg.Settled(ctx, entries[len(entries)-1].Sequence)
}

// eventFactor is the memory per byte of an event until it is sent, since an event is JSON text
// inside JSON text.
const eventFactor = 4

func (r *reading) reserve(ctx context.Context, bytes int64) error {
	if r.cfg.Reserve == nil {
		return nil
	}
	return r.cfg.Reserve(ctx, bytes)
}

func (r *reading) full() bool { return len(r.events) >= r.limit || r.bytes >= MaxBytes }

// take adds the events of an entry that were not delivered yet.
func (r *reading) take(ctx context.Context, e *store.Entry) error {
	all, err := r.derive(r, ctx, e)
	if err != nil {
		return err
	}
	done := all.done
	if done == nil {
		done = func(bool) {}
	}
	for i := r.place.delivered; i < min(all.count, maxEvents-1); i++ {
		if r.full() {
			done(false)
			return nil
		}
		event := all.event(i)
		if err := r.reserve(ctx, eventFactor*int64(len(event))); err != nil {
			return err
		}
		r.events = append(r.events, event)
		r.bytes += len(event)
		r.place.delivered++
		r.places = append(r.places, r.place)
	}
	done(true)
	r.place = place{after: e.Sequence}
	return nil
}

package event

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// deriver makes the events of an entry, none when it has nothing to tell.
type deriver func(r *reading, ctx context.Context, e *store.Entry) (derived, error)

// derived are the events of an entry. Each is encoded when it is taken: an entry may make
// more than a page takes.
type derived struct {
	count int
	event func(i int) json.RawMessage
	// told hears that they have all been taken, or that the page ended before. It may be nil.
	told func(whole bool)
}

func one(event json.RawMessage) derived {
	return derived{count: 1, event: func(int) json.RawMessage { return event }}
}

// reading is one poll on its way.
type reading struct {
	*Service
	derive       deriver
	withoutEdges bool
	limit        int
	place        place
	events       []json.RawMessage
	places       []place // behind each event
	bytes        int
	mostEdges    int // of one entry so far, for which memory is reserved
	missed       bool
}

// skipTrimmed goes on behind what the log forgot.
func (r *reading) skipTrimmed(ctx context.Context) error {
	trimmed, err := r.cfg.Log.Trimmed(ctx)
	if err == nil && trimmed > r.place.after {
		r.place, r.missed = place{after: trimmed}, true
	}
	return err
}

// read collects events until there are some. Entries that make no events are passed
// by, and the place moves on: while scanning lasts, and for what is still to come
// while waiting does.
func (r *reading) read(ctx, waiting, scanning context.Context) error {
	for {
		_, more := r.cfg.Log.Last() // before reading, so that nothing is missed in between
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

// await reports whether there are more entries before the time to wait is over.
func (r *reading) await(ctx, waiting context.Context, more <-chan struct{}) bool {
	defer idle.Begin(ctx)()
	select {
	case <-more:
		return true
	case <-waiting.Done():
		return false
	}
}

// settleLimit bounds how long events are held back for a sink that is behind.
const settleLimit = 2 * time.Second

// settle waits until searches show the entries. Sinks in trouble hold no events back.
func (s *Service) settle(ctx context.Context, entries []store.Entry) {
	if len(entries) == 0 || s.cfg.Settled == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	_ = s.cfg.Settled(ctx, entries[len(entries)-1].Sequence)
}

// eventFactor is what a byte of an event weighs until it is sent: it is text within text.
const eventFactor = 4

func (r *reading) reserve(ctx context.Context, bytes int64) error {
	if r.cfg.Reserve == nil {
		return nil
	}
	return r.cfg.Reserve(ctx, bytes)
}

func (r *reading) full() bool { return len(r.events) >= r.limit || r.bytes >= MaxBytes }

// take adds the events of an entry that have not been told.
func (r *reading) take(ctx context.Context, e *store.Entry) error {
	all, err := r.derive(r, ctx, e)
	if err != nil {
		return err
	}
	told := all.told
	if told == nil {
		told = func(bool) {}
	}
	for i := r.place.told; i < min(all.count, maxEvents-1); i++ {
		if r.full() {
			told(false)
			return nil
		}
		event := all.event(i)
		if err := r.reserve(ctx, eventFactor*int64(len(event))); err != nil {
			return err
		}
		r.events = append(r.events, event)
		r.bytes += len(event)
		r.place.told++
		r.places = append(r.places, r.place)
	}
	told(true)
	r.place = place{after: e.Sequence}
	return nil
}

package eventhook

import (
	"context"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// troubleDelay is the pause after a failed read of events.
	troubleDelay = 10 * time.Second
	pageEvents   = 100
)

// worker delivers events to one webhook.
type worker struct {
	stop  context.CancelFunc
	ended chan struct{}
}

// start starts a worker for a webhook. It runs after the previous worker of the webhook has ended.
// The caller holds s.mu.
func (s *Service) start(h *stored) {
	former := s.end(h.ID)
	if s.running == nil || h.Paused {
		return
	}
	ctx, stop := context.WithCancel(s.running)
	w, hook := &worker{stop: stop, ended: make(chan struct{})}, *h
	s.workers[h.ID] = w
	s.work.Go("webhook "+h.ID, func() error {
		defer close(w.ended)
		defer stop()
		if former != nil {
			<-former.ended
		}
		return s.deliver(ctx, &hook)
	})
}

// end stops the worker of a webhook without waiting for it. The caller holds s.mu.
func (s *Service) end(id string) *worker {
	w := s.workers[id]
	if w != nil {
		w.stop()
		delete(s.workers, id)
	}
	return w
}

// deliver follows the events for a webhook until ctx ends or the webhook is deleted.
func (s *Service) deliver(ctx context.Context, h *stored) error {
	for ctx.Err() == nil {
		err := s.page(ctx, h)
		if ctx.Err() != nil || errors.Is(err, fault.NotFound) {
			return nil
		}
		if err == nil {
			continue
		}
		s.cfg.Log.WarnContext(ctx, "webhook cannot follow events; it is tried again", "webhook", h.ID, "error", err)
		s.recordProblem(ctx, h, err)
		if s.cfg.Wait(ctx, troubleDelay) != nil {
			return nil
		}
	}
	return nil
}

func (s *Service) recordProblem(ctx context.Context, h *stored, err error) {
	problem := fault.Message(err)
	_ = s.update(ctx, h.ID, func(_ records.Tx, p *progress) error { // reported here and retried anyway
		p.Problem = problem
		return nil
	})
}

// update changes the progress of a webhook. After its deletion the error is fault.NotFound.
func (s *Service) update(ctx context.Context, id string, fn func(records.Tx, *progress) error) error {
	return s.cfg.Records.Update(ctx, func(tx records.Tx) error {
		_, p, err := load(tx, id)
		if err != nil {
			return err
		}
		if err := fn(tx, p); err != nil {
			return err
		}
		return write(tx, progressBucket, id, p)
	})
}

func (s *Service) progress(ctx context.Context, id string) (p progress, err error) {
	err = s.cfg.Records.View(ctx, func(tx records.Tx) error {
		_, found, err := load(tx, id)
		if err == nil {
			p = *found
		}
		return err
	})
	return p, err
}

// page delivers the next page of events. It returns without events after event.MaxWait.
func (s *Service) page(ctx context.Context, h *stored) error {
	if s.cfg.MayAct != nil && !h.Owner.System {
		if err := s.cfg.MayAct(ctx, h.Owner.URN); err != nil {
			return err
		}
	}
	at, err := s.progress(ctx, h.ID)
	if err != nil {
		return err
	}
	as := auth.WithDecisionCache(auth.WithActor(ctx, auth.Actor{URN: h.Owner.URN, System: h.Owner.System, Scope: h.Owner.Scope}))
	page, err := s.cfg.Events.Poll(as, event.Query{
		Topic: string(event.PlatformEvents), Offset: at.Offset, Limit: pageEvents, Wait: event.MaxWait, WithoutRelationships: !h.Filter.wants(event.RelationshipChange),
	})
	if errors.Is(err, fault.Malformed) && at.Offset != "" {
		return s.continueAtEnd(as, h, err)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	for i, text := range page.Events {
		name, body := event.Plain(event.PlatformEvents, text)
		e, err := readEvent(name, body)
		if err != nil {
			return err
		}
		if !h.Filter.selects(&e) {
			continue
		}
		if err := s.event(ctx, h, e, page.OffsetAfter(i), body); err != nil {
			return err
		}
	}
	if page.Offset == at.Offset && at.Problem == "" && !page.Missed {
		return nil
	}
	return s.update(ctx, h.ID, func(_ records.Tx, p *progress) error {
		p.Offset, p.Problem = page.Offset, ""
		if page.Missed {
			p.Missed = s.cfg.Now().UnixMilli()
		}
		return nil
	})
}

// continueAtEnd continues at the end of the events: the position belongs to another change log, for
// example after only the catalog was restored from a backup, so the missed events are unknown.
func (s *Service) continueAtEnd(ctx context.Context, h *stored, cause error) error {
	end, err := s.cfg.Events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents)})
	if err != nil {
		return err
	}
	s.cfg.Log.WarnContext(ctx, "the position of a webhook is not in the change log, as after a restore; it goes on with the events from now on", "webhook", h.ID, "error", cause)
	return s.update(ctx, h.ID, func(_ records.Tx, p *progress) error {
		p.Offset, p.Problem, p.Missed = end.Offset, "", s.cfg.Now().UnixMilli()
		p.Delivery, p.Attempts, p.Error, p.RetryAt = "", 0, "", 0
		return nil
	})
}

// event delivers one event, or stores it as a dead letter after the last attempt, and moves the
// position past it. Attempts before a restart count.
func (s *Service) event(ctx context.Context, h *stored, e Event, offset string, body []byte) error {
	id := deliveryID(h.ID, offset, body)
	for {
		at, err := s.progress(ctx, h.ID)
		if err != nil {
			return err
		}
		if at.Delivery != id {
			at.Attempts, at.RetryAt = 0, 0 // of another event, before a restore
		}
		if wait := time.UnixMilli(at.RetryAt).Sub(s.cfg.Now()); wait > 0 {
			if err := s.cfg.Wait(ctx, wait); err != nil {
				return err
			}
		}
		d, again, err := s.attempt(ctx, h, id, e.name(), e, at.Attempts+1, body)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err() // an interruption says nothing about the target
		}
		if d.Outcome == Dead && again && d.Attempt <= len(s.cfg.Delays) {
			d.Outcome = Retrying
		}
		if err := s.settle(ctx, h, &d, offset, body); err != nil || d.Outcome != Retrying {
			return err
		}
	}
}

// settle stores the outcome of an attempt, and moves the position past the event unless it will be
// retried.
func (s *Service) settle(ctx context.Context, h *stored, d *Delivery, offset string, body []byte) error {
	if d.Outcome == Dead {
		s.cfg.Log.WarnContext(ctx, "event was not delivered to a webhook and is a dead letter now", "webhook", h.ID, "delivery", d.ID, "attempts", d.Attempt, "error", d.Error)
	}
	return s.update(ctx, h.ID, func(tx records.Tx, p *progress) error {
		p.Delivery, p.Attempts, p.Error, p.RetryAt, p.Problem = "", 0, "", 0, ""
		switch d.Outcome {
		case Retrying:
			p.Delivery, p.Attempts, p.Error = d.ID, d.Attempt, d.Error
			p.RetryAt = s.cfg.Now().Add(s.cfg.Delays[d.Attempt-1]).UnixMilli()
		case Dead:
			p.Offset = offset
			l := Letter{ID: d.ID, Event: d.Event, Time: d.Time, Attempts: d.Attempt, Error: d.Error, Body: body}
			if len(body) > MaxBody {
				l.Body, l.Bytes = nil, len(body)
			}
			if err := p.addLetter(tx, h.ID, l); err != nil {
				return err
			}
		default:
			p.Offset = offset
		}
		return p.addDelivery(tx, h.ID, *d)
	})
}

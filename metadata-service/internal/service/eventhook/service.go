package eventhook

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config holds the dependencies of a Service. MayAct, Delays, Wait and NewID are optional.
type Config struct {
	Records records.Store
	// Events must have no other callers, since each webhook occupies one of its call slots
	// permanently.
	Events     *event.Service
	Sender     *webhook.Sender
	Authorizer auth.Decider
	Registry   *model.Registry
	Cipher     *encryption.Cipher
	// MayAct returns an error for users that are suspended or deleted.
	MayAct func(ctx context.Context, u urn.URN) error
	// Delays are the pauses after failed attempts. An event becomes a dead letter when the attempt
	// after the last pause fails.
	Delays []time.Duration
	Wait   func(ctx context.Context, d time.Duration) error
	NewID  func() string // of webhooks
	Now    func() time.Time
	Log    *slog.Logger
}

// usualDelays add up to 1 hour 43 minutes.
func usualDelays() []time.Duration {
	return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour}
}

// Service manages webhooks and delivers to them. It is safe for concurrent use.
type Service struct {
	cfg  Config
	work *background.Group

	// beginning is the state of Begin, until it has succeeded.
	beginning disk.Condition

	mu      sync.Mutex // held while webhooks and their workers change
	begun   bool       // Begin was called, and Close was not
	running context.Context
	stop    context.CancelFunc
	workers map[string]*worker
}

// New returns a Service, which delivers after Begin. The caller must call Close.
func New(cfg Config) *Service {
	if len(cfg.Delays) == 0 {
		cfg.Delays = usualDelays()
	}
	if cfg.Wait == nil {
		cfg.Wait = pause
	}
	if cfg.NewID == nil {
		cfg.NewID = rand.Text
	}
	return &Service{cfg: cfg, work: background.NewGroup(cfg.Log), workers: map[string]*worker{}}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Begin starts deliveries, which continue until Close. After an error Probe tries again.
func (s *Service) Begin(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
	return s.begin(ctx)
}

// begin starts the workers unless they are running. The caller holds s.mu.
func (s *Service) begin(ctx context.Context) error {
	if !s.begun || s.running != nil {
		return nil
	}
	hooks, err := s.all(ctx)
	s.beginning.Note(err)
	if err != nil {
		return err
	}
	s.running, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	for i := range hooks {
		s.start(&hooks[i])
	}
	return nil
}

// Condition returns the state of the last write of the records, or the error of Begin if that
// failed.
func (s *Service) Condition() disk.State {
	return s.cfg.Records.Condition().Or(s.beginning.State())
}

// Probe writes a test record to detect whether the disk has space again. It also starts deliveries
// if Begin failed.
func (s *Service) Probe(ctx context.Context) error {
	if err := s.cfg.Records.Probe(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin(ctx)
}

// Close stops deliveries and waits for them. Unanswered deliveries are sent again after the next
// start.
func (s *Service) Close() error {
	s.mu.Lock()
	s.begun = false
	if s.stop != nil {
		s.stop()
		s.running, s.stop = nil, nil
	}
	s.mu.Unlock()
	s.work.Wait()
	return nil
}

func (s *Service) all(ctx context.Context) (hooks []stored, err error) {
	err = s.cfg.Records.View(ctx, func(tx records.Tx) error {
		_, hooks, err = list[stored](tx, hookBucket, "")
		return err
	})
	return hooks, err
}

func (s *Service) require(ctx context.Context) error {
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageSystem))
	return err
}

// owner returns the actor as the owner of a webhook. The actor must be allowed to follow events.
func (s *Service) owner(ctx context.Context) (Owner, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return Owner{}, fault.New(fault.Unauthenticated, "sign in to set up webhooks")
	}
	return Owner{URN: actor.URN, System: actor.System, Scope: actor.Scope}, s.cfg.Events.MayFollow(ctx, event.PlatformEvents)
}

// Create creates a webhook, which receives the events from now on. It requires auth.ManageSystem
// and the privilege to follow events; the owner needs the latter permanently. More than MaxHooks
// webhooks are fault.Conflict.
func (s *Service) Create(ctx context.Context, d Draft) (Hook, error) {
	if err := s.require(ctx); err != nil {
		return Hook{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Hook{}, err
	}
	switch {
	case d.Name == nil:
		return Hook{}, fault.New(fault.Malformed, "name: is required")
	case d.Address == nil:
		return Hook{}, fault.New(fault.Malformed, "url: is required")
	case d.Secret == nil:
		return Hook{}, fault.New(fault.Malformed, "secret: is required")
	}
	if err := d.check(s.cfg.Registry, s.cfg.Sender); err != nil {
		return Hook{}, err
	}
	page, err := s.cfg.Events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents)})
	if err != nil {
		return Hook{}, err
	}
	now := s.cfg.Now().UnixMilli()
	h := stored{ID: s.cfg.NewID(), Owner: owner, Created: now, Changed: now}
	s.apply(&h, d)
	p := progress{Offset: page.Offset}
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.cfg.Records.Update(ctx, func(tx records.Tx) error {
		n := 0
		tx.Scan(hookBucket, "", func(string, []byte) bool { n++; return true })
		if n >= MaxHooks {
			return fault.New(fault.Conflict, "there are %d webhooks, which is all there may be; delete one", n)
		}
		return errors.Join(write(tx, hookBucket, h.ID, h), write(tx, progressBucket, h.ID, p))
	})
	if err != nil {
		return Hook{}, err
	}
	s.start(&h)
	return s.hookOf(&h, &p)
}

func (s *Service) apply(h *stored, d Draft) {
	if d.Name != nil {
		h.Name = *d.Name
	}
	if d.Address != nil {
		h.Address = s.cfg.Cipher.Encrypt(*d.Address)
	}
	if d.Secret != nil {
		h.Secret = s.cfg.Cipher.Encrypt(d.Secret.Reveal())
	}
	if d.Filter != nil {
		h.Filter = *d.Filter
	}
	if d.Paused != nil {
		h.Paused = *d.Paused
	}
}

// Update changes a webhook; the actor becomes its owner. A paused webhook keeps its position. It
// requires the same privileges as Create.
func (s *Service) Update(ctx context.Context, id string, d Draft) (shown Hook, err error) {
	if err := s.require(ctx); err != nil {
		return Hook{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Hook{}, err
	}
	if err := d.check(s.cfg.Registry, s.cfg.Sender); err != nil {
		return Hook{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var changed stored
	err = s.cfg.Records.Update(ctx, func(tx records.Tx) error {
		h, p, err := load(tx, id)
		if err != nil {
			return err
		}
		s.apply(h, d)
		h.Owner, h.Changed = owner, s.cfg.Now().UnixMilli()
		p.RetryAt, p.Problem = 0, "" // the cause may be resolved
		if shown, err = s.hookOf(h, p); err != nil {
			return err
		}
		changed = *h
		return errors.Join(write(tx, hookBucket, id, h), write(tx, progressBucket, id, p))
	})
	if err != nil {
		return Hook{}, err
	}
	s.start(&changed)
	return shown, nil
}

// Delete deletes a webhook with all its records, and cancels a running delivery. It requires
// auth.ManageSystem.
func (s *Service) Delete(ctx context.Context, id string) error {
	if err := s.require(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.cfg.Records.Update(ctx, func(tx records.Tx) error {
		if _, _, err := load(tx, id); err != nil {
			return err
		}
		for _, bucket := range []string{deliveryBucket, letterBucket} {
			var keys []string
			tx.Scan(bucket, id+"/", func(key string, _ []byte) bool {
				keys = append(keys, key)
				return true
			})
			for _, key := range keys {
				if err := tx.Delete(bucket, key); err != nil {
					return err
				}
			}
		}
		return errors.Join(tx.Delete(hookBucket, id), tx.Delete(progressBucket, id))
	})
	if err != nil {
		return err
	}
	s.end(id)
	return nil
}

// List returns all webhooks ordered by id. It requires auth.ManageSystem.
func (s *Service) List(ctx context.Context) ([]Hook, error) {
	if err := s.require(ctx); err != nil {
		return nil, err
	}
	hooks := []Hook{}
	err := s.cfg.Records.View(ctx, func(tx records.Tx) error {
		ids, _, err := list[stored](tx, hookBucket, "")
		for _, id := range ids {
			h, p, err := load(tx, id)
			if err != nil {
				return err
			}
			shown, err := s.hookOf(h, p)
			if err != nil {
				return err
			}
			hooks = append(hooks, shown)
		}
		return err
	})
	return hooks, err
}

// Get returns one webhook. It requires auth.ManageSystem.
func (s *Service) Get(ctx context.Context, id string) (shown Hook, err error) {
	err = s.view(ctx, id, func(_ records.Tx, h *stored, p *progress) (err error) {
		shown, err = s.hookOf(h, p)
		return err
	})
	return shown, err
}

func (s *Service) view(ctx context.Context, id string, fn func(records.Tx, *stored, *progress) error) error {
	if err := s.require(ctx); err != nil {
		return err
	}
	return s.cfg.Records.View(ctx, func(tx records.Tx) error {
		h, p, err := load(tx, id)
		if err != nil {
			return err
		}
		return fn(tx, h, p)
	})
}

// viewEvents is like view, for operations that return or send events. It also requires the
// privilege to follow events, as Create does.
func (s *Service) viewEvents(ctx context.Context, id string, fn func(records.Tx, *stored, *progress) error) error {
	if err := s.require(ctx); err != nil {
		return err
	}
	if err := s.cfg.Events.MayFollow(ctx, event.PlatformEvents); err != nil {
		return err
	}
	return s.view(ctx, id, fn)
}

func (s *Service) hookOf(h *stored, p *progress) (Hook, error) {
	address, err := s.decrypt(h.ID, h.Address)
	if err != nil {
		return Hook{}, err
	}
	out := Hook{
		ID: h.ID, Name: h.Name, Address: address.Reveal(), Filter: h.Filter, Paused: h.Paused, Owner: h.Owner.URN, Created: h.Created, Changed: h.Changed,
		Missed: p.Missed, LettersDropped: p.LettersDropped, Problem: p.Problem,
	}
	if p.Delivery != "" {
		out.Waiting = &Waiting{Delivery: p.Delivery, Attempts: p.Attempts, Error: p.Error, RetryAt: p.RetryAt}
	}
	return out, nil
}

func (s *Service) decrypt(id, text string) (config.Secret, error) {
	plain, err := s.cfg.Cipher.Decrypt(text)
	if errors.Is(err, encryption.ErrUnreadable) {
		return "", fault.Wrap(err, fault.Conflict, "webhook %s was encrypted with another key; delete it and create it again", id)
	}
	return config.Secret(plain), err
}

// Deliveries returns the last attempts of a webhook, newest first. It requires auth.ManageSystem
// and the privilege to follow events, since attempts contain events.
func (s *Service) Deliveries(ctx context.Context, id string) (found []Delivery, err error) {
	err = s.viewEvents(ctx, id, func(tx records.Tx, _ *stored, _ *progress) (err error) {
		_, found, err = list[Delivery](tx, deliveryBucket, id+"/")
		return err
	})
	slices.Reverse(found)
	return found, err
}

// Letters returns the dead letters of a webhook, oldest first. It requires auth.ManageSystem and
// the privilege to follow events.
func (s *Service) Letters(ctx context.Context, id string) (found []Letter, err error) {
	err = s.viewEvents(ctx, id, func(tx records.Tx, _ *stored, _ *progress) (err error) {
		_, found, err = list[Letter](tx, letterBucket, id+"/")
		return err
	})
	return found, err
}

// letter returns the dead letter with a delivery id.
func letter(tx records.Tx, id, delivery string) (key string, l *Letter, err error) {
	keys, letters, err := list[Letter](tx, letterBucket, id+"/")
	if err != nil {
		return "", nil, err
	}
	i := slices.IndexFunc(letters, func(l Letter) bool { return l.ID == delivery })
	if i < 0 {
		return "", nil, fault.New(fault.NotFound, "the webhook has no dead letter %.60s", delivery)
	}
	return keys[i], &letters[i], nil
}

// Drop deletes a dead letter. It requires auth.ManageSystem.
func (s *Service) Drop(ctx context.Context, id, delivery string) error {
	if err := s.require(ctx); err != nil {
		return err
	}
	return s.cfg.Records.Update(ctx, func(tx records.Tx) error { return drop(tx, id, delivery) })
}

func drop(tx records.Tx, id, delivery string) error {
	_, p, err := load(tx, id)
	if err != nil {
		return err
	}
	key, l, err := letter(tx, id, delivery)
	if err != nil {
		return err
	}
	return errors.Join(p.remove(tx, key, l), write(tx, progressBucket, id, p))
}

// Replay sends a dead letter once more, immediately and out of order, with the same delivery id. It
// deletes the dead letter when the target accepts it. A dead letter without a body is
// fault.Conflict. It requires auth.ManageSystem and the privilege to follow events.
func (s *Service) Replay(ctx context.Context, id, delivery string) (Delivery, error) {
	var h stored
	var l Letter
	err := s.viewEvents(ctx, id, func(tx records.Tx, found *stored, _ *progress) error {
		_, dead, err := letter(tx, id, delivery)
		if err != nil {
			return err
		}
		if dead.Bytes > 0 {
			return fault.New(fault.Conflict, "the event has %d bytes and was not kept; at most %d are sent to webhooks, so poll for it instead", dead.Bytes, MaxBody)
		}
		h, l = *found, *dead
		return nil
	})
	if err != nil {
		return Delivery{}, err
	}
	return s.sendOnce(ctx, &h, delivery, l.Event.name(), l.Event, l.Attempts, l.Body)
}

// Test sends an event of the category TEST immediately. It requires auth.ManageSystem.
func (s *Service) Test(ctx context.Context, id string) (Delivery, error) {
	var h stored
	err := s.view(ctx, id, func(_ records.Tx, found *stored, _ *progress) error {
		h = *found
		return nil
	})
	if err != nil {
		return Delivery{}, err
	}
	e := Event{Category: "TEST", Operation: "TEST"}
	body, err := json.Marshal(map[string]any{
		"category": e.Category, "operation": e.Operation, "auditStamp": map[string]any{"time": s.cfg.Now().UnixMilli(), "actor": h.Owner.URN},
	})
	if err != nil {
		return Delivery{}, err
	}
	return s.sendOnce(ctx, &h, deliveryID(h.ID, rand.Text(), body), "test", e, 0, body)
}

// sendOnce sends a body once, independently of the ordered events, and stores the outcome.
func (s *Service) sendOnce(ctx context.Context, h *stored, delivery, name string, e Event, attempts int, body []byte) (Delivery, error) {
	d, _, err := s.attempt(ctx, h, delivery, name, e, attempts+1, body)
	if err != nil {
		return d, err
	}
	return d, s.cfg.Records.Update(ctx, func(tx records.Tx) error {
		_, p, err := load(tx, h.ID)
		if err != nil {
			return err
		}
		if key, l, err := letter(tx, h.ID, delivery); err == nil {
			if d.Outcome == Delivered {
				err = p.remove(tx, key, l)
			} else {
				l.Attempts, l.Error = d.Attempt, d.Error
				err = write(tx, letterBucket, key, l)
			}
			if err != nil {
				return err
			}
		}
		return errors.Join(p.addDelivery(tx, h.ID, d), write(tx, progressBucket, h.ID, p))
	})
}

// attempt sends a body once. Failures of the target are part of the delivery; the error is for a
// webhook that cannot be decrypted or whose host is not allowed.
func (s *Service) attempt(ctx context.Context, h *stored, delivery, name string, e Event, n int, body []byte) (d Delivery, again bool, err error) {
	address, err := s.decrypt(h.ID, h.Address)
	if err != nil {
		return d, false, err
	}
	secret, err := s.decrypt(h.ID, h.Secret)
	if err != nil {
		return d, false, err
	}
	if err := s.cfg.Sender.Allowed(address.Reveal()); err != nil {
		return d, false, err // not a failure of the event, which waits until the host is allowed again
	}
	began := s.cfg.Now()
	status, again, failed := s.cfg.Sender.Try(ctx, address.Reveal(), header(secret, delivery, name, began.Unix(), body), body)
	d = Delivery{ID: delivery, Event: e, Time: began.UnixMilli(), Attempt: n, Took: s.cfg.Now().Sub(began).Milliseconds(), Status: status, Outcome: Delivered}
	if failed != nil {
		d.Outcome, d.Error = Dead, fmt.Sprintf("%.500s", failed)
	}
	return d, again, nil
}

// Package auditlog lets people search the audit log.
//
// Whoever may see how the catalog is used finds sign-ins and changes of users,
// policies, tokens and ingestion sources. Operators find everything that is recorded
// when they name its type, and see the addresses that requests came from.
package auditlog

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultSpan = 24 * time.Hour
	// MaxSize bounds the events of a page, and exactTotal up to where the total is exact.
	MaxSize    = 1000
	exactTotal = 10_000
	maxValues  = 1000 // of a list to filter by
)

// Config is what a Service works with.
type Config struct {
	Log        *audit.Log
	Authorizer auth.Decider
	// Shown are the types of changes that the search shows; audit.DefaultShown when nil.
	Shown []audit.Type
	// Aspects are those of which changes without a type of their own are shown, too.
	Aspects []string
	// Hidden reports of each URN whether view authorization hides its entity from the actor; nil where
	// it hides nothing.
	Hidden func(ctx context.Context, urns []urn.URN) ([]bool, error)
	Now    func() time.Time
}

// Service answers searches. It is safe for concurrent use.
type Service struct{ cfg Config }

// New makes a Service.
func New(cfg Config) *Service {
	if cfg.Shown == nil {
		cfg.Shown = audit.DefaultShown()
	}
	return &Service{cfg}
}

// Query is what is searched for. Empty lists select all.
type Query struct {
	From, To    int64 // epoch ms, inclusive and exclusive; below 0, or for To 0, the last day until now
	Types       []string
	EntityTypes []string
	Aspects     []string
	Actors      []string
	After       *audit.Place
	Size        int
}

// Page is what was found.
type Page struct {
	Events []audit.Event
	Total  int          // of the whole query, exact up to 10,000
	Next   *audit.Place // of the last event that was looked at; nil at the end
}

// maxLooks is how many pages of the log are looked at for a page of which parts are hidden.
const maxLooks = 10

// Search lists events, newest first. It needs the right to see how the catalog is
// used. Events of types that other servers do not know are given to operators alone. For others
// events about entities that view authorization hides from them are left out, so that a page may
// be short, and hidden actors are the unknown one.
func (s *Service) Search(ctx context.Context, q Query) (Page, error) {
	if err := s.require(ctx); err != nil {
		return Page{}, err
	}
	refusal, err := s.operates(ctx)
	if err != nil {
		return Page{}, err
	}
	selected, err := s.selection(q, refusal)
	if err != nil || selected == nil {
		return Page{}, err
	}
	if q.Size == 0 {
		found, err := s.cfg.Log.Find(ctx, *selected, exactTotal)
		return Page{Total: found.Total}, err
	}
	page, limit := Page{}, selected.Limit
	for look := 0; look < maxLooks && len(page.Events) < limit; look++ {
		selected.Limit = limit - len(page.Events)
		found, err := s.cfg.Log.Find(ctx, *selected, exactTotal)
		if err != nil {
			return Page{}, err
		}
		if look == 0 {
			page.Total = found.Total
		}
		if page.Next = nil; len(found.Events) == selected.Limit {
			last := found.Events[len(found.Events)-1].Place()
			page.Next, selected.After = &last, &last
		}
		shown := found.Events
		if refusal != nil {
			if shown, err = s.shown(ctx, found.Events, len(q.Actors) > 0); err != nil {
				return Page{}, err
			}
		}
		page.Total -= len(found.Events) - len(shown)
		page.Events = append(page.Events, shown...)
		if page.Next == nil {
			break
		}
	}
	return page, nil
}

// shown are the events as somebody is shown them who is no operator. A search by actors finds
// none of hidden ones.
func (s *Service) shown(ctx context.Context, events []audit.Event, byActor bool) ([]audit.Event, error) {
	named := make([]urn.URN, 0, 2*len(events))
	for i := range events {
		events[i].Address = ""
		named = append(named, events[i].Actor, events[i].Entity)
	}
	if s.cfg.Hidden == nil {
		return events, nil
	}
	hidden, err := s.cfg.Hidden(ctx, named)
	if err != nil {
		return nil, err
	}
	kept := make([]audit.Event, 0, len(events))
	for i := range events {
		if hidden[2*i+1] || byActor && hidden[2*i] {
			continue
		}
		if hidden[2*i] {
			events[i].Actor = model.UnknownActor
		}
		kept = append(kept, events[i])
	}
	return kept, nil
}

func (s *Service) require(ctx context.Context) error {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to search the audit log")
	}
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ToReadAnalytics...))
	if fault.KindOf(err) == fault.Forbidden {
		return fault.Wrap(err, fault.Forbidden, "%s is unauthorized to READ ANALYTICS.", actor.URN)
	}
	return err
}

// operates gives the refusal to run system operations, nil to whoever may.
func (s *Service) operates(ctx context.Context) (refusal, err error) {
	_, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageSystem))
	if fault.KindOf(err) == fault.Forbidden {
		return err, nil
	}
	return nil, err
}

// selection is the query of the log, nil when it cannot find anything.
func (s *Service) selection(q Query, refusal error) (*audit.Query, error) {
	for name, list := range map[string][]string{"eventTypes": q.Types, "entityTypes": q.EntityTypes, "aspectTypes": q.Aspects, "actorUrns": q.Actors} {
		if len(list) > maxValues {
			return nil, fault.New(fault.Malformed, "%s has %d values, at most %d are accepted", name, len(list), maxValues)
		}
	}
	now := s.cfg.Now()
	if q.From < 0 {
		q.From = max(0, now.Add(-defaultSpan).UnixMilli())
	}
	if q.To <= 0 {
		q.To = now.UnixMilli() + 1 // what was recorded this moment included
	}
	types, err := s.types(q.Types, refusal)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	actors := make([]urn.URN, len(q.Actors))
	for i, text := range q.Actors {
		actors[i] = urn.URN(text)
	}
	written := s.cfg.Aspects
	if written == nil {
		written = []string{}
	}
	return &audit.Query{
		From: q.From, To: q.To, Types: types, EntityTypes: q.EntityTypes, Aspects: q.Aspects, Actors: actors, WrittenAspects: written,
		After: q.After, Limit: max(1, min(q.Size, MaxSize)),
	}, nil
}

// types are those that the actor may see of those that are asked for.
func (s *Service) types(asked []string, refusal error) ([]audit.Type, error) {
	shown := append(slices.Clone(s.cfg.Shown), audit.LogIn, audit.FailedLogIn)
	if len(s.cfg.Aspects) > 0 {
		shown = append(shown, audit.UpdateAspect, audit.DeleteEntity)
	}
	if len(asked) == 0 {
		return shown, nil
	}
	var types []audit.Type
	for _, name := range asked {
		t := audit.Type(name)
		if t.Ours() && refusal != nil {
			return nil, fault.Wrap(refusal, fault.Forbidden, "events of the type %s are for those who have the privilege %s", t, auth.ManageSystem)
		}
		if t.Ours() || slices.Contains(shown, t) {
			types = append(types, t)
		}
	}
	return types, nil
}

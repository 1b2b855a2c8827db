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
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
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
	// Readable reports of each URN whether the actor may read its entity; nil where it may read all.
	Readable func(ctx context.Context, urns []urn.URN) ([]bool, error)
	// Hidden reports of each URN whether view authorization hides its entity from the actor; nil where
	// it hides nothing.
	Hidden func(ctx context.Context, urns []urn.URN) ([]bool, error)
	Names  *encryption.Names // seals Page.Scroll
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
	Scroll      string // of the page before
	Size        int
}

// Page is what was found.
type Page struct {
	Events []audit.Event
	Total  int // of the whole query that the caller is shown, exact up to 10,000 events
	// Scroll is where the next page begins, empty at the end. It is encrypted, since it names an
	// event that the caller may not be shown.
	Scroll string
	next   *cursor
}

// cursor is what Page.Scroll holds.
type cursor struct {
	Place audit.Place // of the last event of the page, or the last one that was looked at
	Total int
}

// Search lists events, newest first. It needs the right to see how the catalog is
// used. Events of types that other servers do not know are given to operators alone. Others are
// shown no event about an entity that they may not read, and hidden actors are the unknown one.
// Total and Scroll disregard such events: there is a next page when the caller is shown something
// on it, or when 10,000 events were looked at for this one, which is short then.
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
	after, err := s.open(&q)
	if err != nil {
		return Page{}, err
	}
	search := s.search
	if refusal != nil {
		search = s.viewer(len(q.Actors) > 0).search
	}
	page, err := search(ctx, *selected, min(q.Size, MaxSize), after)
	if err != nil {
		return Page{}, err
	}
	page.Scroll, err = s.seal(&q, page.next)
	return page, err
}

// search finds a page as operators are shown it.
func (s *Service) search(ctx context.Context, q audit.Query, size int, after *cursor) (Page, error) {
	if q.Limit = max(size, 1); after != nil {
		q.After = &after.Place
	}
	found, err := s.cfg.Log.Find(ctx, q, exactTotal)
	if err != nil || size == 0 {
		return Page{Total: found.Total}, err
	}
	page := Page{Events: found.Events, Total: found.Total}
	if len(found.Events) == size {
		page.next = &cursor{Place: found.Events[size-1].Place()}
	}
	return page, nil
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

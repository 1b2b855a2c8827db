// Package auditlog provides search in the audit log.
//
// Actors that may view analytics find sign-ins and changes of users, policies, tokens and ingestion
// sources. Operators find all recorded events if the query names their type, and see the addresses
// of clients.
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
	// MaxSize is the maximum number of events of a page. Up to exactTotal events the total is
	// exact.
	MaxSize    = 1000
	exactTotal = 10_000
	maxValues  = 1000 // of a filter list
)

// Config holds the dependencies of a Service.
type Config struct {
	Log        *audit.Log
	Authorizer auth.Decider
	// Shown are the types of changes that the search shows; audit.DefaultShown when nil.
	Shown []audit.Type
	// Aspects are further aspects whose changes are shown, although they have no event type of
	// their own.
	Aspects []string
	// Readable reports for each URN whether the actor may read the entity; nil if it may read all.
	Readable func(ctx context.Context, urns []urn.URN) ([]bool, error)
	// Hidden reports for each URN whether view authorization hides the entity from the actor; nil
	// if it hides none.
	Hidden func(ctx context.Context, urns []urn.URN) ([]bool, error)
	Names  *encryption.Names // encrypts Page.Scroll
	Now    func() time.Time
}

// Service answers searches. It is safe for concurrent use.
type Service struct{ cfg Config }

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.Shown == nil {
		cfg.Shown = audit.DefaultShown()
	}
	return &Service{cfg}
}

// Query selects events. Empty lists select all.
type Query struct {
	From, To    int64 // epoch ms, inclusive and exclusive; From < 0 means a day ago, To <= 0 means now
	Types       []string
	EntityTypes []string
	Aspects     []string
	Actors      []string
	Scroll      string // of the previous page
	Size        int
}

// Page is a page of events.
type Page struct {
	Events []audit.Event
	Total  int // events of the whole query that the caller may see, exact up to 10,000
	// Scroll is the start of the next page, empty at the end. It is encrypted, since it names an
	// event that the caller may not be allowed to see.
	Scroll string
	next   *cursor
}

// cursor is the content of Page.Scroll.
type cursor struct {
	Place audit.Place // of the last event of the page, or of the last event that was read
	Total int
}

// Search lists events, newest first. It requires a privilege to view analytics. Only operators get
// events of types that other servers do not have. Other actors get no event about an entity that
// they may not read, and model.UnknownActor in place of hidden actors. Total and Scroll ignore
// omitted events: there is a next page if it contains visible events, or if 10,000 events were read
// for this page, which may then be short.
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

// search returns a page for an operator.
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

// operates returns the refusal of system operations, or nil for an operator.
func (s *Service) operates(ctx context.Context) (refusal, err error) {
	_, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageSystem))
	if fault.KindOf(err) == fault.Forbidden {
		return err, nil
	}
	return nil, err
}

// selection returns the query of the log, or nil if it cannot match any event.
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
		q.To = now.UnixMilli() + 1 // includes events of the current millisecond
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

// types returns the requested types that the actor may see.
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
			return nil, fault.Wrap(refusal, fault.Forbidden, "events of the type %s require the privilege %s", t, auth.ManageSystem)
		}
		if t.Ours() || slices.Contains(shown, t) {
			types = append(types, t)
		}
	}
	return types, nil
}

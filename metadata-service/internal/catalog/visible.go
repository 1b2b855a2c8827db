package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Refusals returns the refusal of each check, nil if it is allowed, in the order of the checks.
// Everything is allowed to the service itself. Without an actor in ctx it fails with
// fault.Unauthenticated.
func (s *Service) Refusals(ctx context.Context, checks ...auth.Check) ([]error, error) {
	refused := make([]error, len(checks))
	actor, ok := auth.ActorFrom(ctx)
	switch {
	case ok:
	case len(checks) > 0 && (checks[0].Operation == auth.OpRead || checks[0].Operation == auth.OpExists):
		return nil, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	default:
		return nil, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	if actor.System || len(checks) == 0 {
		return refused, nil
	}
	decisions, err := s.Authorizer.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, d := range decisions {
		refused[i] = d.Err()
	}
	return refused, nil
}

// Permit returns nil if the authorizer allows all checks. Otherwise it returns the first refusal,
// or the error of the authorizer.
func (s *Service) Permit(ctx context.Context, checks ...auth.Check) error {
	refused, err := s.Refusals(ctx, checks...)
	if err != nil {
		return err
	}
	for _, err := range refused {
		if err != nil {
			return err
		}
	}
	return nil
}

// MayRead authorizes reading an aspect of an entity. An empty aspect means the entity as a whole,
// an empty URN any entity, and a URN that ends after its type the type. Refusals are
// fault.Forbidden; a context without an actor is fault.Unauthenticated.
func (s *Service) MayRead(ctx context.Context, u urn.URN, aspect string) error {
	if u == "" {
		return s.Permit(ctx, auth.Check{Operation: auth.OpRead, Aspect: aspect})
	}
	return s.Permit(ctx, auth.On(auth.OpRead, u, aspect).OfCaller())
}

// MayReadEach reports which entities the actor may read, or of which of them it may read the
// aspect, in the order of urns.
func (s *Service) MayReadEach(ctx context.Context, urns []urn.URN, aspect string) ([]bool, error) {
	checks := make([]auth.Check, len(urns))
	for i, u := range urns {
		checks[i] = auth.On(auth.OpRead, u, aspect)
	}
	refused, err := s.Refusals(ctx, checks...)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(urns))
	for i := range refused {
		out[i] = refused[i] == nil
	}
	return out, nil
}

// Visible returns the part of a reading that the actor may see. The service itself sees everything.
func (s *Service) Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Visibility{}, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	if actor.System {
		return auth.Visibility{Types: reading.Types}, nil
	}
	return s.Authorizer.Visible(ctx, reading)
}

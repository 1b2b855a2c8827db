package edit

import (
	"cmp"
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Actor returns the URN of the actor in ctx. Without an actor the error is fault.Unauthenticated.
func Actor(ctx context.Context) (urn.URN, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return "", fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return actor.URN, nil
}

// Decide returns the decisions of checks, all of which must be allowed. Otherwise the error is the
// first refusal.
func (e *Editor) Decide(ctx context.Context, checks ...auth.Check) (auth.Decisions, error) {
	return auth.Require(ctx, e.Authorizer, checks...)
}

// DecideOne returns the decision of the first allowed alternative. If none is allowed, the error is
// the refusal of the first.
func (e *Editor) DecideOne(ctx context.Context, alternatives ...auth.Check) (auth.Decisions, error) {
	return auth.RequireOne(ctx, e.Authorizer, alternatives...)
}

// RefuseHidden decides a check if view authorization hides an entity from the actor, and returns
// its refusal. It returns nil if the entity is visible or the check is allowed. An absent entity
// counts as hidden from actors that could not see it. A service that decides by stored values of an
// entity calls RefuseHidden before it reports that the entity does not exist; see Refusal.
func (e *Editor) RefuseHidden(ctx context.Context, u urn.URN, check auth.Check) error {
	hidden, err := e.Catalog.Hidden(ctx, []urn.URN{u})
	if err != nil || !hidden[0] {
		return err
	}
	_, err = e.Decide(ctx, check)
	return err
}

// Refusal replaces the error of a decision that depends on stored values of an entity. If that
// error is a refusal and view authorization hides the entity, Refusal returns the refusal of check,
// which does not depend on stored values. RefuseHidden returns the same error for an absent entity.
// So a refusal discloses neither the existence of the entity nor its stored values.
func (e *Editor) Refusal(ctx context.Context, u urn.URN, refused error, check auth.Check) error {
	if refused == nil || fault.KindOf(refused) != fault.Forbidden {
		return refused
	}
	return cmp.Or(e.RefuseHidden(ctx, u, check), refused)
}

// Require decides that the actor has one of some platform privileges.
func (e *Editor) Require(ctx context.Context, oneOf ...auth.Privilege) (auth.Decisions, error) {
	return e.Decide(ctx, auth.ForPlatform(oneOf...))
}

// RequireIdentities decides that the actor may manage users and groups: by the privilege
// ManageUsers, or by both UpdateUsers and UpdateGroups, which also permit deletion.
func (e *Editor) RequireIdentities(ctx context.Context) (auth.Decisions, error) {
	decided, err := e.Authorizer.Decide(ctx, []auth.Check{
		auth.ForPlatform(auth.ManageUsers), auth.ForPlatform(auth.UpdateUsers), auth.ForPlatform(auth.UpdateGroups),
	})
	switch {
	case err != nil:
		return nil, err
	case !decided[0].Allowed() && decided[1].Allowed() && decided[2].Allowed():
		return decided[1:], nil
	}
	return decided[:1], decided[0].Err()
}

// RequireOver decides that the actor has one of some privileges on an entity.
func (e *Editor) RequireOver(ctx context.Context, on urn.URN, oneOf ...auth.Privilege) (auth.Decisions, error) {
	return e.Decide(ctx, auth.Over(on, oneOf...))
}

// RequireEach decides that the actor has one of some privileges on each of some entities.
func (e *Editor) RequireEach(ctx context.Context, on []urn.URN, oneOf ...auth.Privilege) (auth.Decisions, error) {
	if len(on) == 0 {
		return nil, nil
	}
	return e.Decide(ctx, auth.OverEach(on, oneOf...))
}

// RequireOwn decides the privilege Own on entities that belong to the actor, or that do not exist
// yet and will belong to it. For entities without an owner, the caller must have checked that the
// actor may write them.
func (e *Editor) RequireOwn(ctx context.Context, own ...urn.URN) (auth.Decisions, error) {
	return e.Decide(ctx, auth.OverEach(own, auth.Own))
}

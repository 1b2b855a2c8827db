package edit

import (
	"cmp"
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Actor is who acts. Nobody is fault.Unauthenticated.
func Actor(ctx context.Context) (urn.URN, error) {
	who, ok := auth.ActorFrom(ctx)
	if !ok {
		return "", fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return who.URN, nil
}

// Decide gives the decisions that checks allow. All of them must be allowed; the
// error is the first refusal.
func (e *Editor) Decide(ctx context.Context, checks ...auth.Check) (auth.Decisions, error) {
	return auth.Require(ctx, e.Authorizer, checks...)
}

// DecideOne gives the decision of the first of some alternatives that is allowed.
// When none is, the error is the refusal of the first.
func (e *Editor) DecideOne(ctx context.Context, alternatives ...auth.Check) (auth.Decisions, error) {
	return auth.RequireOne(ctx, e.Authorizer, alternatives...)
}

// RefuseHidden refuses what a check refuses, when view authorization hides an entity from
// the actor. Otherwise it is nil. An absent entity is hidden from those who would not see it, so a
// service that decides by what is stored of an entity asks this before it says that the entity does not
// exist; see Refusal.
func (e *Editor) RefuseHidden(ctx context.Context, u urn.URN, check auth.Check) error {
	hidden, err := e.Catalog.Hidden(ctx, []urn.URN{u})
	if err != nil || !hidden[0] {
		return err
	}
	_, err = e.Decide(ctx, check)
	return err
}

// Refusal is the error of a decision that follows from what is stored of an entity. When that
// is a refusal and view authorization hides the entity, the refusal is that of a check that does not follow
// from it, as RefuseHidden gives it for an absent entity: so refusals tell neither that the entity exists nor
// what is stored of it.
func (e *Editor) Refusal(ctx context.Context, u urn.URN, refused error, check auth.Check) error {
	if refused == nil || fault.KindOf(refused) != fault.Forbidden {
		return refused
	}
	return cmp.Or(e.RefuseHidden(ctx, u, check), refused)
}

// Require asks for one of some privileges of the platform.
func (e *Editor) Require(ctx context.Context, oneOf ...auth.Privilege) (auth.Decisions, error) {
	return e.Decide(ctx, auth.ForPlatform(oneOf...))
}

// RequireIdentities asks for the right to manage users and groups: the privilege of
// that name, or those to update users and to update groups, which also delete.
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

// RequireOver asks for one of some privileges over an entity.
func (e *Editor) RequireOver(ctx context.Context, on urn.URN, oneOf ...auth.Privilege) (auth.Decisions, error) {
	return e.Decide(ctx, auth.Over(on, oneOf...))
}

// RequireEach asks for one of some privileges over each of some entities.
func (e *Editor) RequireEach(ctx context.Context, on []urn.URN, oneOf ...auth.Privilege) (auth.Decisions, error) {
	if len(on) == 0 {
		return nil, nil
	}
	return e.Decide(ctx, auth.OverEach(on, oneOf...))
}

// RequireOwn asks for the right over entities that are the actor's, or that do not exist and
// will be. Of entities that belong to nobody, the caller has found out that the actor may write them.
func (e *Editor) RequireOwn(ctx context.Context, own ...urn.URN) (auth.Decisions, error) {
	return e.Decide(ctx, auth.OverEach(own, auth.Own))
}

package edit

import (
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

// Decided is for changes that a service has allowed by rules of its own, such
// as those to settings of one's own: the actor stays who it is, and the catalog
// does not ask for a privilege over the entity. Without an actor it changes
// nothing.
func Decided(ctx context.Context) context.Context {
	who, ok := auth.ActorFrom(ctx)
	if !ok {
		return ctx
	}
	who.System = true
	return auth.WithActor(ctx, who)
}

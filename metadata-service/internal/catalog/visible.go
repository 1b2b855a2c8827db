package catalog

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Views restrict searches. A personal one is its owner's business: it tells what
// somebody works on.
const (
	viewEntity   = "dataHubView"
	viewInfo     = "dataHubViewInfo"
	personalView = "PERSONAL"
)

// mayRead asks the authorizer; the service itself may. Personal views of others
// are not read by those who do not manage views.
func (s *Service) mayRead(ctx context.Context, u urn.URN, aspect string) error {
	if err := s.mayLook(ctx, auth.OpRead, u, aspect); err != nil || u.Type() != viewEntity || u.Key() == "" {
		return err
	}
	return s.mayReadView(ctx, u)
}

func (s *Service) mayReadView(ctx context.Context, u urn.URN) error {
	all, err := s.SeesAllViews(ctx)
	if err != nil || all {
		return err
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: viewInfo})
	if err != nil || records[0] == nil {
		return err
	}
	info, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return err
	}
	actor, _ := auth.ActorFrom(ctx)
	if jsontree.Text(info, "type") != personalView || jsontree.Text(jsontree.Child(info, "created"), "actor") == string(actor.URN) {
		return nil
	}
	return fault.New(fault.Forbidden, "%s is unauthorized to %s %s: it is the personal view of somebody else, which needs the privilege %s",
		actor.URN, auth.OpRead, u, auth.ManageGlobalViews)
}

// SeesAllViews tells whether the actor may see personal views of others.
func (s *Service) SeesAllViews(ctx context.Context) (bool, error) {
	if actor, _ := auth.ActorFrom(ctx); actor.System {
		return true, nil
	}
	err := s.Authorizer.Require(ctx, auth.ManageGlobalViews)
	if errors.Is(err, fault.Forbidden) {
		return false, nil
	}
	return err == nil, err
}

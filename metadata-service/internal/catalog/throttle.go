package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// throttledMode is a secondary-index entry, beside readOnlyMode, that exists while writes of
// programs are throttled.
var throttledMode = store.Term{Index: readOnlyMode.Index, Value: "throttled"}

// SetThrottled switches the throttle on or off. While it is on, writes with an access token fail
// with fault.Throttled on all replicas; signed-in people and the service itself can still write. It
// requires auth.ManageSystem.
func (s *Service) SetThrottled(ctx context.Context, on bool) error {
	if err := s.requirePrivilege(ctx, auth.ManageSystem); err != nil {
		return err
	}
	_, err := s.Store.Update(ctx, func(tx store.Tx) error {
		if on {
			return tx.AddTerm(ctx, throttledMode, model.SystemActor)
		}
		return tx.RemoveTerm(ctx, throttledMode, model.SystemActor)
	})
	return err
}

// Throttled reports whether the throttle is on. It requires auth.ManageSystem.
func (s *Service) Throttled(ctx context.Context) (bool, error) {
	if err := s.requirePrivilege(ctx, auth.ManageSystem); err != nil {
		return false, err
	}
	return isSet(ctx, s.Store, throttledMode)
}

// checkThrottle refuses changes made with an access token while the throttle is on.
func (t *txn) checkThrottle() error {
	if t.actor.System || t.actor.TokenID == "" {
		return nil
	}
	on, err := isSet(t.ctx, t.tx, throttledMode)
	if err == nil && on {
		err = fault.New(fault.Throttled, "an operator throttles the writes of programs; try again later")
	}
	return err
}

func isSet(ctx context.Context, terms store.TermIndex, mode store.Term) (bool, error) {
	found, err := terms.Lookup(ctx, mode, "", 1)
	return len(found) > 0, err
}

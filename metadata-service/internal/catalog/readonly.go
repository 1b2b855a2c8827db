package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// readOnlyMode is an entry of the secondary index that exists while the catalog is in read-only
// mode. It is in the store, so that it applies to every replica from the next transaction on and
// survives a restart.
var readOnlyMode = store.Term{Index: "$mode", Value: "read-only"}

// SetWritable switches read-only mode off (true) or on (false). In read-only mode every write fails
// with fault.Unavailable, on all replicas, until the mode is switched off; tokens can still be
// revoked. It requires auth.SetWriteable or auth.ManageSystem.
func (s *Service) SetWritable(ctx context.Context, writable bool) error {
	if err := s.requirePrivilege(ctx, auth.SetWriteable, auth.ManageSystem); err != nil {
		return err
	}
	_, err := s.Store.Update(ctx, func(tx store.Tx) error {
		if writable {
			return tx.RemoveTerm(ctx, readOnlyMode, model.SystemActor)
		}
		return tx.AddTerm(ctx, readOnlyMode, model.SystemActor)
	})
	return err
}

// checkWritable refuses changes in read-only mode.
func (t *txn) checkWritable() error { return refuseReadOnly(t.ctx, t.tx) }

// Writable returns fault.Unavailable in read-only mode. It saves work that could not be stored; the
// transaction checks again.
func (s *Service) Writable(ctx context.Context) error { return refuseReadOnly(ctx, s.Store) }

func refuseReadOnly(ctx context.Context, terms store.TermIndex) error {
	on, err := isSet(ctx, terms, readOnlyMode)
	if err == nil && on {
		err = fault.New(fault.Unavailable, "the catalog is switched to read-only by an operator; try again later")
	}
	return err
}

package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// readOnlyMode is the entry of the secondary index that stands while the catalog
// is in read-only mode. It lives in the store, so that it holds for every
// replica from the next transaction on, and over a restart.
var readOnlyMode = store.Term{Index: "$mode", Value: "read-only"}

// SetWritable switches read-only mode off, or on: then every write fails with
// fault.Unavailable, on all replicas and until it is switched off. Revocations
// of tokens go on. It asks for auth.SetWriteable or auth.ManageSystem.
func (s *Service) SetWritable(ctx context.Context, writable bool) error {
	if err := s.require(ctx, auth.SetWriteable, auth.ManageSystem); err != nil {
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

// Writable is fault.Unavailable in read-only mode. It spares work that could not
// be stored; the transaction asks again.
func (s *Service) Writable(ctx context.Context) error { return refuseReadOnly(ctx, s.Store) }

func refuseReadOnly(ctx context.Context, terms store.TermIndex) error {
	on, err := isSet(ctx, terms, readOnlyMode)
	if err == nil && on {
		err = fault.New(fault.Unavailable, "the catalog is switched to read-only by an operator; try again later")
	}
	return err
}

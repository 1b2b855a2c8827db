package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ApplyRetention deletes history beyond the retention rules and returns the number of rows deleted.
// An empty URN means all entities, an empty aspect all aspects. It works page by page, one
// transaction per page. It requires auth.ApplyRetention or auth.ManageSystem.
func (s *Service) ApplyRetention(ctx context.Context, u urn.URN, aspect string) (int, error) {
	if err := s.requirePrivilege(ctx, auth.ApplyRetention, auth.ManageSystem); err != nil {
		return 0, err
	}
	if u != "" {
		return s.retain(ctx, []urn.URN{u}, aspect)
	}
	total := 0
	after := urn.URN("")
	for ctx.Err() == nil {
		page, err := s.Store.Scan(ctx, store.Scan{After: after})
		if err != nil || len(page) == 0 {
			return total, err
		}
		n, err := s.retain(ctx, page, aspect)
		if err != nil {
			return total, err
		}
		total += n
		after = page[len(page)-1]
	}
	return total, ctx.Err()
}

func (s *Service) retain(ctx context.Context, urns []urn.URN, aspect string) (int, error) {
	gone := 0
	err := s.transact(ctx, WriteOptions{}, func(t *txn) error {
		gone = 0
		stored, err := t.tx.Aspects(t.ctx, urns)
		if err != nil {
			return err
		}
		for i, u := range urns {
			for _, rec := range stored[i] {
				if aspect != "" && rec.Aspect != aspect {
					continue
				}
				n, err := store.Retain(t.ctx, t.tx, rec.Key(), s.Retention.Of(u.Type(), rec.Aspect), t.now)
				if err != nil {
					return err
				}
				gone += n
			}
		}
		return nil
	})
	return gone, err
}

// requirePrivilege checks that the actor has one of the platform privileges; the service itself has
// all of them.
func (s *Service) requirePrivilege(ctx context.Context, oneOf ...auth.Privilege) error {
	return s.Permit(ctx, auth.ForPlatform(oneOf...))
}

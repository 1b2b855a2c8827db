package edit

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
)

// Write executes proposals unchanged, all or none. It is for proposals that Apply cannot express:
// patches and time-series documents.
func (e *Editor) Write(ctx context.Context, decided auth.Decisions, proposals ...catalog.Proposal) error {
	if len(proposals) == 0 {
		return nil
	}
	_, err := e.Catalog.Write(ctx, proposals, catalog.WriteOptions{Decisions: decided})
	return Unwrap(err)
}

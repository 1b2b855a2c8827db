package graphql

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

const connectionRefusal = "Unauthorized to upsert Connection. Please contact your DataHub Administrator if this needs corrective action."

// UpsertConnection creates or replaces a connection and returns it.
func (m *mutation) UpsertConnection(ctx context.Context, args gqltype.UpsertConnectionArgs) (*gqltype.DataHubConnection, error) {
	in := args.Input
	draft := secret.ConnectionDraft{ID: value(in.Id), Platform: in.PlatformUrn, Name: in.Name}
	if in.Json != nil {
		draft.Blob = ptr(config.Secret(in.Json.Blob))
	}
	u, err := m.api.Secrets.UpsertConnection(ctx, draft)
	if errors.Is(err, fault.Forbidden) {
		return nil, messageError{connectionRefusal, err}
	}
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataHubConnection {
		return l.DataHubConnection(u, selectionOf(ctx, "upsertConnection"))
	})
}

// ConnectionDetails returns the complete details of a connection to actors that may manage
// connections. They are not among the aspects that are loaded for entities, since they are
// secret.
func (a *api) ConnectionDetails(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.DataHubConnectionDetails, error) {
	out := &gqltype.DataHubConnectionDetails{Type: "JSON"}
	details, err := readWithinBudget(ctx, 1, noExtraCost, func() (*secret.ConnectionDetails, error) { return a.Secrets.ConnectionDetails(ctx, at.URN) })
	if err != nil || details == nil {
		return out, err
	}
	out.Name = nilIfZero(details.Name)
	if details.Blob != nil {
		out.Json = &gqltype.DataHubJsonConnection{Blob: details.Blob.Reveal()}
	}
	return out, nil
}

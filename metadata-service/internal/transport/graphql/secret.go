package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/config"
)

const defaultSecrets = 20

// CreateSecret stores a secret and returns its URN.
func (m *mutation) CreateSecret(ctx context.Context, args gqltype.CreateSecretArgs) (*string, error) {
	in := args.Input
	u, err := m.api.Secrets.Create(ctx, secret.Draft{Name: in.Name, Value: config.Secret(in.Value), Description: in.Description})
	return nilIfZero(string(u)), err
}

// UpdateSecret replaces a secret and returns its URN.
func (m *mutation) UpdateSecret(ctx context.Context, args gqltype.UpdateSecretArgs) (*string, error) {
	in := args.Input
	u, err := m.api.entityURN("urn", in.Urn, secret.EntityType)
	if err != nil {
		return nil, err
	}
	return nilIfZero(string(u)), m.api.Secrets.Update(ctx, u, secret.Draft{Name: in.Name, Value: config.Secret(in.Value), Description: in.Description})
}

// DeleteSecret deletes a secret and returns its URN.
func (m *mutation) DeleteSecret(ctx context.Context, args gqltype.DeleteSecretArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, secret.EntityType)
	if err != nil {
		return nil, err
	}
	return nilIfZero(string(u)), m.api.Secrets.Delete(ctx, u)
}

// ListSecrets lists secrets without their values.
func (q *query) ListSecrets(ctx context.Context, args gqltype.ListSecretsArgs) (*gqltype.ListSecretsResult, error) {
	from, size, err := page(args.Input.Start, args.Input.Count, defaultSecrets)
	if err != nil {
		return nil, err
	}
	query := value(args.Input.Query)
	if query == "*" {
		query = ""
	}
	all, err := q.api.Catalog.Count(ctx, secret.EntityType) // all secrets are read for every page
	if err != nil {
		return nil, err
	}
	found, err := readWithinBudget(ctx, searchCost+all, noExtraCost[[]secret.Info], func() ([]secret.Info, error) { return q.api.Secrets.List(ctx, query) })
	if err != nil {
		return nil, err
	}
	out := &gqltype.ListSecretsResult{Start: ptr(int32(from)), Count: ptr(int32(size)), Total: ptr(int32(len(found))), Secrets: []*gqltype.Secret{}}
	for _, s := range pageOf(found, from, size) {
		out.Secrets = append(out.Secrets, &gqltype.Secret{Urn: string(s.URN), Name: s.Name, Description: s.Description})
	}
	return out, nil
}

// GetSecretValues returns the values of secrets. Unknown names are left out.
func (q *query) GetSecretValues(ctx context.Context, args gqltype.GetSecretValuesArgs) (*[]*gqltype.SecretValue, error) {
	found, err := q.api.Secrets.Values(ctx, args.Input.Secrets)
	if err != nil {
		return nil, err
	}
	out := make([]*gqltype.SecretValue, 0, len(found))
	for _, v := range found {
		out = append(out, &gqltype.SecretValue{Name: v.Name, Value: v.Value.Reveal()})
	}
	return &out, nil
}

package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

const defaultServiceAccounts = 10

// serviceAccountRefusal is the message for actors that lack the privilege for an operation on
// service accounts.
func serviceAccountRefusal(what string) string {
	return "Unauthorized to " + what + " service accounts. Please contact your DataHub administrator."
}

// CreateServiceAccount creates a service account. The name in the response is its complete id.
func (m *mutation) CreateServiceAccount(ctx context.Context, args gqltype.CreateServiceAccountArgs) (*gqltype.ServiceAccount, error) {
	u, err := m.api.Principals.CreateServiceAccount(ctx, value(args.Input.DisplayName), value(args.Input.Description))
	if err != nil {
		return nil, withMessage(err, serviceAccountRefusal("create"))
	}
	return build(ctx, m.api, func(l *loader) *gqltype.ServiceAccount {
		return l.ServiceAccount(u, selectionOf(ctx, "createServiceAccount"))
	})
}

// ListServiceAccounts lists service accounts.
func (q *query) ListServiceAccounts(ctx context.Context, args gqltype.ListServiceAccountsArgs) (*gqltype.ListServiceAccountsResult, error) {
	if err := q.api.Principals.MayReadServiceAccounts(ctx); err != nil {
		return nil, withMessage(err, serviceAccountRefusal("list"))
	}
	in := args.Input
	found, err := q.api.list(ctx, account.EntityType, in.Query, in.Start, in.Count, defaultServiceAccounts, []search.Filter{equalTo("typeNames", account.ServiceType)})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listServiceAccounts").Of("ListServiceAccountsResult")["serviceAccounts"]
	out, err := build(ctx, q.api, func(l *loader) *gqltype.ListServiceAccountsResult {
		return &gqltype.ListServiceAccountsResult{Start: found.start, Count: found.size, Total: found.total, ServiceAccounts: loadAll(found.urns, want, l.ServiceAccount)}
	})
	if err != nil {
		return nil, err
	}
	for _, a := range out.ServiceAccounts {
		trimServicePrefix(a)
	}
	return out, nil
}

// GetServiceAccount returns a service account, null when it does not exist.
func (q *query) GetServiceAccount(ctx context.Context, args gqltype.GetServiceAccountArgs) (*gqltype.ServiceAccount, error) {
	u, err := q.api.entityURN("urn", args.Urn, account.EntityType)
	if err != nil {
		return nil, err
	}
	there, err := q.api.Principals.FindServiceAccount(ctx, u)
	if err != nil || !there {
		return nil, withMessage(err, serviceAccountRefusal("view"))
	}
	out, err := build(ctx, q.api, func(l *loader) *gqltype.ServiceAccount {
		return l.ServiceAccount(u, selectionOf(ctx, "getServiceAccount"))
	})
	if err == nil {
		trimServicePrefix(out)
	}
	return out, err
}

// trimServicePrefix removes the common prefix of service account ids, because clients show the
// rest in lists.
func trimServicePrefix(a *gqltype.ServiceAccount) {
	a.Name = strings.TrimPrefix(a.Name, account.ServicePrefix)
}

// DeleteServiceAccount deletes a service account permanently.
func (m *mutation) DeleteServiceAccount(ctx context.Context, args gqltype.DeleteServiceAccountArgs) (bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.EntityType)
	if err != nil {
		return false, err
	}
	err = m.api.Principals.DeleteServiceAccount(ctx, u)
	return err == nil, withMessage(err, serviceAccountRefusal("delete"))
}

// UpdateServiceAccountDefaultView sets the default view of a service account.
func (m *mutation) UpdateServiceAccountDefaultView(ctx context.Context, args gqltype.UpdateServiceAccountDefaultViewArgs) (bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, account.EntityType)
	if err != nil {
		return false, err
	}
	err = m.api.Principals.SetDefaultView(ctx, u, value(args.Input.DefaultView))
	return err == nil, withMessage(err, serviceAccountRefusal("manage"))
}

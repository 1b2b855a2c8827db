package graphql

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/role"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/urn"
)

// correctiveAction is the last sentence of refusals about roles and invitations.
const correctiveAction = " Please contact your DataHub administrator if this needs corrective action."

// ListRoles lists roles, sorted by name.
func (q *query) ListRoles(ctx context.Context, args gqltype.ListRolesArgs) (*gqltype.ListRolesResult, error) {
	in := args.Input
	found, err := q.api.list(ctx, role.EntityType, in.Query, in.Start, in.Count, defaultListing, nil, search.Sort{Field: "name"})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listRoles").Of("ListRolesResult")["roles"]
	out, err := build(ctx, q.api, func(l *loader) *gqltype.ListRolesResult {
		return &gqltype.ListRolesResult{Start: found.start, Count: found.size, Total: found.total, Roles: loadAll(found.urns, want, l.DataHubRole)}
	})
	if err == nil {
		slices.SortStableFunc(out.Roles, func(a, b *gqltype.DataHubRole) int { return cmp.Compare(a.Name, b.Name) })
	}
	return out, err
}

// BatchAssignRole replaces the roles of users and groups by one role, or by none.
func (m *mutation) BatchAssignRole(ctx context.Context, args gqltype.BatchAssignRoleArgs) (*bool, error) {
	u, err := m.api.roleURN(args.Input.RoleUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(withMessage(m.api.Roles.Assign(ctx, u, args.Input.Actors), "Unauthorized to assign roles."+correctiveAction))
}

// roleURN parses an optional role.
func (a *api) roleURN(text *string) (urn.URN, error) {
	if text == nil {
		return "", nil
	}
	return a.entityURN("roleUrn", *text, role.EntityType)
}

// GetInviteToken returns the invitation to a role, or to none.
func (q *query) GetInviteToken(ctx context.Context, args gqltype.GetInviteTokenArgs) (*gqltype.InviteToken, error) {
	u, err := q.api.roleURN(args.Input.RoleUrn)
	if err != nil {
		return nil, err
	}
	text, err := q.api.Credentials.Invite(ctx, credentials.Terms{Role: u})
	return inviteToken(text, withMessage(err, "Unauthorized to get invite tokens."+correctiveAction))
}

// CreateInviteToken creates a new invitation and invalidates the previous one.
func (m *mutation) CreateInviteToken(ctx context.Context, args gqltype.CreateInviteTokenArgs) (*gqltype.InviteToken, error) {
	u, err := m.api.roleURN(args.Input.RoleUrn)
	if err != nil {
		return nil, err
	}
	text, err := m.api.Credentials.RenewInvite(ctx, credentials.Terms{Role: u})
	return inviteToken(text, withMessage(err, "Unauthorized to create invite tokens."+correctiveAction))
}

func inviteToken(text config.Secret, err error) (*gqltype.InviteToken, error) {
	if err != nil {
		return nil, err
	}
	return &gqltype.InviteToken{InviteToken: text.Reveal()}, nil
}

// AcceptRole assigns the role of an invitation to the actor.
func (m *mutation) AcceptRole(ctx context.Context, args gqltype.AcceptRoleArgs) (*bool, error) {
	return trueResult(m.api.Roles.Accept(ctx, config.Secret(args.Input.InviteToken)))
}

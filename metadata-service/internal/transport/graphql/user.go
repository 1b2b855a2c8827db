package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// noServiceAccounts is the filter that excludes service accounts.
func noServiceAccounts() search.Filter {
	return search.Filter{{{Field: "typeNames", Values: []string{"SERVICE_ACCOUNT"}, Negated: true}}}
}

// ListUsers lists users.
func (q *query) ListUsers(ctx context.Context, args gqltype.ListUsersArgs) (*gqltype.ListUsersResult, error) {
	in := args.Input
	found, err := q.api.list(ctx, account.EntityType, in.Query, in.Start, in.Count, defaultListing, []search.Filter{noServiceAccounts()})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listUsers").Of("ListUsersResult")["users"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListUsersResult {
		return &gqltype.ListUsersResult{Start: found.start, Count: found.size, Total: found.total, Users: loadAll(found.urns, want, l.CorpUser)}
	})
}

// SearchUsers searches users, with filters and facets.
func (q *query) SearchUsers(ctx context.Context, args gqltype.SearchUsersArgs) (*gqltype.SearchResults, error) {
	if err := q.api.Principals.MayManage(ctx); err != nil {
		return nil, withMessage(err, "Unauthorized to list users and groups.")
	}
	request := searchRequestOf(args.Input)
	request.types = &[]string{"CORP_USER"}
	query, err := q.api.toQuery(ctx, request)
	if err != nil {
		return nil, err
	}
	query.And = append(query.And, noServiceAccounts())
	return q.api.searchResults(ctx, query, selectionOf(ctx, "searchUsers"))
}

// RemoveUser deletes a user permanently.
func (m *mutation) RemoveUser(ctx context.Context, args gqltype.RemoveUserArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Principals.Remove(ctx, u))
}

// UpdateUserStatus suspends or reactivates a user and returns its URN.
func (m *mutation) UpdateUserStatus(ctx context.Context, args gqltype.UpdateUserStatusArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.EntityType)
	if err != nil {
		return nil, err
	}
	if err := m.api.Principals.SetStatus(ctx, u, args.Status); err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// CreateNativeUserResetToken creates the token of a link with which a user sets a new password.
func (m *mutation) CreateNativeUserResetToken(ctx context.Context, args gqltype.CreateNativeUserResetTokenArgs) (*gqltype.ResetToken, error) {
	u, err := m.api.entityURN("userUrn", args.Input.UserUrn, account.EntityType)
	if err != nil {
		return nil, err
	}
	text, _, err := m.api.Credentials.CreateReset(ctx, u)
	if err != nil {
		return nil, err
	}
	return &gqltype.ResetToken{ResetToken: text.Reveal()}, nil
}

// UpdateCorpUserProperties updates the profile of a user.
func (m *mutation) UpdateCorpUserProperties(ctx context.Context, args gqltype.UpdateCorpUserPropertiesArgs) (*gqltype.CorpUser, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.EntityType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	err = m.api.Principals.UpdateUser(ctx, u, principal.UserProfile{
		DisplayName: in.DisplayName, Title: in.Title, AboutMe: in.AboutMe, PictureLink: in.PictureLink, Teams: in.Teams, Skills: in.Skills,
		Platforms: in.PlatformUrns, Persona: in.PersonaUrn, Email: in.Email, Phone: in.Phone, Slack: in.Slack,
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.CorpUser { return l.CorpUser(u, selectionOf(ctx, "updateCorpUserProperties")) })
}

// UpdateUserSetting switches a setting of the actor on or off.
func (m *mutation) UpdateUserSetting(ctx context.Context, args gqltype.UpdateUserSettingArgs) (*bool, error) {
	return trueResult(m.api.Settings.SetSwitch(ctx, setting.Switch(args.Input.Name), args.Input.Value))
}

// UpdateCorpUserLocaleSettings sets the language of the actor.
func (m *mutation) UpdateCorpUserLocaleSettings(ctx context.Context, args gqltype.UpdateCorpUserLocaleSettingsArgs) (*bool, error) {
	return trueResult(m.api.Settings.SetLanguage(ctx, value(args.Input.Language)))
}

// DebugAccess returns the roles, groups and policies of a user, and the resulting privileges.
func (q *query) DebugAccess(ctx context.Context, args gqltype.DebugAccessArgs) (*gqltype.DebugAccessResult, error) {
	u, err := q.api.entityURN("userUrn", args.UserUrn, account.EntityType)
	if err != nil {
		return nil, err
	}
	a, err := q.api.Access.Sources(ctx, u)
	if err != nil {
		return nil, err
	}
	return &gqltype.DebugAccessResult{
		Roles: texts(a.Roles), Groups: texts(a.Groups), GroupsWithRoles: texts(a.GroupsWithRoles), RolesViaGroups: texts(a.RolesViaGroups),
		AllRoles: texts(a.AllRoles), Policies: texts(a.Policies), Privileges: texts(a.Privileges),
	}, nil
}

// texts converts a list to strings. The result is never nil.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, one := range list {
		out[i] = string(one)
	}
	return out
}

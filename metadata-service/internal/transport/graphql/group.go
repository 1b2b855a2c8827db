package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// ListGroups lists groups, newest first unless a query text ranks them.
func (q *query) ListGroups(ctx context.Context, args gqltype.ListGroupsArgs) (*gqltype.ListGroupsResult, error) {
	if err := q.api.Principals.MayManage(ctx); err != nil {
		return nil, err
	}
	in := args.Input
	found, err := q.api.list(ctx, account.GroupType, in.Query, in.Start, in.Count, defaultListing, nil,
		unlessRanked(in.Query, search.Sort{Field: "createdTime", Descending: true})...)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listGroups").Of("ListGroupsResult")["groups"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListGroupsResult {
		return &gqltype.ListGroupsResult{Start: found.start, Count: found.size, Total: found.total, Groups: loadAll(found.urns, want, l.CorpGroup)}
	})
}

// CreateGroup creates a group and returns its URN.
func (m *mutation) CreateGroup(ctx context.Context, args gqltype.CreateGroupArgs) (*string, error) {
	u, err := m.api.Principals.CreateGroup(ctx, principal.GroupDraft{ID: value(args.Input.Id), Name: args.Input.Name, Description: args.Input.Description})
	if err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// RemoveGroup deletes a group permanently.
func (m *mutation) RemoveGroup(ctx context.Context, args gqltype.RemoveGroupArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.GroupType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Principals.Remove(ctx, u))
}

// AddGroupMembers adds users to a group.
func (m *mutation) AddGroupMembers(ctx context.Context, args gqltype.AddGroupMembersArgs) (*bool, error) {
	return trueResult(m.api.Principals.AddMembers(ctx, args.Input.GroupUrn, args.Input.UserUrns))
}

// RemoveGroupMembers removes users from a group.
func (m *mutation) RemoveGroupMembers(ctx context.Context, args gqltype.RemoveGroupMembersArgs) (*bool, error) {
	return trueResult(m.api.Principals.RemoveMembers(ctx, args.Input.GroupUrn, args.Input.UserUrns))
}

// UpdateCorpGroupProperties updates the profile of a group.
func (m *mutation) UpdateCorpGroupProperties(ctx context.Context, args gqltype.UpdateCorpGroupPropertiesArgs) (*gqltype.CorpGroup, error) {
	u, err := m.api.entityURN("urn", args.Urn, account.GroupType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	err = m.api.Principals.UpdateGroup(ctx, u, principal.GroupProfile{Description: in.Description, Slack: in.Slack, Email: in.Email, PictureLink: in.PictureLink})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.CorpGroup {
		return l.CorpGroup(u, selectionOf(ctx, "updateCorpGroupProperties"))
	})
}

package principal

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const groupProfile = "corpGroupEditableInfo"

// GroupDraft describes a group to create.
type GroupDraft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
}

// CreateGroup creates a group without members. It requires edit.RequireIdentities. An id that is in
// use is fault.Malformed; names need not be unique.
func (s *Service) CreateGroup(ctx context.Context, d GroupDraft) (urn.URN, error) {
	decided, err := s.edit.RequireIdentities(ctx)
	if err != nil {
		return "", err
	}
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	value := jsontree.Object{"displayName": d.Name, "members": []any{}, "groups": []any{}, "admins": []any{}, "created": s.edit.Stamp(ctx)}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	u, err := s.edit.NewURN(ctx, "Group", account.GroupType, d.ID)
	if err != nil {
		return "", err
	}
	return u, s.edit.Create(ctx, decided, "Group", u, edit.Set(u, account.GroupInfo, value), edit.Set(u, account.GroupOrigin, jsontree.Object{"type": "NATIVE"}))
}

// GroupProfile holds the editable properties of a group. Nil members stay unchanged.
type GroupProfile struct{ Description, Slack, Email, PictureLink *string }

// UpdateGroup changes the properties of an existing group. The description requires auth.EditDocs,
// picture and contact data require auth.EditContact; auth.EditEntity permits all of them.
func (s *Service) UpdateGroup(ctx context.Context, u urn.URN, p GroupProfile) error {
	var checks []auth.Check
	for _, part := range []struct {
		given bool
		needs []auth.Privilege
	}{
		{p.Description != nil, []auth.Privilege{auth.EditDocs, auth.EditEntity}},
		{p.Slack != nil || p.Email != nil || p.PictureLink != nil || p == (GroupProfile{}), []auth.Privilege{auth.EditContact, auth.EditEntity}},
	} {
		if part.given {
			checks = append(checks, auth.Over(u, part.needs...))
		}
	}
	decided, err := s.edit.Decide(ctx, checks...)
	if err != nil {
		return err
	}
	members := map[string]any{}
	if err := setText(members, "description", p.Description, edit.MaxText); err != nil {
		return err
	}
	for name, text := range map[string]*string{"slack": p.Slack, "email": p.Email, "pictureLink": p.PictureLink} {
		if err := setText(members, name, text, edit.MaxName); err != nil {
			return err
		}
	}
	return s.updateProfile(ctx, decided, "group", u, groupProfile, jsontree.Object{}, members)
}

// AddMembers adds existing users to a group, all or none. It requires auth.EditGroupMembers on the
// group; if the actor adds itself, the catalog also requires auth.ManageUsers. A group that does
// not exist is fault.NotFound.
func (s *Service) AddMembers(ctx context.Context, group string, users []string) error {
	decided, u, members, err := s.membership(ctx, group, users)
	if err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, "user", members...); err != nil {
		return err
	}
	if err := s.makeNative(ctx, decided, u); err != nil {
		return err
	}
	changes := make([]edit.Change, 0, len(members))
	for _, member := range members {
		changes = append(changes, addGroup(member, u))
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

func addGroup(member, group urn.URN) edit.Change {
	return edit.Change{URN: member, Aspect: account.NativeGroups, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		list, _ := value["nativeGroups"].([]any)
		if indexOf(list, group) >= 0 {
			return nil, nil
		}
		return jsontree.Object{"nativeGroups": append(list, string(group))}, nil
	}}
}

// RemoveMembers removes users from a group, both edited and ingested memberships. It requires the
// same privileges as AddMembers.
func (s *Service) RemoveMembers(ctx context.Context, group string, users []string) error {
	decided, u, members, err := s.membership(ctx, group, users)
	if err != nil {
		return err
	}
	if err := s.makeNative(ctx, decided, u); err != nil {
		return err
	}
	changes := make([]edit.Change, 0, 2*len(members))
	for _, member := range members {
		changes = append(changes, removeGroup(member, account.NativeGroups, "nativeGroups", u), removeGroup(member, account.IngestedGroups, "groups", u))
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

func removeGroup(member urn.URN, aspect, list string, group urn.URN) edit.Change {
	return edit.Change{URN: member, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		groups, _ := value[list].([]any)
		i := indexOf(groups, group)
		if i < 0 {
			return nil, nil
		}
		value[list] = append(groups[:i:i], groups[i+1:]...)
		return value, nil
	}}
}

// membership validates a change of members and decides the privilege for it.
func (s *Service) membership(ctx context.Context, group string, users []string) (auth.Decisions, urn.URN, []urn.URN, error) {
	u, err := s.edit.Parse("groupUrn", group, account.GroupType)
	if err != nil {
		return nil, "", nil, err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.EditGroupMembers, auth.EditEntity)
	if err != nil {
		return nil, "", nil, err
	}
	members, err := s.edit.ParseAll("userUrns", users, "corpuser")
	if err != nil {
		return nil, "", nil, err
	}
	there, err := s.edit.Exists(ctx, u)
	if err != nil {
		return nil, "", nil, err
	}
	if !there {
		return nil, "", nil, fault.New(fault.NotFound, "group does not exist: %s", u)
	}
	from, err := s.edit.Stored(ctx, u, account.GroupOrigin)
	if err != nil {
		return nil, "", nil, err
	}
	if from["type"] == "EXTERNAL" {
		return nil, "", nil, fault.New(fault.Invalid, "Group %s was ingested from an external provider: change its members there", u)
	}
	return decided, u, members, nil
}

// movePage is the number of members per write in makeNative.
const movePage = 200

// makeNative makes a group without an origin a native group. It moves ingested members to edited
// memberships, so that the next ingestion run does not remove added members. The origin is written
// last, so the next call completes an interrupted one.
func (s *Service) makeNative(ctx context.Context, decided auth.Decisions, u urn.URN) error {
	from, err := s.edit.Stored(ctx, u, account.GroupOrigin)
	if err != nil || from != nil {
		return err
	}
	for {
		page, err := s.edit.Discover.Relationships(ctx, discover.RelationshipQuery{
			URN: u, Direction: graph.Incoming, Types: []string{"IsMemberOfGroup"}, Count: movePage, IncludeSoftDeleted: true, Deciding: true,
		})
		if err != nil {
			return fmt.Errorf("members of %s: %w", u, err)
		}
		changes := make([]edit.Change, 0, 2*len(page.Edges))
		for _, edge := range page.Edges {
			changes = append(changes, addGroup(edge.Source, u), removeGroup(edge.Source, account.IngestedGroups, "groups", u))
		}
		if written, err := s.edit.Apply(ctx, decided, changes...); err != nil {
			return err
		} else if !written {
			break
		}
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: account.GroupOrigin, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value != nil {
			return nil, nil
		}
		return jsontree.Object{"type": "NATIVE"}, nil
	}})
	return err
}

func indexOf(list []any, u urn.URN) int {
	for i, e := range list {
		if e == string(u) {
			return i
		}
	}
	return -1
}

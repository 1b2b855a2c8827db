// Package principal manages the entities that hold privileges: users, groups and service accounts.
//
// Users have a profile and a status. Package credentials manages their passwords, and the sign-in
// by an identity provider.
//
// Membership in groups is stored on the user: edits in nativeGroupMembership, ingested values in
// groupMembership. Groups with the origin EXTERNAL mirror groups of another system, and their
// members cannot be edited. A group without an origin becomes a native group at the first edit of
// its members, and its existing members are kept.
//
// Service accounts are users that represent programs. Package token manages their access tokens,
// which end with the account. Groups, roles and policies apply to them as to any user.
package principal

import (
	"context"
	"maps"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Service manages users, groups and service accounts. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// MayManage returns an error unless the actor in ctx may manage users and groups. Searching for
// users and listing groups require this too.
func (s *Service) MayManage(ctx context.Context) error {
	_, err := s.edit.RequireIdentities(ctx)
	return err
}

// Remove deletes a user or a group permanently, with all references to it and all memberships. It
// requires edit.RequireIdentities. System users are fault.Invalid.
func (s *Service) Remove(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.RequireIdentities(ctx)
	if err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// updateProfile sets members of the profile of an existing user or group; a nil value removes a
// member. initial is the value of a new profile; noun names the entity in messages.
func (s *Service) updateProfile(ctx context.Context, decided auth.Decisions, noun string, u urn.URN, aspect string, initial jsontree.Object, members map[string]any) error {
	if err := s.edit.MustExist(ctx, noun, u); err != nil || len(members) == 0 {
		return err
	}
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = maps.Clone(initial)
		}
		for name, v := range members {
			if value[name] = v; v == nil {
				delete(value, name)
			}
		}
		return value, nil
	}})
	return err
}

// setText checks the text of a member of a profile and adds it to members; nil stands for an absent
// one.
func setText(members map[string]any, name string, text *string, limit int) error {
	if text == nil {
		return nil
	}
	members[name] = *text
	return edit.Text(name, *text, limit, false)
}

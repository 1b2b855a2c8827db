package credentials

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const inviteBatch = 500

// invite is the form in which an invitation is stored. Token is the nonce from
// which its text is derived.
type invite struct {
	Token string `json:"token"`
	Terms
}

// Terms are what an invitation grants to those who come with it.
type Terms struct {
	Role urn.URN `json:"role,omitempty"` // empty for none
}

// Invite gives the text of the invitation with these terms, and makes it if
// there is none yet. The actor in ctx needs auth.ManageUsers, with a role also
// auth.ManagePolicies.
func (s *Service) Invite(ctx context.Context, terms Terms) (config.Secret, error) {
	if err := s.mayInvite(ctx, terms.Role); err != nil {
		return "", err
	}
	found, err := s.invites(ctx, terms)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return s.inviteText(found[0].Token), nil
	}
	return s.newInvite(ctx, terms)
}

// RenewInvite makes a new invitation with these terms and takes back those
// before. It needs what Invite needs.
func (s *Service) RenewInvite(ctx context.Context, terms Terms) (config.Secret, error) {
	if err := s.mayInvite(ctx, terms.Role); err != nil {
		return "", err
	}
	old, err := s.invites(ctx, terms)
	if err != nil {
		return "", err
	}
	for _, i := range old {
		if err := s.cfg.Aspects.Revoke(ctx, inviteURN(s.inviteText(i.Token))); err != nil {
			return "", fmt.Errorf("take an invitation back: %w", err)
		}
	}
	return s.newInvite(ctx, terms)
}

func (s *Service) mayInvite(ctx context.Context, role urn.URN) error {
	if role != "" && role.Type() != "dataHubRole" {
		return fault.New(fault.Malformed, "%.200q is not a role", role)
	}
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageUsers))
	if err == nil && role != "" {
		_, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManagePolicies))
	}
	return err
}

func (s *Service) newInvite(ctx context.Context, terms Terms) (config.Secret, error) {
	i := invite{Token: hex.EncodeToString(random(16)), Terms: terms}
	value, err := json.Marshal(i)
	if err != nil {
		return "", fmt.Errorf("encode an invitation: %w", err)
	}
	text := s.inviteText(i.Token)
	err = s.cfg.Aspects.Write(ctx, []catalog.Proposal{{
		URN: string(inviteURN(text)), Aspect: InviteAspect, Change: model.Upsert, Value: value,
	}})
	if err != nil {
		return "", fmt.Errorf("store an invitation: %w", err)
	}
	s.cfg.Log.InfoContext(ctx, "invitation made", "role", terms.Role)
	return text, nil
}

// invited tells the terms of an invitation.
func (s *Service) invited(ctx context.Context, text config.Secret) (Terms, error) {
	row, err := s.cfg.Aspects.Get(ctx, inviteURN(text), InviteAspect)
	if err != nil {
		return Terms{}, fmt.Errorf("read an invitation: %w", err)
	}
	if row == nil {
		return Terms{}, fault.New(fault.Malformed, "inviteToken: the invitation is not valid; ask for a new link")
	}
	i, err := parseInvite(row)
	return i.Terms, err
}

func (s *Service) invites(ctx context.Context, terms Terms) ([]invite, error) {
	var found []invite
	for after := urn.URN(""); ; {
		urns, err := s.cfg.Aspects.List(ctx, InviteEntity, after, inviteBatch)
		if err != nil {
			return nil, fmt.Errorf("list invitations: %w", err)
		}
		if len(urns) == 0 {
			return found, nil
		}
		for _, u := range urns {
			after = u
			row, err := s.cfg.Aspects.Get(ctx, u, InviteAspect)
			if err != nil {
				return nil, fmt.Errorf("read an invitation: %w", err)
			}
			if row == nil {
				continue
			}
			i, err := parseInvite(row)
			if err != nil {
				return nil, err
			}
			// One whose text is another now belongs to a key that was replaced; it is worthless.
			if i.Terms == terms && inviteURN(s.inviteText(i.Token)) == u {
				found = append(found, i)
			}
		}
	}
}

func parseInvite(row *model.Record) (invite, error) {
	var i invite
	if err := json.Unmarshal(row.Value, &i); err != nil {
		return i, fmt.Errorf("an invitation cannot be read: %s", row.URN)
	}
	return i, nil
}

func (s *Service) inviteText(nonce string) config.Secret {
	mac := hmac.New(sha256.New, []byte(s.cfg.InviteKey.Reveal()))
	_, _ = mac.Write([]byte("invitation " + nonce))
	return config.Secret(hex.EncodeToString(mac.Sum(nil)[:16]))
}

func inviteURN(text config.Secret) urn.URN { return urn.Make(InviteEntity, digest(text)) }

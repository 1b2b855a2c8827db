package credentials

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const inviteBatch = 500

// invite is the stored form of an invitation. Token is the nonce from which its text is derived.
type invite struct {
	Token string `json:"token"`
	Terms
}

// Terms are the rights that an invitation grants to a new user.
type Terms struct {
	Role urn.URN `json:"role,omitempty"` // empty for none
}

// Invite returns the text of the invitation with these terms, and creates the invitation if there
// is none. The actor in ctx needs auth.ManageCredentials, also for a role: an actor who can reset
// the password of an administrator gains nothing by an invitation to become one.
func (s *Service) Invite(ctx context.Context, terms Terms) (config.Secret, error) {
	if err := s.mayInvite(ctx, terms.Role); err != nil {
		return "", err
	}
	ctx, release, err := s.inviteLock.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	found, err := s.invites(ctx, terms)
	if err != nil {
		return "", err
	}
	if len(found) == 1 {
		return found[0].text, nil
	}
	return s.renew(ctx, terms, found)
}

// RenewInvite creates a new invitation with these terms and revokes the earlier ones. It requires
// the same privilege as Invite.
func (s *Service) RenewInvite(ctx context.Context, terms Terms) (config.Secret, error) {
	if err := s.mayInvite(ctx, terms.Role); err != nil {
		return "", err
	}
	ctx, release, err := s.inviteLock.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	old, err := s.invites(ctx, terms)
	if err != nil {
		return "", err
	}
	return s.renew(ctx, terms, old)
}

// renew revokes invitations before it creates a new one: with two valid invitations it would be
// unclear which one was handed out.
func (s *Service) renew(ctx context.Context, terms Terms, old []foundInvite) (config.Secret, error) {
	for _, i := range old {
		if err := s.cfg.Aspects.Revoke(ctx, inviteURN(i.text)); err != nil {
			return "", fmt.Errorf("take an invitation back: %w", err)
		}
	}
	return s.newInvite(ctx, terms)
}

// InvitedTo returns the role that an invitation grants, or an empty URN. A text that is not an
// invitation is fault.NotFound.
func (s *Service) InvitedTo(ctx context.Context, text config.Secret) (urn.URN, error) {
	terms, err := s.inviteTerms(ctx, text)
	if errors.Is(err, fault.Malformed) {
		err = fault.Wrap(err, fault.NotFound, "there is no such invitation")
	}
	return terms.Role, err
}

func (s *Service) mayInvite(ctx context.Context, role urn.URN) error {
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageCredentials))
	if err == nil && role != "" && role.Type() != account.RoleType {
		err = fault.New(fault.Malformed, "%.200q is not a role", role)
	}
	return err
}

func (s *Service) newInvite(ctx context.Context, terms Terms) (config.Secret, error) {
	i := invite{Token: hex.EncodeToString(randomBytes(16)), Terms: terms}
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

// inviteTerms returns the terms of an invitation.
func (s *Service) inviteTerms(ctx context.Context, text config.Secret) (Terms, error) {
	row, err := s.inviteRow(ctx, text)
	if err != nil {
		return Terms{}, err
	}
	i, err := parseInvite(row)
	return i.Terms, err
}

// inviteRow returns the stored form of an invitation. An invalid one is fault.Malformed.
func (s *Service) inviteRow(ctx context.Context, text config.Secret) (*model.Record, error) {
	row, err := s.cfg.Aspects.Get(ctx, inviteURN(text), InviteAspect)
	if err != nil {
		return nil, fmt.Errorf("read an invitation: %w", err)
	}
	if row == nil {
		return nil, fault.New(fault.Malformed, "inviteToken: the invitation is not valid; ask for a new link")
	}
	return row, nil
}

// stillInvites returns a proposal that writes nothing. A batch with it fails if the invitation was
// revoked or replaced since it was read.
func stillInvites(row *model.Record) catalog.Proposal {
	return catalog.Proposal{URN: string(row.URN), Aspect: InviteAspect, Change: model.Upsert, Value: row.Value, Conditions: catalog.AtVersion(catalog.VersionOf(row))}
}

// foundInvite is an invitation with its text.
type foundInvite struct {
	invite
	text config.Secret
}

func (s *Service) invites(ctx context.Context, terms Terms) ([]foundInvite, error) {
	var all []foundInvite
	for after := urn.URN(""); ; {
		urns, err := s.cfg.Aspects.List(ctx, InviteEntity, after, inviteBatch)
		if err != nil {
			return nil, fmt.Errorf("list invitations: %w", err)
		}
		if len(urns) == 0 {
			return all, nil
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
			// An invitation without a text belongs to a replaced key and is useless.
			if text, ok := s.textOf(u, i.Token); ok && i.Terms == terms {
				all = append(all, foundInvite{i, text})
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

// textOf returns the text of a stored invitation. It reports false if neither form matches the URN.
func (s *Service) textOf(u urn.URN, nonce string) (config.Secret, bool) {
	for _, text := range []config.Secret{s.inviteText(nonce), s.hexText(nonce)} {
		if inviteURN(text) == u {
			return text, true
		}
	}
	return "", false
}

// inviteText derives the text of an invitation: 32 letters, the form that clients expect.
func (s *Service) inviteText(nonce string) config.Secret {
	const letters, base = 32, 26
	number := new(big.Int).SetBytes(s.derive(nonce))
	text := make([]byte, letters)
	rest := new(big.Int)
	for i := range text {
		number.DivMod(number, big.NewInt(base), rest)
		text[i] = 'a' + byte(rest.Int64())
	}
	return config.Secret(text)
}

// hexText derives the form of invitations of earlier versions.
func (s *Service) hexText(nonce string) config.Secret {
	return config.Secret(hex.EncodeToString(s.derive(nonce)[:16]))
}

func (s *Service) derive(nonce string) []byte {
	mac := hmac.New(sha256.New, []byte(s.cfg.InviteKey.Reveal()))
	_, _ = mac.Write([]byte("invitation " + nonce))
	return mac.Sum(nil)
}

func inviteURN(text config.Secret) urn.URN { return urn.Make(InviteEntity, digest(text)) }

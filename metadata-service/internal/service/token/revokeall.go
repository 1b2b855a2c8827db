package token

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// revokePasses limits the searches for tokens that were created in the meantime.
const revokePasses = 10

// RevokeAll revokes all access tokens that represent a user and, with created, those that the user
// created for others. It returns when none is left, with the number of revoked tokens. The actor in
// ctx needs auth.ManageTokens for other users. For itself it may revoke the tokens that it owns,
// and is refused if others exist. The user need not exist any more. Sessions stay valid: suspending
// the user ends them.
func (s *Service) RevokeAll(ctx context.Context, user urn.URN, created bool) (int, error) {
	caller, ok := auth.ActorFrom(ctx)
	if !ok {
		return 0, fault.New(fault.Unauthenticated, "sign in to revoke access tokens")
	}
	if u, err := urn.Parse(string(user)); err != nil || u.Type() != account.EntityType {
		return 0, fault.New(fault.Malformed, "tokens belong to a user such as urn:li:corpuser:jo, not to %.200q", user)
	}
	if user != caller.URN {
		if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens)); err != nil {
			return 0, err
		}
	}
	revoked := 0
	for range revokePasses {
		n, err := s.revokeAll(ctx, caller, user, created)
		revoked += n
		if err != nil || n == 0 {
			return revoked, err
		}
	}
	return revoked, fmt.Errorf("%d tokens of %s were revoked: %w", revoked, user, authtoken.ErrOthersMade)
}

// revokeAll makes one pass.
func (s *Service) revokeAll(ctx context.Context, caller auth.Actor, user urn.URN, created bool) (int, error) {
	found, err := s.tokensWithTerm(ctx, rule.TokensOf(user), func(i Info) bool { return i.Actor == user })
	if err == nil && created {
		var made []Info
		made, err = s.tokensWithTerm(ctx, rule.TokensBy(user), func(i Info) bool { return i.Actor != user && i.Owner == user })
		found = append(found, made...)
	}
	if err != nil {
		return 0, err
	}
	for _, info := range found { // one refusal prevents all revocations
		if err := s.allowRevoke(ctx, caller, info); err != nil {
			return 0, err
		}
	}
	var errs []error
	n := 0
	for _, info := range found {
		if err := s.records.aspects.Revoke(ctx, info.URN); err != nil {
			errs = append(errs, fmt.Errorf("revoke token %s: %w", info.ID, err))
			continue
		}
		n++
		s.cfg.Log.InfoContext(ctx, "token revoked", "id", info.ID, "actor", caller.URN)
	}
	s.cfg.Authority.Forget()
	return n, errors.Join(errs...)
}

// tokensWithTerm returns the tokens with a term that accept returns true for.
func (s *Service) tokensWithTerm(ctx context.Context, t model.Term, accept func(Info) bool) (found []Info, err error) {
	for after := urn.URN(""); ; {
		urns, err := s.records.aspects.Lookup(ctx, t, after, listBatch)
		if err != nil {
			return nil, fmt.Errorf("find tokens: %w", err)
		}
		for _, u := range urns {
			info, ok, err := s.records.read(ctx, u.Key())
			if err != nil {
				return nil, err
			}
			if ok && accept(info) {
				found = append(found, info)
			}
			after = u
		}
		if len(urns) < listBatch {
			return found, nil
		}
	}
}

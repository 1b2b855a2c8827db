package token

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EndSessions ends all present sessions of a user, durably, and no session that begins after it
// returns. Access tokens stay valid. The actor in ctx needs auth.ManageCredentials for other users,
// and for itself if its own access token has a scope. Errors: fault.Forbidden,
// fault.Unauthenticated, fault.Malformed, fault.NotFound, and fault.Unsupported while
// authentication is off, since no request is then checked for an ended session.
func (s *Service) EndSessions(ctx context.Context, user urn.URN) error {
	caller, ok := auth.ActorFrom(ctx)
	switch {
	case !ok:
		return fault.New(fault.Unauthenticated, "sign in to end sessions")
	case s.cfg.Unchecked:
		return fault.New(fault.Unsupported, "sessions are not checked while authentication is off, so none can be ended; ask your administrator to set auth.enabled")
	}
	if u, err := urn.Parse(string(user)); err != nil || u.Type() != account.EntityType || u == model.SystemActor {
		return fault.New(fault.Malformed, "sessions belong to a user such as urn:li:corpuser:jo, not to %.200q", user)
	}
	if user != caller.URN || caller.Scope != nil {
		if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageCredentials)); err != nil {
			return err
		}
	}
	switch reason, err := s.cfg.Accounts.Status(ctx, user); {
	case err != nil:
		return fmt.Errorf("end sessions: %w", err)
	case reason == account.HardDeleted:
		return fault.New(fault.NotFound, "%.200q: the user does not exist, and has no sessions", user)
	}
	if err := s.cfg.Authority.EndAll(ctx, user); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	s.cfg.Log.InfoContext(ctx, "all sessions ended", "user", user, "actor", caller.URN)
	if s.cfg.SessionsEnded != nil {
		s.cfg.SessionsEnded(ctx, user)
	}
	return nil
}

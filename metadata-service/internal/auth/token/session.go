package token

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ErrOthersMade means that tokens of a user were created as fast as they were revoked.
var ErrOthersMade = fault.New(fault.Unavailable, "tokens of the user were made while others were revoked; suspend the user and try again")

// NewSession creates the token of a session for a user that has proved its identity. proved is the
// session epoch of the account at the proof, see account.Directory.SessionEpoch: if the password was
// changed or removed since then, the session is denied. An empty one is not compared. Only the
// system actor may call it. For a user that may not sign in the error is an *account.DeniedError.
func (a *Authority) NewSession(ctx context.Context, user urn.URN, proved string) (string, error) {
	if caller, ok := auth.ActorFrom(ctx); !ok || !caller.System {
		return "", fault.New(fault.Forbidden, "only the system actor starts sessions")
	}
	if user.Type() != account.EntityType || user == model.SystemActor {
		return "", fault.New(fault.Malformed, "%.200q is not a user who can sign in", user)
	}
	reason, err := a.cfg.Accounts.Status(ctx, user)
	if err != nil {
		return "", fmt.Errorf("start a session: %w", err)
	}
	if reason == account.ServiceAccount {
		return "", fault.New(fault.Malformed, "%.200q is not a user who can sign in", user)
	}
	if reason != "" {
		return "", &account.DeniedError{User: user, Reason: reason}
	}
	epoch, err := a.cfg.Accounts.SessionEpoch(ctx, user)
	if err != nil {
		return "", fmt.Errorf("start a session: %w", err)
	}
	if proved != "" && proved != epoch {
		return "", &account.DeniedError{User: user, Reason: account.InvalidCredentials}
	}
	mark, err := a.cfg.Denylist.StoredMark(ctx, user)
	if err != nil {
		return "", fmt.Errorf("start a session: %w", err)
	}
	c := &claims{ActorType: actorType, ActorID: user.Key(), Kind: Session, Version: sessionVersion,
		ID: uuid.NewString(), Subject: user.Key(), Issuer: a.cfg.Issuer, Epoch: sessionEpoch(epoch, mark)}
	c.expireAt(a.cfg.Now().Add(a.cfg.SessionFor))
	text, err := a.sign(c)
	if err != nil {
		return "", fmt.Errorf("sign a session: %w", err)
	}
	return text, nil
}

// EndSession ends the session of a token before it returns, durably. Ending an ended or expired
// session is no error. A text that is not a session token is fault.Malformed. The token itself is
// the authorization.
func (a *Authority) EndSession(ctx context.Context, text string) error {
	c, _, err := a.parse(text)
	if errors.Is(err, errExpired) && c.Kind == Session {
		return nil
	}
	if err != nil || c.Kind != Session {
		return fault.New(fault.Malformed, "this is not the token of a session")
	}
	if err := a.cfg.Denylist.Add(ctx, c.ID, c.expires()); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	a.cfg.Log.InfoContext(ctx, "session ended", "actor", c.actor())
	return nil
}

// EndAll ends all present sessions of a user, durably, and no session that begins after it returns.
// Access tokens stay valid. The caller decides the privilege.
func (a *Authority) EndAll(ctx context.Context, user urn.URN) error {
	return a.cfg.Denylist.AddAll(ctx, user)
}

// checkLife refuses a session that began before all sessions of its user were ended.
func (a *Authority) checkLife(ctx context.Context, v Verified) error {
	epoch, err := a.cfg.Accounts.SessionEpoch(ctx, v.Actor)
	if err != nil {
		return fmt.Errorf("verify a token: %w", err)
	}
	if v.epoch == sessionEpoch(epoch, a.cfg.Denylist.Mark(v.Actor)) {
		return nil
	}
	// Another process may have ended the earlier sessions and begun this one a moment ago.
	stored, err := a.cfg.Denylist.StoredMark(ctx, v.Actor)
	if err != nil {
		return fmt.Errorf("verify a token: %w", err)
	}
	if v.epoch != sessionEpoch(epoch, stored) {
		return errEnded
	}
	return nil
}

// sessionEpoch returns the text that ties a session token to the time of its begin: the epoch of
// the account and, if the user has one, its mark.
func sessionEpoch(epoch, mark string) string {
	if mark == "" {
		return epoch
	}
	return epoch + "." + mark
}

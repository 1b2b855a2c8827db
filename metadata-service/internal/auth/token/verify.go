package token

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Verified holds the facts of a valid token.
type Verified struct {
	Actor   urn.URN
	Kind    Kind
	ID      string    // of the stored record; empty for sessions
	Expires time.Time // zero for never
	// Scope restricts the token; nil does not restrict it.
	Scope *auth.Scope

	epoch   string // of sessions
	session string // id of a session
}

// fingerprint replaces the text of a token in memory, so that a dump of the process contains no
// tokens.
type fingerprint [sha256.Size]byte

func fingerprintOf(text string) fingerprint { return sha256.Sum256([]byte(text)) }

// cachedToken is a token found valid. From until on it must be verified again; a zero until means
// never.
type cachedToken struct {
	Verified
	until time.Time
}

// Verify returns the facts of a token. An invalid token, or one whose user may not act, is
// fault.Unauthenticated with a message that states the reason. Errors of other kinds mean that the
// token could not be verified. No error contains the text. It is safe for concurrent use.
func (a *Authority) Verify(ctx context.Context, text string) (Verified, error) {
	v, err := a.verifyToken(ctx, text)
	if err != nil {
		return Verified{}, err
	}
	reason, err := a.cfg.Accounts.Status(ctx, v.Actor)
	if err != nil {
		return Verified{}, fmt.Errorf("verify a token: %w", err)
	}
	if !reason.MayAct() || v.Kind == Session && reason == account.ServiceAccount {
		return Verified{}, fault.New(fault.Unauthenticated, "the token of %s is not accepted: %s", v.Actor, reason.Sentence())
	}
	if v.Kind == Session {
		if err := a.checkLife(ctx, v); err != nil {
			return Verified{}, err
		}
	}
	if v.ID != "" {
		a.cfg.Records.Used(v.ID)
	}
	return v, nil
}

func (a *Authority) verifyToken(ctx context.Context, text string) (Verified, error) {
	if len(text) > maxText {
		return Verified{}, errBad
	}
	print := fingerprintOf(text)
	if known, ok := a.cached.Get(print); ok && (known.until.IsZero() || a.cfg.Now().Before(known.until)) {
		// Other processes end sessions as well, and cannot remove the entry here, since they do not
		// have the text of the token.
		if known.Kind == Session && a.cfg.Denylist.Has(known.session) {
			return Verified{}, errEnded
		}
		return known.Verified, nil
	}
	mark := a.cached.Mark()
	c, keysUntil, err := a.parse(text)
	if errors.Is(err, errExpired) {
		a.dropExpired(ctx, c, text)
	}
	if err != nil {
		return Verified{}, err
	}
	v := Verified{Actor: c.actor(), Kind: c.Kind, Expires: c.expires(), epoch: c.Epoch}
	if v.Kind == Session {
		v.session = c.ID
	}
	if v.ID, v.Scope, err = a.stillGood(ctx, c, text); err != nil {
		return Verified{}, err
	}
	a.cached.Put(mark, print, cachedToken{Verified: v, until: earlier(v.Expires, keysUntil)})
	return v, nil
}

// stillGood reads the record of an access token with its scope, or checks that a session has not
// ended.
func (a *Authority) stillGood(ctx context.Context, c *claims, text string) (id string, scope *auth.Scope, err error) {
	if c.Kind == Session {
		if a.cfg.Denylist.Has(c.ID) {
			return "", nil, errEnded
		}
		return "", nil, nil
	}
	id = recordID(text, a.cfg.Salt)
	scope, ok, err := a.cfg.Records.Scope(ctx, id)
	if err == nil && !ok {
		err = errRevoked
	}
	if err != nil {
		return "", nil, err
	}
	return id, scope, nil
}

// dropExpired deletes the record of an expired token. Nothing depends on the deletion, so the next
// use of the token repeats it after an error.
func (a *Authority) dropExpired(ctx context.Context, c *claims, text string) {
	if c.Version != storedVersion {
		return
	}
	ctx = auth.WithActor(context.WithoutCancel(ctx), auth.Actor{URN: model.SystemActor, System: true})
	id := recordID(text, a.cfg.Salt)
	if err := a.cfg.Records.Drop(ctx, id); err != nil {
		a.cfg.Log.WarnContext(ctx, "expired token not deleted", "id", id, "error", err)
	}
}

// earlier returns the earlier time. The zero time means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

var _ Accounts = (*account.Directory)(nil)

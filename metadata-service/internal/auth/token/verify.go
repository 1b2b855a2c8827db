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

// Verified is what a good token says.
type Verified struct {
	Actor   urn.URN
	Kind    Kind
	ID      string    // of the stored record; empty for sessions
	Expires time.Time // zero for never
	// Scope narrows what the token may do, nil when nothing does.
	Scope *auth.Scope

	epoch   string // of sessions
	session string // id of a session
}

// fingerprint stands for a text in memory, so that a dump of the process holds no tokens of others.
type fingerprint [sha256.Size]byte

func fingerprintOf(text string) fingerprint { return sha256.Sum256([]byte(text)) }

// remembered is a token found good; look again from until on, never when that is zero.
type remembered struct {
	Verified
	until time.Time
}

// Verify tells whom a token represents. A token that is not good, or whose user
// may not act, is fault.Unauthenticated with a message that says which; other
// kinds mean that it could not be judged. The text is in no error.
func (s *Service) Verify(ctx context.Context, text string) (Verified, error) {
	v, err := s.verifyToken(ctx, text)
	if err != nil {
		return Verified{}, err
	}
	reason, err := s.cfg.Accounts.Status(ctx, v.Actor)
	if err != nil {
		return Verified{}, fmt.Errorf("verify a token: %w", err)
	}
	if !reason.MayAct() || v.Kind == Session && reason == account.ServiceAccount {
		return Verified{}, fault.New(fault.Unauthenticated, "the token of %s is not accepted: %s", v.Actor, reason.Sentence())
	}
	if v.Kind == Session {
		if err := s.checkLife(ctx, v); err != nil {
			return Verified{}, err
		}
	}
	if v.ID != "" {
		s.cfg.Uses.Note(v.ID)
	}
	return v, nil
}

func (s *Service) verifyToken(ctx context.Context, text string) (Verified, error) {
	if len(text) > maxText {
		return Verified{}, errBad
	}
	print := fingerprintOf(text)
	if known, ok := s.good.Get(print); ok && (known.until.IsZero() || s.cfg.Now().Before(known.until)) {
		// Other processes end sessions, too, and do not know the text that is the key here.
		if known.Kind == Session && s.cfg.Denylist.Has(known.session) {
			return Verified{}, errEnded
		}
		return known.Verified, nil
	}
	mark := s.good.Mark()
	c, keysUntil, err := s.parse(text)
	if errors.Is(err, errExpired) {
		s.dropExpired(ctx, c, text)
	}
	if err != nil {
		return Verified{}, err
	}
	v := Verified{Actor: c.actor(), Kind: c.Kind, Expires: c.expires(), epoch: c.Epoch}
	if v.Kind == Session {
		v.session = c.ID
	}
	if v.ID, v.Scope, err = s.stillGood(ctx, c, text); err != nil {
		return Verified{}, err
	}
	s.good.Put(mark, print, remembered{Verified: v, until: earlier(v.Expires, keysUntil)})
	return v, nil
}

// stillGood looks for the record of an access token, which has its scope, and for
// the end of a session.
func (s *Service) stillGood(ctx context.Context, c *claims, text string) (id string, scope *auth.Scope, err error) {
	if c.Kind == Session {
		if s.cfg.Denylist.Has(c.ID) {
			return "", nil, errEnded
		}
		return "", nil, nil
	}
	info, ok, err := s.read(ctx, recordID(text, s.cfg.Salt))
	if err == nil && !ok {
		err = errRevoked
	}
	return info.ID, info.Scope, err
}

// dropExpired deletes the record of an expired token. Nothing depends on it, so
// a failure is left for the next time the token is shown.
func (s *Service) dropExpired(ctx context.Context, c *claims, text string) {
	if c.Version != storedVersion {
		return
	}
	ctx = auth.WithActor(context.WithoutCancel(ctx), auth.Actor{URN: model.SystemActor, System: true})
	u := tokenURN(recordID(text, s.cfg.Salt))
	row, err := s.cfg.Aspects.Get(ctx, u, InfoAspect)
	if err == nil && row != nil {
		err = s.cfg.Aspects.Revoke(ctx, u)
	}
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "expired token not deleted", "urn", u, "error", err)
	}
}

// earlier treats the zero time as never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

var _ Accounts = (*account.Directory)(nil)

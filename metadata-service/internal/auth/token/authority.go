package token

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/cache"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits and defaults.
const (
	DefaultIssuer   = "datahub-metadata-service"
	DefaultSession  = day
	maxCachedTokens = 10_000
)

const day = 24 * time.Hour

// Records holds the records of access tokens. An access token is valid while its record exists.
type Records interface {
	// Scope returns the scope of a token, nil if the token has none; ok is false without a record.
	Scope(ctx context.Context, id string) (scope *auth.Scope, ok bool, err error)
	// Used notes that a token is used now.
	Used(id string)
	// Drop deletes the record of a token, if there is one.
	Drop(ctx context.Context, id string) error
}

// Accounts provides the status of users.
type Accounts interface {
	Status(ctx context.Context, user urn.URN) (account.DenialReason, error)
	SessionEpoch(ctx context.Context, user urn.URN) (string, error)
}

// Config holds the dependencies and settings of an Authority. Fields are required unless stated
// otherwise.
type Config struct {
	Records    Records
	Accounts   Accounts
	Keys       *Keys
	Salt       config.Secret
	Denylist   *Denylist     // of sessions
	Issuer     string        // DefaultIssuer when empty
	SessionFor time.Duration // lifetime of sessions; DefaultSession when zero
	Now        func() time.Time
	Log        *slog.Logger
}

// Authority signs and verifies tokens, and begins and ends sessions. It decides no privilege. It is
// safe for concurrent use.
type Authority struct {
	cfg    Config
	cached *cache.Cache[fingerprint, cachedToken]
}

// New returns an Authority.
func New(cfg Config) *Authority {
	if cfg.Issuer == "" {
		cfg.Issuer = DefaultIssuer
	}
	if cfg.SessionFor == 0 {
		cfg.SessionFor = DefaultSession
	}
	return &Authority{cfg: cfg, cached: cache.New[fingerprint, cachedToken](maxCachedTokens)}
}

// Issued is a signed access token.
type Issued struct {
	Text    string
	ID      string    // of its record
	Expires time.Time // zero for never
}

// Issue signs an access token of a user, which expires at a time, in full seconds, or never if that
// is zero. The token is valid once there is a record with its id.
func (a *Authority) Issue(kind Kind, user urn.URN, expires time.Time) (Issued, error) {
	c := &claims{ActorType: actorType, ActorID: user.Key(), Kind: kind, Version: storedVersion,
		ID: uuid.NewString(), Subject: user.Key(), Issuer: a.cfg.Issuer}
	if !expires.IsZero() {
		c.expireAt(expires)
	}
	text, err := a.sign(c)
	if err != nil {
		return Issued{}, fmt.Errorf("sign a token: %w", err)
	}
	return Issued{Text: text, ID: recordID(text, a.cfg.Salt), Expires: c.expires()}, nil
}

// ID returns the id of the record of an access token. A text that is too long for a token is
// fault.Malformed.
func (a *Authority) ID(text string) (string, error) {
	if len(text) > maxText {
		return "", fault.New(fault.Malformed, "the token is longer than %d bytes", maxText)
	}
	return recordID(text, a.cfg.Salt), nil
}

// Forget empties the cache of verified tokens. Call it when a record has changed, before the write
// returns.
func (a *Authority) Forget() { a.cached.Clear() }

// Rotate replaces the signing key and keeps the old key valid for a time: see Keys.Rotate. The
// caller decides the privilege.
func (a *Authority) Rotate(keep time.Duration) error {
	if err := a.cfg.Keys.Rotate(keep); err != nil {
		return err
	}
	a.Forget()
	return nil
}

package credentials

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ResetFor is the validity of a reset token.
const ResetFor = 24 * time.Hour

// resetLength is the length of a reset token in lower-case letters: 150 bits.
const resetLength = 32

// errReset is the same error for all its reasons, to disclose none.
var errReset = fault.New(fault.Malformed, "the reset link is not valid for this user, was used already, or has expired; ask an administrator for a new one")

// CreateReset creates a token with which a user may set a new password once, within ResetFor. It
// replaces an earlier token. The actor in ctx needs auth.ManageCredentials. A user without a
// password is fault.NotFound.
func (s *Service) CreateReset(ctx context.Context, user urn.URN) (text config.Secret, expires time.Time, err error) {
	if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageCredentials)); err != nil {
		return "", time.Time{}, err
	}
	stored, err := s.credentials(ctx, user)
	if err != nil {
		return "", time.Time{}, err
	}
	if stored.version == catalog.Absent {
		return "", time.Time{}, fault.New(fault.NotFound, "Failed to generate password reset token for user: %s: it has no password here", user)
	}
	text = config.Secret(randomLetters(resetLength))
	expires = s.cfg.Now().Add(ResetFor)
	stored.Reset, stored.ResetExpires = digest(text), expires.UnixMilli()
	if err := s.write(ctx, user, stored.version, stored); err != nil {
		return "", time.Time{}, err
	}
	s.cfg.Log.InfoContext(ctx, "reset of a password offered", "user", user)
	return text, expires, nil
}

// Reset sets a new password with a reset token, which becomes invalid. A bad token and an unknown
// user give the same fault.Malformed. It returns the session epoch of the account with the new
// password.
func (s *Service) Reset(ctx context.Context, user urn.URN, password, text config.Secret) (epoch string, err error) {
	if err := s.checkPassword(password); err != nil {
		return "", err
	}
	stored, err := s.credentials(ctx, user)
	if err != nil {
		return "", err
	}
	given := digest(text)
	good := subtle.ConstantTimeCompare([]byte(given), []byte(stored.Reset)) == 1
	if !good || s.cfg.Now().UnixMilli() >= stored.ResetExpires {
		return "", errReset
	}
	salt, err := s.set(ctx, user, stored.version, password)
	if err == nil {
		epoch, err = s.epochWith(ctx, user, salt)
	}
	if errors.Is(err, fault.Precondition) {
		return "", errReset
	}
	return epoch, err
}

// digest returns the stored form of a secret text.
func digest(text config.Secret) string {
	sum := sha256.Sum256([]byte(text.Reveal()))
	return base64.StdEncoding.EncodeToString(sum[:])
}

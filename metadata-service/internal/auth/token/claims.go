package token

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Kind is the sort of a token.
type Kind string

// The kinds of tokens.
const (
	Personal       Kind = "PERSONAL"
	ServiceAccount Kind = "SERVICE_ACCOUNT"
	Session        Kind = "SESSION"
)

const (
	actorType      = "USER"
	storedVersion  = "2"
	sessionVersion = "1"
	maxText        = 4096 // ours have about 350 bytes
)

// claims are what a token says, under the names clients know.
type claims struct {
	ActorType string           `json:"actorType"`
	ActorID   string           `json:"actorId"`
	Kind      Kind             `json:"type"`
	Version   string           `json:"version"`
	ID        string           `json:"jti"`
	Subject   string           `json:"sub"`
	Issuer    string           `json:"iss"`
	Expires   *jwt.NumericDate `json:"exp,omitempty"`
}

func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return c.Expires, nil }
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error)       { return nil, nil }
func (c *claims) GetNotBefore() (*jwt.NumericDate, error)      { return nil, nil }
func (c *claims) GetIssuer() (string, error)                   { return c.Issuer, nil }
func (c *claims) GetSubject() (string, error)                  { return c.Subject, nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error)       { return nil, nil }

func (c *claims) actor() urn.URN { return urn.Make(account.EntityType, c.ActorID) }

// expires is the zero time for tokens that do not expire.
func (c *claims) expires() time.Time {
	if c.Expires == nil {
		return time.Time{}
	}
	return c.Expires.Time
}

// wellFormed accepts what this package issues. A kind under the version of the
// other sort would be a token that cannot be revoked.
func (c *claims) wellFormed() bool {
	if c.ActorType != actorType || c.ActorID == "" || c.ID == "" || c.actor() == model.SystemActor {
		return false
	}
	switch c.Version {
	case storedVersion:
		return c.Kind == Personal || c.Kind == ServiceAccount
	case sessionVersion:
		return c.Kind == Session && c.Expires != nil
	}
	return false
}

// What a caller is told about a bad token. All are of kind fault.Unauthenticated.
var (
	errBad     = fault.New(fault.Unauthenticated, "the token is not valid here")
	errExpired = fault.New(fault.Unauthenticated, "the token has expired")
	errRevoked = fault.New(fault.Unauthenticated, "the token has been revoked")
	errEnded   = fault.New(fault.Unauthenticated, "the session has ended")
)

func (s *Service) sign(c *claims) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(s.cfg.Keys.signing())
}

// parse checks signature, form and expiry. With errExpired the claims are
// there: the signature was good. The second result is until when the keys that
// were tried are good, zero for no end.
func (s *Service) parse(text string) (*claims, time.Time, error) {
	if len(text) > maxText {
		return nil, time.Time{}, errBad
	}
	keys, until := s.cfg.Keys.verifying()
	c := &claims{}
	_, err := s.parser.ParseWithClaims(text, c, func(*jwt.Token) (any, error) { return keys, nil })
	// The library's errors quote the text, so they go no further.
	expired := errors.Is(err, jwt.ErrTokenExpired)
	switch {
	case err != nil && !expired, !c.wellFormed():
		return nil, until, errBad
	case expired:
		return c, until, errExpired
	}
	return c, until, nil
}

// recordID is the id under which a token is stored: base64 of SHA-256 over the
// text followed by the salt.
func recordID(text string, salt config.Secret) string {
	h := sha256.New()
	_, _ = h.Write([]byte(text))
	_, _ = h.Write([]byte(salt.Reveal()))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

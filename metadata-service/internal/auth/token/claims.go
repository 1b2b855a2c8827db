package token

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Kind is the type of a token.
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
	maxText        = 4096 // tokens of this package have about 350 bytes
)

// claims are the claims of a token, under the names that clients of this protocol expect.
type claims struct {
	ActorType string `json:"actorType"`
	ActorID   string `json:"actorId"`
	Kind      Kind   `json:"type"`
	Version   string `json:"version"`
	ID        string `json:"jti"`
	Subject   string `json:"sub"`
	Issuer    string `json:"iss"`
	Expires   *int64 `json:"exp,omitempty"`  // epoch seconds
	Epoch     string `json:"life,omitempty"` // of sessions only; see sessionEpoch
}

func (c *claims) actor() urn.URN { return urn.Make(account.EntityType, c.ActorID) }

// expires returns the expiry. It is the zero time for tokens that do not expire.
func (c *claims) expires() time.Time {
	if c.Expires == nil {
		return time.Time{}
	}
	return time.Unix(*c.Expires, 0)
}

func (c *claims) expireAt(t time.Time) {
	seconds := t.Unix()
	c.Expires = &seconds
}

// wellFormed reports whether the claims have the form that this package issues. It refuses a kind
// under the version of the other sort, since such a token could not be revoked.
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

// Errors for bad tokens, all of kind fault.Unauthenticated.
var (
	errBad     = fault.New(fault.Unauthenticated, "the token is not valid here")
	errExpired = fault.New(fault.Unauthenticated, "the token has expired")
	errRevoked = fault.New(fault.Unauthenticated, "the token has been revoked")
	errEnded   = fault.New(fault.Unauthenticated, "the session has ended")
)

// header is the first part of every token that this package issues. A token is compared with it as
// text, and its signature is verified before anything is decoded. The sender of a token can
// therefore choose neither the algorithm nor the input of a parser.
var header = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))

// strictBase64 refuses non-zero trailing bits, so that each token has exactly one text.
var strictBase64 = base64.RawURLEncoding.Strict()

func (a *Authority) sign(c *claims) (string, error) {
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	text := header + "." + base64.RawURLEncoding.EncodeToString(payload)
	signature, err := jwt.SigningMethodHS256.Sign(text, a.cfg.Keys.signing())
	if err != nil {
		return "", err
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// parse checks signature, form and expiry of a token. With errExpired it also returns the claims,
// since the signature is valid. The second result is the time until which the keys used for
// verification are valid, zero for no end.
func (a *Authority) parse(text string) (*claims, time.Time, error) {
	dot := strings.LastIndexByte(text, '.')
	payload, ours := strings.CutPrefix(text[:max(dot, 0)], header+".")
	if !ours || len(text) > maxText {
		return nil, time.Time{}, errBad
	}
	keys, until := a.cfg.Keys.verifying()
	if !signed(text[:dot], text[dot+1:], keys) {
		return nil, until, errBad
	}
	raw, err := strictBase64.DecodeString(payload)
	c := &claims{}
	if err != nil || json.Unmarshal(raw, c) != nil || !c.wellFormed() {
		return nil, until, errBad
	}
	if c.Expires != nil && !a.cfg.Now().Before(c.expires()) {
		return c, until, errExpired
	}
	return c, until, nil
}

func signed(text, signature string, keys [][]byte) bool {
	raw, err := strictBase64.DecodeString(signature)
	if err != nil {
		return false
	}
	for _, key := range keys {
		if jwt.SigningMethodHS256.Verify(text, raw, key) == nil {
			return true
		}
	}
	return false
}

// recordID returns the id under which a token is stored: base64 of the SHA-256 of the text followed
// by the salt.
func recordID(text string, salt config.Secret) string {
	h := sha256.New()
	_, _ = h.Write([]byte(text))
	_, _ = h.Write([]byte(salt.Reveal()))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

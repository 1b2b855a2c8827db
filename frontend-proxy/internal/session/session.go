// Package session stores sessions, only in the browser.
//
// The cookie PLAY_SESSION carries the service token and the actor, encrypted with AES-256-GCM under
// a key derived from the configured secret. The cookie's name is the additional data, so that no
// other encrypted cookie can replace it. The proxy holds no state: any replica can decrypt the
// cookies of another one. The service decides on every request, as it may have ended the token.
//
// A second cookie, actor, contains the URN for scripts in the page. The proxy never reads it. A
// third one, cartulary_device, outlives the session: it contains, encrypted, the users who have
// signed in with this browser, so that failures of other clients do not delay them.
//
// To rotate the secret, set Config.Previous to the old secret for the lifetime of a session: it
// only decrypts cookies.
package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Names of the two cookies that existing clients look for.
const (
	CookieName      = "PLAY_SESSION"
	ActorCookieName = "actor"
)

const (
	keyPurpose = "cartulary session cookie 1"
	// maxCookie is more than browsers store for one cookie.
	maxCookie = 8 << 10
)

// Session is the content of the encrypted cookie.
type Session struct {
	Token   string    `json:"t"`
	Actor   urn.URN   `json:"a"`
	Issued  time.Time `json:"i"`
	Expires time.Time `json:"e"`
}

// Config configures the cookies.
type Config struct {
	Secret   config.Secret
	Previous config.Secret    // may be empty
	Lifetime time.Duration    // from sign-in to expiry, without renewal
	Secure   bool             // browsers reach the proxy by TLS
	BasePath string           // path prefix for browsers, such as /catalog; empty means the root
	Now      func() time.Time // nil means time.Now
}

// Jar encrypts sessions into cookies and decrypts them. It is safe for concurrent use.
type Jar struct {
	cfg  Config
	keys *seal.Keys
}

// NewJar creates a Jar. It returns an error for a secret that is too short.
func NewJar(cfg Config) (*Jar, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	keys, err := seal.NewKeys(keyPurpose, cfg.Secret, cfg.Previous)
	if err != nil {
		return nil, err
	}
	return &Jar{cfg: cfg, keys: keys}, nil
}

// Start signs an actor in: it sets both cookies.
func (j *Jar) Start(w http.ResponseWriter, token string, actor urn.URN) error {
	now := j.cfg.Now()
	plain, err := json.Marshal(Session{Token: token, Actor: actor, Issued: now, Expires: now.Add(j.cfg.Lifetime)})
	if err != nil {
		return fmt.Errorf("encode the session of %s: %w", actor, err)
	}
	j.set(w, CookieName, j.keys.Seal(CookieName, plain), true)
	j.set(w, ActorCookieName, cookieText(string(actor)), false)
	return nil
}

// End makes the browser remove both cookies; h is the header of a response.
func (j *Jar) End(h http.Header) {
	for _, name := range []string{CookieName, ActorCookieName} {
		cookie := j.cookie(name, "", name == CookieName)
		cookie.MaxAge = -1
		h.Add("Set-Cookie", cookie.String())
	}
}

// Open returns the session of a request. The error is of kind fault.Unauthenticated; its message
// distinguishes a missing session from one that is damaged, foreign or expired.
func (j *Jar) Open(r *http.Request) (Session, error) {
	cookies := r.CookiesNamed(CookieName)
	if len(cookies) == 0 {
		return Session{}, fault.New(fault.Unauthenticated, "there is no session")
	}
	// A stale cookie of another path may be sent too; one valid cookie suffices.
	var err error
	for _, cookie := range cookies {
		var s Session
		if s, err = j.open(cookie.Value); err == nil {
			return s, nil
		}
	}
	return Session{}, err
}

func (j *Jar) open(value string) (Session, error) {
	damaged := fault.New(fault.Unauthenticated, "the session is damaged or from another installation")
	if len(value) > maxCookie {
		return Session{}, damaged
	}
	plain, err := j.keys.Open(CookieName, value)
	if err != nil {
		return Session{}, damaged
	}
	var s Session
	if err := json.Unmarshal(plain, &s); err != nil {
		return Session{}, damaged
	}
	if !j.cfg.Now().Before(s.Expires) {
		return Session{}, fault.New(fault.Unauthenticated, "the session is over")
	}
	return s, nil
}

func (j *Jar) set(w http.ResponseWriter, name, value string, hidden bool) {
	cookie := j.cookie(name, value, hidden)
	cookie.MaxAge = int(j.cfg.Lifetime / time.Second)
	http.SetCookie(w, cookie)
}

func (j *Jar) cookie(name, value string, hidden bool) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: cmp.Or(j.cfg.BasePath, "/"), HttpOnly: hidden, Secure: j.cfg.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// cookieText keeps colons, which scripts expect unencoded, and percent-encodes characters that a
// cookie cannot contain or only in quotes; scripts decode percent signs.
func cookieText(text string) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ' || c >= 0x7f, c == '"', c == ',', c == ';', c == '\\', c == '%':
			out = append(out, '%', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

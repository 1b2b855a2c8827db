// Package session keeps who is signed in, in the browser alone.
//
// The cookie PLAY_SESSION carries the service token and the actor, encrypted with
// AES-256-GCM under a key derived from the configured secret; the cookie's name
// is the additional data, so that no other encrypted cookie can take its place.
// The proxy holds no state: any replica decrypts what another has encrypted, and the
// service has the last word on every request, as it may have ended the token.
//
// A second cookie, actor, repeats the URN for scripts in the page. It is never
// read here. A third, cartulary_device, outlasts the session: it tells, encrypted, who
// has signed in in this browser, so that failures of others elsewhere do not delay them.
//
// To rotate the secret, give the old one as Config.Previous for the lifetime of a
// session: it decrypts cookies and encrypts none.
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

// Names of the two cookies; existing clients look for them.
const (
	CookieName      = "PLAY_SESSION"
	ActorCookieName = "actor"
)

const (
	keyPurpose = "cartulary session cookie 1"
	// maxCookie is beyond what browsers store for one cookie.
	maxCookie = 8 << 10
)

// Session is what an encrypted cookie holds.
type Session struct {
	Token   string    `json:"t"`
	Actor   urn.URN   `json:"a"`
	Issued  time.Time `json:"i"`
	Expires time.Time `json:"e"`
}

// Config of the cookies.
type Config struct {
	Secret   config.Secret
	Previous config.Secret    // may be empty
	Lifetime time.Duration    // from sign-in to expiry, whatever happens in between
	Secure   bool             // browsers reach us by TLS
	BasePath string           // below which browsers reach us, such as /catalog; empty is the root
	Now      func() time.Time // nil is time.Now
}

// Jar encrypts sessions into cookies and decrypts them. It is safe for concurrent use.
type Jar struct {
	cfg  Config
	keys *seal.Keys
}

// NewJar refuses secrets that are too short.
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

// End makes the browser forget both cookies; h is the header of an answer.
func (j *Jar) End(h http.Header) {
	for _, name := range []string{CookieName, ActorCookieName} {
		cookie := j.cookie(name, "", name == CookieName)
		cookie.MaxAge = -1
		h.Add("Set-Cookie", cookie.String())
	}
}

// Open returns the session of a request. The error, fault.Unauthenticated, says
// whether there is none, or one that is damaged, foreign or over.
func (j *Jar) Open(r *http.Request) (Session, error) {
	cookies := r.CookiesNamed(CookieName)
	if len(cookies) == 0 {
		return Session{}, fault.New(fault.Unauthenticated, "there is no session")
	}
	// A stale cookie of another path may come along; one good one is enough.
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

// cookieText leaves colons, which scripts expect as they are, and encodes what
// a cookie would need quotes for or cannot hold; scripts decode percent signs.
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

package sso

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// flowLife is the time limit for a sign-in at the provider.
	flowLife = 10 * time.Minute
	// flowCookie is followed by the first digit of the state: sixteen windows of one browser can
	// sign in at the same time, and there are never more cookies than that.
	flowCookie = "cartulary_sso_"
	flowPath   = "/callback"
	stateBytes = 32
	// maxCookie is the maximum size of a cookie in browsers, minus space for its attributes.
	maxCookie = 3800
)

// flow is the state of a sign-in in progress, stored in the browser.
type flow struct {
	State    string    `json:"s"`
	Nonce    string    `json:"n"`
	Verifier string    `json:"v"`
	Target   string    `json:"t"` // path to continue at afterwards
	Expires  time.Time `json:"e"`
}

func randomText() string {
	b := make([]byte, stateBytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

func cookieOf(state string) string { return flowCookie + state[:1] }

// keep encrypts a flow into its cookie. It drops a target that is too long for a cookie.
func (c *Client) keep(w http.ResponseWriter, f flow) error {
	value, err := c.sealFlow(f)
	if err == nil && len(value) > maxCookie {
		f.Target = "/"
		value, err = c.sealFlow(f)
	}
	if err != nil {
		return err
	}
	cookie := c.cookie(cookieOf(f.State), value, flowPath)
	cookie.MaxAge = int(flowLife / time.Second)
	http.SetCookie(w, cookie)
	return nil
}

func (c *Client) sealFlow(f flow) (string, error) {
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f); err != nil {
		return "", err
	}
	return c.cfg.Keys.Seal(cookieOf(f.State), plain.Bytes()), nil
}

// take returns the flow of a state and removes its cookie: a flow is valid for one return, whatever
// the result.
func (c *Client) take(w http.ResponseWriter, r *http.Request, state string) (flow, error) {
	if !isState(state) {
		return flow{}, refuse(StateMismatch, "the state is none of ours")
	}
	name := cookieOf(state)
	cookie, err := r.Cookie(name)
	if err != nil {
		return flow{}, refuse(FlowMissing, "the browser sent no cookie of a sign-in")
	}
	plain, err := c.cfg.Keys.Open(name, cookie.Value)
	if err != nil {
		return flow{}, refuse(FlowMissing, "the cookie of the sign-in: %w", err)
	}
	var f flow
	if err := json.Unmarshal(plain, &f); err != nil {
		return flow{}, refuse(FlowMissing, "the cookie of the sign-in: %w", err)
	}
	// Another site may send a browser here with an invented state, which must not end a sign-in.
	if subtle.ConstantTimeCompare([]byte(f.State), []byte(state)) != 1 {
		return flow{}, refuse(StateMismatch, "the state is that of another sign-in")
	}
	gone := c.cookie(name, "", flowPath)
	gone.MaxAge = -1
	http.SetCookie(w, gone)
	switch {
	case !c.cfg.Now().Before(f.Expires):
		return f, refuse(FlowExpired, "the sign-in began more than %s ago", flowLife)
	case !c.used.first(state, c.cfg.Now()):
		return f, refuse(FlowUsed, "the state has come back before")
	}
	return f, nil
}

func isState(text string) bool {
	return len(text) == 2*stateBytes && strings.Trim(text, "0123456789abcdef") == ""
}

func (c *Client) cookie(name, value, path string) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: c.cfg.BasePath + path, HttpOnly: true, Secure: c.cfg.Secure, SameSite: http.SameSiteLaxMode}
}

// usedStates holds the states that have been returned, for as long as their cookies are valid. The
// browser removes the cookie, so this is a protection against copies of it. Another replica does
// not have the state, but there the provider rejects the code, which was already exchanged.
type usedStates struct {
	mu          sync.Mutex
	recent, old map[[sha256.Size]byte]struct{}
	turned      time.Time
}

// maxUsed is the maximum size of a generation, at about 50 bytes per state.
const maxUsed = 50_000

// first reports whether a state is returned for the first time, and records it.
func (u *usedStates) first(state string, now time.Time) bool {
	key := sha256.Sum256([]byte(state))
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.recent == nil || now.Sub(u.turned) >= flowLife || len(u.recent) >= maxUsed {
		u.old, u.recent, u.turned = u.recent, map[[sha256.Size]byte]struct{}{}, now
	}
	_, again := u.recent[key]
	_, before := u.old[key]
	u.recent[key] = struct{}{}
	return !again && !before
}

// Package ssotest is an OpenID Connect provider on loopback for tests. It validates requests like a
// real provider, including codes and PKCE, and can be configured to misbehave.
package ssotest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Credentials of the client at the provider.
const (
	ClientID     = "catalog"
	ClientSecret = "the secret of the client"
)

const keyID = "first"

// keys are generated once, as that is slow: one for all providers, and one that belongs to no
// provider.
var keys = sync.OnceValue(func() (pair [2]*rsa.PrivateKey) {
	for i := range pair {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		pair[i] = key
	}
	return pair
})

// Provider serves at Server.URL. Set its fields before the first request.
type Provider struct {
	*httptest.Server
	// Claims are the claims of every user. Issuer, audience, times and nonce are added.
	Claims map[string]any
	// UserInfo is the response of the user info endpoint; nil omits the endpoint from the metadata.
	UserInfo map[string]any
	// Change modifies the claims of an ID token.
	Change func(claims map[string]any)
	// Sign creates the ID token, instead of RS256 with the key of the provider.
	Sign func(claims map[string]any) string
	// Describe modifies the metadata.
	Describe func(metadata map[string]any)
	// Answer handles requests, such as for /token; if it returns false, the provider handles them.
	Answer func(w http.ResponseWriter, r *http.Request) bool
	// AccessToken creates the access token from the claims; if nil, the token is an opaque text.
	AccessToken func(claims map[string]any) string
	// AuthMethod is the required authentication method of the client; empty means
	// client_secret_basic.
	AuthMethod string
	// Now is the clock of the tokens.
	Now func() time.Time

	t     testing.TB
	mu    sync.Mutex
	codes map[string]url.Values
	asked map[string]int
	made  int
}

// New starts a provider, which is stopped at the end of the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{
		t: t, Now: time.Now, codes: map[string]url.Values{}, asked: map[string]int{},
		Claims: map[string]any{"sub": "1", "email": "mia@example.org", "email_verified": true, "name": "Mia May", "given_name": "Mia", "family_name": "May"},
	}
	mux := http.NewServeMux()
	for path, handle := range map[string]http.HandlerFunc{
		"/.well-known/openid-configuration": p.metadata, "/authorize": p.authorize, "/token": p.token, "/keys": p.keys, "/userinfo": p.userInfo,
		"/end_session": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"), http.StatusSeeOther)
		},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p.mu.Lock()
			p.asked[path]++
			p.mu.Unlock()
			if p.Answer == nil || !p.Answer(w, r) {
				handle(w, r)
			}
		})
	}
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// DiscoveryURI returns the address of the metadata.
func (p *Provider) DiscoveryURI() string { return p.URL + "/.well-known/openid-configuration" }

// Asked returns the number of requests for a path.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

func (p *Provider) write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Log(err) // the client may have disconnected
	}
}

func (p *Provider) metadata(w http.ResponseWriter, _ *http.Request) {
	m := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"end_session_endpoint": p.URL + "/end_session", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
	}
	if p.UserInfo != nil {
		m["userinfo_endpoint"] = p.URL + "/userinfo"
	}
	if p.Describe != nil {
		p.Describe(m)
	}
	p.write(w, m)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &keys()[0].PublicKey, KeyID: keyID, Algorithm: "RS256", Use: "sig"}}})
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.write(w, p.UserInfo)
}

// authorize signs in every browser, and redirects it back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back := url.Values{"state": {asked.Get("state")}, "code": {p.Code(asked)}}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+back.Encode(), http.StatusSeeOther)
}

// Code creates a code for an authorization request.
func (p *Provider) Code(asked url.Values) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made++
	code := fmt.Sprintf("code %d", p.made)
	p.codes[code] = asked
	return code
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	form, parseErr := url.ParseQuery(string(body))
	if err != nil || parseErr != nil {
		p.refuse(w, "invalid_request")
		return
	}
	if !p.knows(r, form) {
		p.refuse(w, "invalid_client")
		return
	}
	p.mu.Lock()
	asked, ok := p.codes[form.Get("code")]
	delete(p.codes, form.Get("code"))
	p.mu.Unlock()
	if !ok || asked.Get("client_id") != ClientID || asked.Get("redirect_uri") != form.Get("redirect_uri") || !proves(asked, form.Get("code_verifier")) {
		p.refuse(w, "invalid_grant")
		return
	}
	claims := p.claims(asked)
	answer := map[string]any{"token_type": "Bearer", "expires_in": 300, "access_token": "says-nothing", "id_token": p.sign(claims)}
	if p.AccessToken != nil {
		answer["access_token"] = p.AccessToken(claims)
	}
	p.write(w, answer)
}

func (p *Provider) refuse(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "refused by the test"})
}

// knows reports whether the client has authenticated with the required method.
func (p *Provider) knows(r *http.Request, form url.Values) bool {
	id, secret, basic := r.BasicAuth()
	switch p.AuthMethod {
	case "client_secret_post":
		return !basic && form.Get("client_id") == ClientID && form.Get("client_secret") == ClientSecret
	case "none":
		return !basic && form.Get("client_id") == ClientID && !form.Has("client_secret")
	}
	decoded, err := url.QueryUnescape(secret)
	return basic && err == nil && id == ClientID && decoded == ClientSecret
}

func proves(asked url.Values, verifier string) bool {
	if !asked.Has("code_challenge") {
		return verifier == ""
	}
	sum := sha256.Sum256([]byte(verifier))
	return asked.Get("code_challenge_method") == "S256" && asked.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:])
}

func (p *Provider) claims(asked url.Values) map[string]any {
	now := p.Now()
	claims := maps.Clone(p.Claims)
	maps.Copy(claims, map[string]any{
		"iss": p.URL, "aud": ClientID, "nonce": asked.Get("nonce"), "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(),
	})
	if p.Change != nil {
		p.Change(claims)
	}
	return claims
}

func (p *Provider) sign(claims map[string]any) string {
	if p.Sign != nil {
		return p.Sign(claims)
	}
	return Signed(claims)
}

// Signed returns a token signed with the key of every Provider.
func Signed(claims map[string]any) string { return signed(keys()[0], jose.RS256, claims) }

// SignedByStranger returns a token signed with a key that no Provider has, with the key id of an
// existing one.
func SignedByStranger(claims map[string]any) string { return signed(keys()[1], jose.RS256, claims) }

// SignedWithPublicKey returns a token with HS256 whose secret is the public key in PEM format.
func SignedWithPublicKey(claims map[string]any) string {
	der, err := x509.MarshalPKIXPublicKey(&keys()[0].PublicKey)
	if err != nil {
		panic(err)
	}
	return signed(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), jose.HS256, claims)
}

// SignedWithClientSecret returns a token with HS256 whose secret is derived from the client secret.
func SignedWithClientSecret(claims map[string]any) string {
	return signed([]byte(ClientSecret+strings.Repeat(".", 32)), jose.HS256, claims)
}

// Unsigned returns a token with the algorithm none.
func Unsigned(claims map[string]any) string {
	return encoded(map[string]any{"alg": "none", "typ": "JWT"}) + "." + encoded(claims) + "."
}

func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func signed(key any, algorithm jose.SignatureAlgorithm, claims map[string]any) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: keyID}}, nil)
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	token, err := signer.Sign(text)
	if err != nil {
		panic(err)
	}
	out, err := token.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return out
}

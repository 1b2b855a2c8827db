// Package ssotest is an OpenID Connect provider on loopback for tests. It judges as a
// real one does, codes and PKCE included, and can be told to misbehave.
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

// How the provider knows its client.
const (
	ClientID     = "catalog"
	ClientSecret = "the secret of the client"
)

const keyID = "first"

// keys are made once, as it takes long: one of providers, and one that is nobody's.
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

// Provider answers at Server.URL. Fields are set before it is asked.
type Provider struct {
	*httptest.Server
	// Claims are of whoever signs in. Issuer, audience, times and nonce are added.
	Claims map[string]any
	// UserInfo is answered where it is asked for; nil leaves the address out of the metadata.
	UserInfo map[string]any
	// Change spoils the claims of an ID token.
	Change func(claims map[string]any)
	// Sign makes the ID token, instead of by RS256 with the key of the provider.
	Sign func(claims map[string]any) string
	// Describe spoils the metadata.
	Describe func(metadata map[string]any)
	// Answer takes the place of a path, such as /token; false leaves it as it is.
	Answer func(w http.ResponseWriter, r *http.Request) bool
	// AccessToken is made of the claims when set, and a text that says nothing otherwise.
	AccessToken func(claims map[string]any) string
	// AuthMethod is how the client must prove itself; empty is client_secret_basic.
	AuthMethod string
	// Now is the clock of the tokens.
	Now func() time.Time

	t     testing.TB
	mu    sync.Mutex
	codes map[string]url.Values
	asked map[string]int
	made  int
}

// New starts a provider that ends with the test.
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

// DiscoveryURI is where the metadata is.
func (p *Provider) DiscoveryURI() string { return p.URL + "/.well-known/openid-configuration" }

// Asked tells how often a path was asked for.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

func (p *Provider) write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Log(err) // the client may be gone
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

// authorize signs in whoever comes, and sends the browser back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back := url.Values{"state": {asked.Get("state")}, "code": {p.Code(asked)}}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+back.Encode(), http.StatusSeeOther)
}

// Code makes a code for what a client has asked.
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

// knows tells whether the client has proved itself in the one way that is expected.
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

// Signed is a token by the key of every Provider.
func Signed(claims map[string]any) string { return signed(keys()[0], jose.RS256, claims) }

// SignedByStranger is a token by a key that no Provider has, under the name of one it has.
func SignedByStranger(claims map[string]any) string { return signed(keys()[1], jose.RS256, claims) }

// SignedWithPublicKey is a token by HS256 with the public key as the secret, as it is
// written in PEM.
func SignedWithPublicKey(claims map[string]any) string {
	der, err := x509.MarshalPKIXPublicKey(&keys()[0].PublicKey)
	if err != nil {
		panic(err)
	}
	return signed(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), jose.HS256, claims)
}

// SignedWithClientSecret is a token by HS256 with the secret of the client.
func SignedWithClientSecret(claims map[string]any) string {
	return signed([]byte(ClientSecret+strings.Repeat(".", 32)), jose.HS256, claims)
}

// Unsigned is a token that names the algorithm none.
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

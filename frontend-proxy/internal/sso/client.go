package sso

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/pkg/config"
)

// Methods by which the client authenticates to the provider.
const (
	SecretBasic = "client_secret_basic"
	SecretPost  = "client_secret_post"
	NoSecret    = "none"
)

// KeyPurpose is the purpose from which the keys of a Client are derived.
const KeyPurpose = "cartulary single sign-on 1"

const (
	callbackPath = "/callback/oidc"
	maxCode      = 8 << 10
)

// Config configures the provider and the identification of users. It must be valid.
type Config struct {
	ClientID string
	// Secret returns the client secret when it is needed, empty with NoSecret.
	Secret       func(context.Context) (config.Secret, error)
	DiscoveryURI string
	Issuer       string // empty if it is derived from DiscoveryURI
	BaseURL      string // address of the proxy for browsers, without a trailing slash
	BasePath     string // path in BaseURL, such as /catalog; empty means the root
	AllowHTTP    bool   // for a provider on another machine

	Scopes                      []string
	AuthMethod                  string // one of the methods above
	Algorithm                   string // of ID tokens; empty accepts those of the provider
	WithoutPKCE                 bool
	Prompt, ACRValues, Resource string // sent unchanged, unless empty
	AccessTokenClaims           bool   // also use the claims of an access token that is a JWT
	SignOut                     bool   // also sign out at the provider

	UserNameClaim   string
	UserNameRegex   *regexp.Regexp // nil uses the whole claim; with a group named user it must match the whole claim
	AllowUnverified bool           // accept unverified e-mail addresses
	GroupsClaims    []string
	ExtractGroups   bool
	RequiredGroups  []string // one of them suffices; empty allows all users

	ConnectTimeout, Timeout, ClockSkew time.Duration

	Keys   *seal.Keys
	Secure bool          // browsers reach the proxy by TLS
	Life   time.Duration // lifetime of a session
	Log    *slog.Logger
	Now    func() time.Time
}

// Client identifies users by one provider. It is safe for concurrent use.
type Client struct {
	cfg       Config
	http      *http.Client
	transport *http.Transport
	discovery discovery
	used      usedStates
	userName  *regexp.Regexp // see anchored
}

// New creates a Client. It sends no request to the provider.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg, userName: anchored(cfg.UserNameRegex)}
	c.http, c.transport = newHTTP(cfg.ConnectTimeout, cfg.Timeout)
	return c
}

// Close closes the connections to the provider.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Begin sets the cookie of a sign-in and returns the address of the provider for the redirect.
// After the sign-in the browser continues at target, a path of this server.
func (c *Client) Begin(ctx context.Context, w http.ResponseWriter, target string) (address string, err error) {
	m, err := c.metadata(ctx)
	if err != nil {
		return "", err
	}
	f := flow{State: randomText(), Nonce: randomText(), Verifier: oauth2.GenerateVerifier(), Target: target, Expires: c.cfg.Now().Add(flowLife)}
	if err := c.keep(w, f); err != nil {
		return "", fmt.Errorf("seal the cookie of a sign-in: %w", err)
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce)}
	if !c.cfg.WithoutPKCE {
		options = append(options, oauth2.S256ChallengeOption(f.Verifier))
	}
	for name, value := range map[string]string{"prompt": c.cfg.Prompt, "acr_values": c.cfg.ACRValues, "resource": c.cfg.Resource} {
		if value != "" {
			options = append(options, oauth2.SetAuthURLParam(name, value))
		}
	}
	return c.exchanger(m, "").AuthCodeURL(f.State, options...), nil
}

func (c *Client) exchanger(m *metadata, secret config.Secret) *oauth2.Config {
	style := oauth2.AuthStyleInHeader
	if c.cfg.AuthMethod != SecretBasic {
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: c.cfg.ClientID, ClientSecret: secret.Reveal(), Scopes: c.cfg.Scopes, RedirectURL: c.cfg.BaseURL + callbackPath,
		Endpoint: oauth2.Endpoint{AuthURL: m.AuthURL, TokenURL: m.TokenURL, AuthStyle: style},
	}
}

// Result is the result of a return from the provider.
type Result struct {
	Identity
	// Target is the path to continue at, empty if the return belongs to no sign-in.
	Target string
	// IDToken is needed to sign out at the provider.
	IDToken config.Secret
}

// Finish validates the request with which the provider redirects the browser back. Errors have a
// Code; with an error the result holds the data known so far.
func (c *Client) Finish(ctx context.Context, w http.ResponseWriter, r *http.Request) (Result, error) {
	query := r.URL.Query()
	for _, name := range []string{"state", "code", "error", "iss"} {
		if len(query[name]) > 1 {
			return Result{}, refuse(CallbackInvalid, "%s is given %d times", name, len(query[name]))
		}
	}
	f, err := c.take(w, r, query.Get("state"))
	out := Result{Target: f.Target}
	if err != nil {
		return out, err
	}
	m, err := c.metadata(ctx)
	if err != nil {
		return out, err
	}
	if err := checkAnswer(m, query); err != nil {
		return out, err
	}
	tokens, err := c.exchange(ctx, m, query.Get("code"), f)
	if err != nil {
		return out, err
	}
	said, raw, err := c.verify(ctx, m, tokens, f)
	if err != nil {
		return out, err
	}
	if err := c.complete(ctx, m, tokens, said); err != nil {
		return out, err
	}
	out.Identity, err = c.identify(said)
	out.IDToken = raw
	return out, err
}

// checkAnswer checks the parameters of the return other than the state.
func checkAnswer(m *metadata, query url.Values) error {
	if issuer := query.Get("iss"); issuer != m.Issuer && (issuer != "" || m.TellsIssuer) {
		return refuse(IssuerMismatch, "the answer is of the issuer %.200q", issuer)
	}
	switch problem := query.Get("error"); {
	case problem == "access_denied":
		return refuse(AccessDenied, "the provider says access_denied: %.200q", query.Get("error_description"))
	case problem != "":
		return refuse(ProviderRefused, "the provider says %.100q: %.200q", problem, query.Get("error_description"))
	case query.Get("code") == "" || len(query.Get("code")) > maxCode:
		return refuse(CallbackInvalid, "there is no code, or one of more than %d bytes", maxCode)
	}
	return nil
}

func (c *Client) exchange(ctx context.Context, m *metadata, code string, f flow) (*oauth2.Token, error) {
	secret, err := c.secret(ctx)
	if err != nil {
		return nil, err
	}
	var options []oauth2.AuthCodeOption
	if !c.cfg.WithoutPKCE {
		options = append(options, oauth2.VerifierOption(f.Verifier))
	}
	tokens, err := c.exchanger(m, secret).Exchange(oidc.ClientContext(ctx, c.http), code, options...)
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		return tokens, nil
	// Its text contains the body of the response, which must not be logged.
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode >= http.StatusInternalServerError:
		return nil, refuse(ProviderUnavailable, "exchange the code: the provider answered %s", refused.Response.Status)
	case errors.As(err, &refused):
		return nil, refuse(CodeRefused, "exchange the code: the provider says %.100q: %.200q", refused.ErrorCode, refused.ErrorDescription)
	// The library converts an interrupted response into a text.
	case isUnreachable(err), strings.HasPrefix(err.Error(), "oauth2: cannot fetch token"):
		return nil, refuse(ProviderUnavailable, "exchange the code: %w", err)
	}
	return nil, refuse(ProviderUnusable, "exchange the code: the provider sent no token that can be read")
}

func (c *Client) secret(ctx context.Context) (config.Secret, error) {
	if c.cfg.AuthMethod == NoSecret {
		return "", nil
	}
	secret, err := c.cfg.Secret(ctx)
	if err != nil {
		return "", refuse(ServiceUnavailable, "read the client secret: %w", err)
	}
	if secret == "" {
		return "", refuse(NotConfigured, "there is no client secret, neither configured nor in the global settings of the catalog")
	}
	return secret, nil
}

// isUnreachable reports whether the provider cannot be reached or sends too much, as opposed to a regular
// response.
func isUnreachable(err error) bool {
	var failed *url.Error
	return errors.As(err, &failed) || errors.Is(err, errTooLarge) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// verify checks all required statements of the ID token.
func (c *Client) verify(ctx context.Context, m *metadata, tokens *oauth2.Token, f flow) (claims, config.Secret, error) {
	raw, ok := tokens.Extra("id_token").(string)
	if !ok || raw == "" {
		return nil, "", refuse(TokenInvalid, "the provider sent no ID token; the scope must hold openid")
	}
	token, err := m.idTokens.Verify(ctx, raw)
	if err != nil {
		return nil, "", c.explain(ctx, m, raw, err)
	}
	var text json.RawMessage
	if err := token.Claims(&text); err != nil {
		return nil, "", refuse(TokenInvalid, "read the claims: %w", err)
	}
	said, err := decodeClaims(text)
	if err != nil {
		return nil, "", refuse(TokenInvalid, "read the claims: %w", err)
	}
	if err := c.checkTimes(token, said); err != nil {
		return nil, "", err
	}
	switch azp, stated := said["azp"]; {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(f.Nonce)) != 1:
		return nil, "", refuse(NonceMismatch, "the nonce of the ID token is not the one of this sign-in")
	case stated && azp != c.cfg.ClientID, !stated && len(token.Audience) > 1:
		return nil, "", refuse(AudienceMismatch, "the ID token was issued to %.200q", said.text("azp"))
	case token.Subject == "":
		return nil, "", refuse(TokenInvalid, "the ID token has no subject")
	case token.AccessTokenHash != "" && token.VerifyAccessToken(tokens.AccessToken) != nil:
		return nil, "", refuse(TokenInvalid, "the ID token belongs to another access token")
	}
	return said, config.Secret(raw), nil
}

// explain determines the code for an invalid token. It uses nothing else of the token.
func (c *Client) explain(ctx context.Context, m *metadata, raw string, reason error) error {
	var expired *oidc.TokenExpiredError
	if errors.As(reason, &expired) {
		return refuse(TokenExpired, "the ID token expired at %s", expired.Expiry.UTC().Format(time.RFC3339))
	}
	ctx, unread := noteKeys(ctx)
	token, err := m.signatures.Verify(ctx, raw)
	switch {
	case *unread != nil:
		return refuse(ProviderUnavailable, "read the keys of the provider: %.300s", (*unread).Error())
	case err != nil:
		return refuse(TokenInvalid, "the ID token: %.300s", err.Error())
	case token.Issuer != m.Issuer:
		return refuse(IssuerMismatch, "the ID token is of the issuer %.200q", token.Issuer)
	case !slices.Contains(token.Audience, c.cfg.ClientID):
		return refuse(AudienceMismatch, "the ID token is for %.200q", strings.Join(token.Audience, " "))
	}
	return refuse(TokenTooNew, "the ID token: %.300s", reason.Error())
}

// checkTimes rejects a token from the future, the result of a wrong clock here or at the provider.
func (c *Client) checkTimes(token *oidc.IDToken, said claims) error {
	latest := c.cfg.Now().Add(c.cfg.ClockSkew)
	if token.IssuedAt.After(latest) {
		return refuse(TokenTooNew, "the ID token was issued at %s", token.IssuedAt.UTC().Format(time.RFC3339))
	}
	notBefore, ok := said["nbf"].(json.Number)
	if !ok {
		return nil
	}
	if seconds, err := notBefore.Float64(); err != nil || seconds > float64(latest.Unix()) {
		return refuse(TokenTooNew, "the ID token holds from %.30s on", notBefore.String())
	}
	return nil
}

// complete adds claims that the ID token lacks: those of the access token, and of the user info,
// which is requested only if claims are missing.
func (c *Client) complete(ctx context.Context, m *metadata, tokens *oauth2.Token, said claims) error {
	if c.cfg.AccessTokenClaims {
		if err := c.addAccessToken(ctx, m, tokens, said); err != nil {
			return err
		}
	}
	if m.UserInfoURL == "" || len(c.missing(said, append(c.needed(), "email", "name"))) == 0 {
		return nil
	}
	info, err := m.provider.UserInfo(oidc.ClientContext(ctx, c.http), oauth2.StaticTokenSource(tokens))
	if err != nil {
		if missing := c.missing(said, c.needed()); len(missing) > 0 {
			return refuse(ProviderUnavailable, "the ID token lacks %s, and the user info: %.300s", strings.Join(missing, ", "), err.Error())
		}
		c.cfg.Log.WarnContext(ctx, "user info of the identity provider not read", "error", fmt.Sprintf("%.300s", err.Error()))
		return nil
	}
	if info.Subject != said.text("sub") {
		return refuse(TokenInvalid, "the user info is of somebody else than the ID token")
	}
	var text json.RawMessage
	if err := info.Claims(&text); err != nil {
		return refuse(TokenInvalid, "read the user info: %w", err)
	}
	more, err := decodeClaims(text)
	if err != nil {
		return refuse(TokenInvalid, "read the user info: %w", err)
	}
	said.add(more)
	return nil
}

func (c *Client) needed() []string {
	names := []string{c.cfg.UserNameClaim}
	if c.wantsGroups() {
		names = append(names, c.cfg.GroupsClaims...)
	}
	return names
}

func (c *Client) missing(said claims, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := said.at(name)
		return ok
	})
}

// addAccessToken adds the claims of an access token that is a JWT of the provider about the same
// user. It ignores tokens of other formats.
func (c *Client) addAccessToken(ctx context.Context, m *metadata, tokens *oauth2.Token, said claims) error {
	if strings.Count(tokens.AccessToken, ".") != 2 {
		return nil
	}
	token, err := m.accessTokens.Verify(ctx, tokens.AccessToken)
	if err != nil {
		return refuse(TokenInvalid, "the access token, whose claims oidc.extract_jwt_access_token_claims asks for: %.300s", err.Error())
	}
	if token.Subject != said.text("sub") {
		return refuse(TokenInvalid, "the access token is of somebody else than the ID token")
	}
	var text json.RawMessage
	if err := token.Claims(&text); err != nil {
		return refuse(TokenInvalid, "read the access token: %w", err)
	}
	more, err := decodeClaims(text)
	if err != nil {
		return refuse(TokenInvalid, "read the access token: %w", err)
	}
	said.add(more)
	return nil
}

// signOutCookie holds the ID token, which providers require, and is sent only to the path that
// reads it.
const (
	signOutCookie = "cartulary_sso_out"
	signOutPath   = "/logOut"
)

// Remember records in the browser that its session came from the provider.
func (c *Client) Remember(w http.ResponseWriter, idToken config.Secret) {
	if !c.cfg.SignOut {
		return
	}
	value := c.cfg.Keys.Seal(signOutCookie, []byte(idToken.Reveal()))
	if len(value) > maxCookie {
		// Providers also accept the client id, and ask for confirmation then.
		value = c.cfg.Keys.Seal(signOutCookie, nil)
	}
	cookie := c.cookie(signOutCookie, value, signOutPath)
	cookie.MaxAge = int(c.cfg.Life / time.Second)
	http.SetCookie(w, cookie)
}

// Forget removes the cookie of Remember.
func (c *Client) Forget(w http.ResponseWriter) {
	if !c.cfg.SignOut {
		return
	}
	cookie := c.cookie(signOutCookie, "", signOutPath)
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}

// SignOutAddress returns the address that ends the session of a request at the provider. It is
// empty if there is none, if the provider has no such address, or if it is unavailable. page is the
// path to which the provider redirects afterwards.
func (c *Client) SignOutAddress(ctx context.Context, r *http.Request, page string) string {
	if !c.cfg.SignOut {
		return ""
	}
	cookie, err := r.Cookie(signOutCookie)
	if err != nil {
		return ""
	}
	idToken, err := c.cfg.Keys.Open(signOutCookie, cookie.Value)
	if err != nil {
		return ""
	}
	m, err := c.metadata(ctx)
	if err != nil || m.SignOutURL == "" {
		c.cfg.Log.WarnContext(ctx, "session not ended at the identity provider", "reason", cmp.Or(err, errNoSignOut))
		return ""
	}
	address, err := url.Parse(m.SignOutURL)
	if err != nil {
		return ""
	}
	query := address.Query()
	query.Set("client_id", c.cfg.ClientID)
	query.Set("post_logout_redirect_uri", c.cfg.BaseURL+page)
	if len(idToken) > 0 {
		query.Set("id_token_hint", string(idToken))
	}
	address.RawQuery = query.Encode()
	return address.String()
}

var errNoSignOut = errors.New("its metadata has no end_session_endpoint")

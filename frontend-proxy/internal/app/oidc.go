package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/login"
	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/upstream"
	"github.com/cartulary/cartulary/pkg/config"
)

// OIDC holds the settings of single sign-on, under the names that DataHub uses.
type OIDC struct {
	Enabled bool `config:"enabled" alias:"AUTH_OIDC_ENABLED"`
	// Name is the name of the provider on the button of the sign-in page.
	Name     string `config:"name" alias:"AUTH_OIDC_CLIENT_NAME"`
	ClientID string `config:"client_id" alias:"AUTH_OIDC_CLIENT_ID"` // identifier of the proxy at the provider
	// ClientSecret is the secret of the proxy at the provider, as text or as the name of a file.
	// Without either, the proxy uses the encrypted secret in the global settings of the service.
	ClientSecret     config.Secret `config:"client_secret" alias:"AUTH_OIDC_CLIENT_SECRET"`
	ClientSecretFile string        `config:"client_secret_file" alias:"AUTH_OIDC_CLIENT_SECRET_FILE" example:"/run/secrets/oidc"`
	// DiscoveryURI is the address of the provider's metadata, such as
	// https://id.example.com/.well-known/openid-configuration, and Issuer the issuer of the provider,
	// if it does not follow from DiscoveryURI.
	DiscoveryURI string `config:"discovery_uri" alias:"AUTH_OIDC_DISCOVERY_URI"`
	Issuer       string `config:"issuer" alias:"AUTH_OIDC_ISSUER"`
	AllowHTTP    bool   `config:"allow_http"` // permit a provider on another machine without TLS; for trials only
	// BaseURL is the address of the proxy for browsers, such as https://catalog.example.com; base_path
	// is appended.
	BaseURL string `config:"base_url" alias:"AUTH_OIDC_BASE_URL"`

	Scope         string `config:"scope" alias:"AUTH_OIDC_SCOPE"`
	AuthMethod    string `config:"client_authentication_method" alias:"AUTH_OIDC_CLIENT_AUTHENTICATION_METHOD"`       // or client_secret_post, or none
	Algorithm     string `config:"preferred_jws_algorithm" alias:"AUTH_OIDC_PREFERRED_JWS_ALGORITHM"`                 // such as RS256: refuse ID tokens with another signature algorithm
	ResponseType  string `config:"response_type" alias:"AUTH_OIDC_RESPONSE_TYPE"`                                     // the only supported value
	ResponseMode  string `config:"response_mode" alias:"AUTH_OIDC_RESPONSE_MODE"`                                     // the only supported value
	GrantType     string `config:"grant_type" alias:"AUTH_OIDC_GRANT_TYPE"`                                           // the only supported value
	UseNonce      bool   `config:"use_nonce" alias:"AUTH_OIDC_USE_NONCE"`                                             // cannot be turned off
	DisablePKCE   bool   `config:"disable_pkce" alias:"AUTH_OIDC_DISABLE_PKCE"`                                       // for providers that refuse PKCE
	Prompt        string `config:"prompt" alias:"AUTH_OIDC_PROMPT"`                                                   // such as login or select_account
	ACRValues     string `config:"acr_values" alias:"AUTH_OIDC_ACR_VALUES"`                                           // requested authentication context; the provider may ignore it
	Resource      string `config:"custom_param_resource" alias:"AUTH_OIDC_CUSTOM_PARAM_RESOURCE"`                     // sent as the parameter resource
	AccessClaims  bool   `config:"extract_jwt_access_token_claims" alias:"AUTH_OIDC_EXTRACT_JWT_ACCESS_TOKEN_CLAIMS"` // also use the claims of the access token
	SignOut       bool   `config:"logout_at_provider" alias:"AUTH_OIDC_LOGOUT_AT_PROVIDER"`                           // signing out here also signs out at the provider
	UserNameClaim string `config:"user_name_claim" alias:"AUTH_OIDC_USER_NAME_CLAIM"`                                 // or preferred_username, or another claim
	// UserNameRegex: the user name is the match in the claim. An expression with a group named user must match
	// the whole claim, and the user name is the group: (?P<user>[^@]+)@example\.com.
	UserNameRegex string `config:"user_name_claim_regex" alias:"AUTH_OIDC_USER_NAME_CLAIM_REGEX"`
	Unverified    bool   `config:"allow_unverified_email"` // accept an email address as user name if the provider sends email_verified: false

	Provision     bool     `config:"jit_provisioning_enabled" alias:"AUTH_OIDC_JIT_PROVISIONING_ENABLED"`   // create users at their first sign-in, and update their profiles at each sign-in
	Provisioned   bool     `config:"pre_provisioning_required" alias:"AUTH_OIDC_PRE_PROVISIONING_REQUIRED"` // create no users: only existing users can sign in
	ExtractGroups bool     `config:"extract_groups_enabled" alias:"AUTH_OIDC_EXTRACT_GROUPS_ENABLED"`       // create the groups of the claim, and make the user a member of them
	GroupsClaims  []string `config:"groups_claim" alias:"AUTH_OIDC_GROUPS_CLAIM"`                           // a path such as realm_access.roles leads into objects

	// RequiredGroups: only members of one of these groups can sign in. DeniedMessage is the message
	// for other users, and DeniedURL the address to which they are sent instead of the sign-in page.
	RequiredGroups []string `config:"required_groups" alias:"AUTH_OIDC_REQUIRED_GROUPS"`
	DeniedMessage  string   `config:"access_denied_message" alias:"AUTH_OIDC_ACCESS_DENIED_MESSAGE"`
	DeniedURL      string   `config:"access_denied_redirect_url" alias:"AUTH_OIDC_ACCESS_DENIED_REDIRECT_URL"`

	ConnectTimeout wait `config:"connect_timeout" alias:"AUTH_OIDC_CONNECT_TIMEOUT"` // for a connection to the provider
	ReadTimeout    wait `config:"read_timeout" alias:"AUTH_OIDC_READ_TIMEOUT"`       // for a response of the provider; a number without a unit is in milliseconds
	ClockSkew      wait `config:"clock_skew"`                                        // tolerated deviation of the provider's clock
}

// wait is a duration that may also be written as a number of milliseconds, the format of existing
// variables.
type wait time.Duration

// UnmarshalText parses texts such as 5s and 5000.
func (w *wait) UnmarshalText(text []byte) error {
	if n, err := strconv.ParseInt(string(text), 10, 32); err == nil {
		*w = wait(time.Duration(n) * time.Millisecond)
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is neither a duration such as 5s nor a number of milliseconds", text)
	}
	*w = wait(d)
	return nil
}

func (w wait) String() string { return time.Duration(w).String() }

func defaultOIDC() OIDC {
	return OIDC{
		Name: "SSO", Scope: "openid profile email", AuthMethod: sso.SecretBasic, ResponseType: "code", ResponseMode: "query",
		GrantType: "authorization_code", UseNonce: true, UserNameClaim: "email", UserNameRegex: "(.*)", Provision: true, GroupsClaims: []string{"groups"},
		ConnectTimeout: wait(5 * time.Second), ReadTimeout: wait(10 * time.Second), ClockSkew: wait(time.Minute),
	}
}

const (
	maxSkew = 10 * time.Minute
	maxWait = time.Minute
	maxText = 1000 // bytes of a message or a name
)

// validate returns all problems; none if single sign-on is off.
func (o *OIDC) validate(basePath string) (problems []error) {
	if !o.Enabled {
		return nil
	}
	add := func(key, format string, args ...any) {
		problems = append(problems, fmt.Errorf("oidc."+key+" "+format, args...))
	}
	if o.ClientID == "" {
		add("client_id", "is missing: the id that the provider has given to this client")
	}
	if err := sso.CheckAddress(o.DiscoveryURI, o.AllowHTTP); err != nil {
		add("discovery_uri", "%w; it usually ends in /.well-known/openid-configuration", err)
	}
	if base, err := url.Parse(o.BaseURL); err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		add("base_url", "must be where browsers reach the proxy, such as https://catalog.example.com")
	} else if path := strings.TrimRight(base.Path, "/"); basePath != "" && path != "" && path != basePath {
		add("base_url", "ends in the path %s, and base_path is %s: leave the path out of oidc.base_url", path, basePath)
	}
	if o.ClientSecret != "" && o.ClientSecretFile != "" {
		add("client_secret", "and oidc.client_secret_file are both set: keep one")
	}
	if !slices.Contains(strings.Fields(o.Scope), "openid") {
		add("scope", "must hold openid")
	}
	if methods := []string{sso.SecretBasic, sso.SecretPost, sso.NoSecret}; !slices.Contains(methods, o.AuthMethod) {
		add("client_authentication_method", "must be one of %s", strings.Join(methods, ", "))
	}
	if o.AuthMethod == sso.NoSecret && o.DisablePKCE {
		add("disable_pkce", "must be false: without a client secret, PKCE is the only protection of a stolen code")
	}
	if o.Algorithm != "" && !slices.Contains(sso.Algorithms(), o.Algorithm) {
		add("preferred_jws_algorithm", "must be one of %s: other algorithms do not prove the signer", strings.Join(sso.Algorithms(), ", "))
	}
	for _, fixed := range []struct{ key, value, want, why string }{
		{"response_type", o.ResponseType, "code", "tokens do not pass through the browser"},
		{"response_mode", o.ResponseMode, "query", "a form sent by another site comes without cookies"},
		{"grant_type", o.GrantType, "authorization_code", "it is the one for browsers"},
	} {
		if fixed.value != fixed.want {
			add(fixed.key, "must be %s: %s", fixed.want, fixed.why)
		}
	}
	if !o.UseNonce {
		add("use_nonce", "must be true: without it an ID token could be one of another sign-in")
	}
	return append(problems, o.validateUsers()...)
}

func (o *OIDC) validateUsers() (problems []error) {
	add := func(key, format string, args ...any) {
		problems = append(problems, fmt.Errorf("oidc."+key+" "+format, args...))
	}
	if o.UserNameClaim == "" {
		add("user_name_claim", "must name a claim, such as email or preferred_username")
	}
	if _, err := regexp.Compile(o.UserNameRegex); err != nil {
		add("user_name_claim_regex", "is no expression that can be used: %w", err)
	}
	if (o.ExtractGroups || len(o.RequiredGroups) > 0) && len(o.GroupsClaims) == 0 {
		add("groups_claim", "must name the claim of groups that oidc.extract_groups_enabled and oidc.required_groups look at")
	}
	if len(o.DeniedMessage) > maxText || len(o.Name) > maxText || o.Name == "" {
		add("name", "must be a text of at most %d bytes, and oidc.access_denied_message as well", maxText)
	}
	if denied, err := url.Parse(o.DeniedURL); err != nil || o.DeniedURL != "" && !(denied.Scheme == "https" || denied.Scheme == "http") {
		add("access_denied_redirect_url", "must be an address such as https://help.example.com/access")
	}
	for _, d := range []struct {
		key            string
		value          wait
		least, longest time.Duration
	}{{"connect_timeout", o.ConnectTimeout, 1, maxWait}, {"read_timeout", o.ReadTimeout, 1, maxWait}, {"clock_skew", o.ClockSkew, 0, maxSkew}} {
		if time.Duration(d.value) < d.least || time.Duration(d.value) > d.longest {
			add(d.key, "must be between %s and %s, found %s", d.least, d.longest, d.value)
		}
	}
	return problems
}

// openProvider creates the identity provider client; the client is nil if single sign-on is off.
func openProvider(ctx context.Context, cfg Config, client *upstream.Client, log *slog.Logger) (login.Provider, error) {
	o := cfg.OIDC
	if !o.Enabled {
		return login.Provider{}, nil
	}
	secret, err := providerSecret(o, client)
	if err != nil {
		return login.Provider{}, err
	}
	keys, err := openKeys(ctx, cfg, sso.KeyPurpose, log)
	if err != nil {
		return login.Provider{}, err
	}
	expression, err := regexp.Compile(o.UserNameRegex)
	if err != nil {
		return login.Provider{}, fmt.Errorf("oidc.user_name_claim_regex: %w", err)
	}
	base := strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), cfg.BasePath) + cfg.BasePath
	return login.Provider{
		Create: o.Provision && !o.Provisioned, Update: o.Provision, DeniedMessage: o.DeniedMessage, DeniedAddress: o.DeniedURL,
		Client: sso.New(sso.Config{
			ClientID: o.ClientID, Secret: secret, DiscoveryURI: o.DiscoveryURI, Issuer: o.Issuer, BaseURL: base, BasePath: cfg.BasePath, AllowHTTP: o.AllowHTTP,
			Scopes: strings.Fields(o.Scope), AuthMethod: o.AuthMethod, Algorithm: o.Algorithm, WithoutPKCE: o.DisablePKCE,
			Prompt: o.Prompt, ACRValues: o.ACRValues, Resource: o.Resource, AccessTokenClaims: o.AccessClaims, SignOut: o.SignOut,
			UserNameClaim: o.UserNameClaim, UserNameRegex: expression, AllowUnverified: o.Unverified,
			GroupsClaims: o.GroupsClaims, ExtractGroups: o.ExtractGroups, RequiredGroups: o.RequiredGroups,
			ConnectTimeout: time.Duration(o.ConnectTimeout), Timeout: time.Duration(o.ReadTimeout), ClockSkew: time.Duration(o.ClockSkew),
			Keys: keys, Secure: cfg.Outside.TLS || strings.HasPrefix(base, "https://"), Life: cfg.SessionLife, Log: log, Now: time.Now,
		}),
	}, nil
}

// providerSecret returns a function for the client secret. It returns the configured secret, or
// else requests the one of the service at each use, since it may be stored or replaced later.
func providerSecret(o OIDC, client *upstream.Client) (func(context.Context) (config.Secret, error), error) {
	if o.ClientSecretFile == "" && o.ClientSecret == "" {
		return client.ProviderSecret, nil
	}
	secret := o.ClientSecret
	if o.ClientSecretFile != "" {
		var err error
		if secret, err = readOnce(o.ClientSecretFile); err != nil {
			return nil, fmt.Errorf("oidc.client_secret_file: %w", err)
		}
	}
	if secret == "" {
		return nil, errors.New("oidc.client_secret_file: the file is empty")
	}
	return func(context.Context) (config.Secret, error) { return secret, nil }, nil
}

// openKeys derives keys for a purpose from the session secret.
func openKeys(ctx context.Context, cfg Config, purpose string, log *slog.Logger) (*seal.Keys, error) {
	secret, previous, err := sessionSecrets(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	return seal.NewKeys(purpose, secret, previous)
}

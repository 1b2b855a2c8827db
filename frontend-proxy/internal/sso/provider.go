package sso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

const (
	// maxAnswer limits the bytes read of a provider's response, after decompression.
	maxAnswer = 512 << 10
	// freshFor is the lifetime of cached metadata of the provider.
	freshFor = time.Hour
	// Waits before the next request after a failure of the provider.
	firstRetry, lastRetry = time.Second, 30 * time.Second
)

const wellKnown = "/.well-known/openid-configuration"

// algorithms are signature algorithms with an asymmetric key, whose private part only the provider
// has. They include neither none nor HS256, for which the client secret would suffice.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// Algorithms returns the signature algorithms of ID tokens that can be configured.
func Algorithms() []string { return slices.Clone(algorithms) }

// metadata is the metadata of the provider.
type metadata struct {
	Issuer       string   `json:"issuer"`
	AuthURL      string   `json:"authorization_endpoint"`
	TokenURL     string   `json:"token_endpoint"`
	UserInfoURL  string   `json:"userinfo_endpoint"`
	KeysURL      string   `json:"jwks_uri"`
	SignOutURL   string   `json:"end_session_endpoint"`
	Algorithms   []string `json:"id_token_signing_alg_values_supported"`
	TellsIssuer  bool     `json:"authorization_response_iss_parameter_supported"`
	readAt       time.Time
	provider     *oidc.Provider
	idTokens     *oidc.IDTokenVerifier
	signatures   *oidc.IDTokenVerifier // of tokens for other clients; only the signature is checked
	accessTokens *oidc.IDTokenVerifier
}

// discovery reads the metadata at the first use, and again after its lifetime.
type discovery struct {
	mu      sync.Mutex
	known   *metadata
	reading chan struct{} // closed when the read in progress has ended
	failure error
	retryAt time.Time
	wait    time.Duration
}

// metadata returns the metadata of the provider. Only one request at a time reads it. After a
// failure the next read is delayed, and cached metadata stays in use.
func (c *Client) metadata(ctx context.Context) (*metadata, error) {
	d := &c.discovery
	for {
		d.mu.Lock()
		now := c.cfg.Now()
		switch {
		case d.known != nil && (now.Sub(d.known.readAt) < freshFor || d.reading != nil || now.Before(d.retryAt)):
			defer d.mu.Unlock()
			return d.known, nil
		case d.reading == nil && d.failure != nil && now.Before(d.retryAt):
			defer d.mu.Unlock()
			return nil, d.failure
		case d.reading == nil:
			d.reading = make(chan struct{})
			d.mu.Unlock()
			// Other requests wait for the result, so it continues after this caller is cancelled.
			return c.discover(context.WithoutCancel(ctx))
		}
		reading := d.reading
		d.mu.Unlock()
		select {
		case <-reading:
		case <-ctx.Done():
			return nil, refuse(ProviderUnavailable, "%w", ctx.Err())
		}
	}
}

func (c *Client) discover(ctx context.Context) (*metadata, error) {
	found, err := c.read(ctx)
	d := &c.discovery
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.reading)
	d.reading = nil
	if err == nil {
		d.known, d.failure, d.wait = found, nil, 0
		return found, nil
	}
	d.wait = min(max(2*d.wait, firstRetry), lastRetry)
	d.failure, d.retryAt = err, c.cfg.Now().Add(d.wait)
	if d.known != nil {
		c.cfg.Log.WarnContext(ctx, "metadata of the identity provider not renewed", "error", err)
		return d.known, nil
	}
	return nil, err
}

func (c *Client) read(ctx context.Context) (*metadata, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.cfg.DiscoveryURI, nil)
	if err != nil {
		return nil, refuse(ProviderUnusable, "address of the metadata: %w", err)
	}
	r.Header.Set("Accept", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return nil, refuse(ProviderUnavailable, "read the metadata of the provider: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, refuse(ProviderUnavailable, "read the metadata of the provider: it answered %s", response.Status)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, refuse(ProviderUnavailable, "read the metadata of the provider: %w", err)
	}
	m := &metadata{readAt: c.cfg.Now()}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, refuse(ProviderUnusable, "read the metadata of the provider: %w", err)
	}
	if err := c.check(m); err != nil {
		return nil, err
	}
	c.trust(m)
	return m, nil
}

// check compares metadata with the configuration: it must have the expected issuer, otherwise
// another provider could impersonate it.
func (c *Client) check(m *metadata) error {
	// The address of the metadata does not contain the trailing slash of an issuer.
	if want := c.issuer(); m.Issuer != want && (c.cfg.Issuer != "" || m.Issuer != want+"/") {
		return refuse(ProviderUnusable, "the metadata is of the issuer %.200q, and not of %q; set oidc.issuer when that one is meant", m.Issuer, want)
	}
	for _, endpoint := range []struct {
		name, address string
		required      bool
	}{
		{"authorization_endpoint", m.AuthURL, true}, {"token_endpoint", m.TokenURL, true}, {"jwks_uri", m.KeysURL, true},
		{"userinfo_endpoint", m.UserInfoURL, false}, {"end_session_endpoint", m.SignOutURL, false},
	} {
		if endpoint.address == "" && !endpoint.required {
			continue
		}
		if err := CheckAddress(endpoint.address, c.cfg.AllowHTTP); err != nil {
			return refuse(ProviderUnusable, "the metadata says that %s is %.200q, which %w", endpoint.name, endpoint.address, err)
		}
	}
	if len(c.algorithmsOf(m)) == 0 {
		return refuse(ProviderUnusable, "the provider signs by none of %s", strings.Join(algorithms, ", "))
	}
	return nil
}

// issuer returns the configured issuer, or the one derived from the address of the metadata.
func (c *Client) issuer() string {
	if c.cfg.Issuer != "" {
		return c.cfg.Issuer
	}
	issuer, _ := strings.CutSuffix(c.cfg.DiscoveryURI, wellKnown)
	return issuer
}

// algorithmsOf returns the accepted signature algorithms of a provider.
func (c *Client) algorithmsOf(m *metadata) []string {
	if c.cfg.Algorithm != "" {
		return []string{c.cfg.Algorithm}
	}
	if len(m.Algorithms) == 0 {
		return []string{oidc.RS256}
	}
	return slices.DeleteFunc(slices.Clone(m.Algorithms), func(name string) bool { return !slices.Contains(algorithms, name) })
}

// trust creates the token verifiers. Keys are read for the first token, and again for a token with
// an unknown key id.
func (c *Client) trust(m *metadata) {
	ctx := oidc.ClientContext(context.Background(), c.http)
	m.provider = (&oidc.ProviderConfig{
		IssuerURL: m.Issuer, AuthURL: m.AuthURL, TokenURL: m.TokenURL, UserInfoURL: m.UserInfoURL, JWKSURL: m.KeysURL, Algorithms: c.algorithmsOf(m),
	}).NewProvider(ctx)
	keys := keySet{oidc.NewRemoteKeySet(ctx, m.KeysURL)}
	verifier := func(cfg oidc.Config) *oidc.IDTokenVerifier {
		cfg.SupportedSigningAlgs = c.algorithmsOf(m)
		// Expired tokens are accepted within the clock skew; checkTimes checks for tokens from the
		// future.
		cfg.Now = func() time.Time { return c.cfg.Now().Add(-c.cfg.ClockSkew) }
		return oidc.NewVerifier(m.Issuer, keys, &cfg)
	}
	m.idTokens = verifier(oidc.Config{ClientID: c.cfg.ClientID})
	m.accessTokens = verifier(oidc.Config{SkipClientIDCheck: true})
	m.signatures = verifier(oidc.Config{SkipClientIDCheck: true, SkipExpiryCheck: true, SkipIssuerCheck: true})
}

// keySet distinguishes keys that could not be read from a wrong signature, because the library
// converts both into one text.
type keySet struct{ *oidc.RemoteKeySet }

type keysFailure struct{}

func (k keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, jwt)
	if failure, ok := ctx.Value(keysFailure{}).(*error); ok && err != nil && strings.HasPrefix(err.Error(), "fetching keys") {
		*failure = err
	}
	return payload, err
}

// noteKeys returns a context in which keySet records a failure to read keys, and the place of that
// error.
func noteKeys(ctx context.Context) (context.Context, *error) {
	failure := new(error)
	return context.WithValue(ctx, keysFailure{}, failure), failure
}

// CheckAddress returns an error for an invalid address of a provider. Unless allowHTTP is set, an
// address on another machine must use https, since an attacker on the path could impersonate the
// provider.
func CheckAddress(address string, allowHTTP bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("is not an address such as https://id.example.com")
	case u.Scheme == "http" && !allowHTTP && !isLoopback(u.Hostname()):
		return errors.New("must begin with https://, unless oidc.allow_http is set")
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// errTooLarge ends the read of a response larger than any valid one.
var errTooLarge = fmt.Errorf("the answer is larger than %d KiB", maxAnswer>>10)

// newHTTP creates a client with limits for time and size. It follows no redirects: the metadata
// contains the final addresses, and a secret must not be sent elsewhere.
func newHTTP(connect, whole time.Duration) (*http.Client, *http.Transport) {
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connect}).DialContext,
		TLSHandshakeTimeout: connect,
		IdleConnTimeout:     time.Minute, MaxIdleConns: 10, ForceAttemptHTTP2: true,
		MaxResponseHeaderBytes: 64 << 10,
	}
	return &http.Client{
		Transport: bounded{transport}, Timeout: whole,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, transport
}

// bounded limits the bodies of responses.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{ReadCloser: response.Body, left: maxAnswer}
	return response, nil
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		// One further byte distinguishes a response that is too large from one of exactly the
		// maximum size.
		n, err := b.ReadCloser.Read(make([]byte, 1))
		if n > 0 {
			return 0, errTooLarge
		}
		return 0, err
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

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
	// maxAnswer bounds what is read of an answer of the provider, after decompression.
	maxAnswer = 512 << 10
	// freshFor is how long metadata of the provider is taken as it was read.
	freshFor = time.Hour
	// Waits before the provider is asked again that did not answer.
	firstRetry, lastRetry = time.Second, 30 * time.Second
)

const wellKnown = "/.well-known/openid-configuration"

// algorithms are signatures by a key of which the provider alone has the secret half.
// Neither none nor HS256, for which our client secret would do, is among them.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// Algorithms lists the signatures of ID tokens that can be preferred.
func Algorithms() []string { return slices.Clone(algorithms) }

// metadata is what the provider says of itself.
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
	signatures   *oidc.IDTokenVerifier // of tokens for others, of which no more is asked
	accessTokens *oidc.IDTokenVerifier
}

// discovery reads the metadata when it is first needed, and again when it is old.
type discovery struct {
	mu      sync.Mutex
	known   *metadata
	reading chan struct{} // closed when the reading under way has ended
	failure error
	retryAt time.Time
	wait    time.Duration
}

// metadata gives what the provider says of itself. One request at a time asks for
// it; a provider that did not answer is left alone for a moment, and what is known of
// it goes on to hold.
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
			// Others wait for it, so it goes on when this caller is gone.
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

// check holds metadata against what was configured: it must be of the issuer that was
// meant, or another one could speak for it.
func (c *Client) check(m *metadata) error {
	// A slash at the end of an issuer is not in the address of its metadata.
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

// issuer is the one that was configured, or else follows from where its metadata is.
func (c *Client) issuer() string {
	if c.cfg.Issuer != "" {
		return c.cfg.Issuer
	}
	issuer, _ := strings.CutSuffix(c.cfg.DiscoveryURI, wellKnown)
	return issuer
}

// algorithmsOf lists the signatures that are taken of a provider.
func (c *Client) algorithmsOf(m *metadata) []string {
	if c.cfg.Algorithm != "" {
		return []string{c.cfg.Algorithm}
	}
	if len(m.Algorithms) == 0 {
		return []string{oidc.RS256}
	}
	return slices.DeleteFunc(slices.Clone(m.Algorithms), func(name string) bool { return !slices.Contains(algorithms, name) })
}

// trust makes what verifies tokens. Keys are read when the first token comes, and when one
// names a key that is not known.
func (c *Client) trust(m *metadata) {
	ctx := oidc.ClientContext(context.Background(), c.http)
	m.provider = (&oidc.ProviderConfig{
		IssuerURL: m.Issuer, AuthURL: m.AuthURL, TokenURL: m.TokenURL, UserInfoURL: m.UserInfoURL, JWKSURL: m.KeysURL, Algorithms: c.algorithmsOf(m),
	}).NewProvider(ctx)
	keys := keySet{oidc.NewRemoteKeySet(ctx, m.KeysURL)}
	verifier := func(cfg oidc.Config) *oidc.IDTokenVerifier {
		cfg.SupportedSigningAlgs = c.algorithmsOf(m)
		// What expired is taken for as long as clocks may differ; what is from the future is
		// looked at where claims are.
		cfg.Now = func() time.Time { return c.cfg.Now().Add(-c.cfg.ClockSkew) }
		return oidc.NewVerifier(m.Issuer, keys, &cfg)
	}
	m.idTokens = verifier(oidc.Config{ClientID: c.cfg.ClientID})
	m.accessTokens = verifier(oidc.Config{SkipClientIDCheck: true})
	m.signatures = verifier(oidc.Config{SkipClientIDCheck: true, SkipExpiryCheck: true, SkipIssuerCheck: true})
}

// keySet tells keys that could not be read from a signature that is wrong: the library
// makes one text of both.
type keySet struct{ *oidc.RemoteKeySet }

type keysFailure struct{}

func (k keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, jwt)
	if failure, ok := ctx.Value(keysFailure{}).(*error); ok && err != nil && strings.HasPrefix(err.Error(), "fetching keys") {
		*failure = err
	}
	return payload, err
}

// noteKeys hands out where it is written that keys could not be read.
func noteKeys(ctx context.Context) (context.Context, *error) {
	failure := new(error)
	return context.WithValue(ctx, keysFailure{}, failure), failure
}

// CheckAddress says what is wrong with an address of a provider. Without http, one that
// is not on this machine must be https: who is between would be whoever they like.
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

// errTooLarge ends reading what is larger than anything a provider has to say.
var errTooLarge = fmt.Errorf("the answer is larger than %d KiB", maxAnswer>>10)

// newHTTP makes a client that waits and reads no longer than it should. It follows no
// redirect: an address of the provider is as its metadata says, and a secret goes
// nowhere else.
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

// bounded limits the bodies of answers.
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
		// One byte more tells an answer that is too large from one that just fits.
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

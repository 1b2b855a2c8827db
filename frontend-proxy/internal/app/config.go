package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/config/variables"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// Config holds all settings of the proxy. The environment variable of a field is CARTULARY_ followed
// by its keys in capitals; a tag alias names a second one. The comments are those of the
// configuration file, see package configdoc.
type Config struct {
	// Listen is the address to listen on. This is the public address.
	Listen string `config:"listen"`
	// BasePath is the path prefix of all routes, such as /catalog, for a site that serves other
	// content at its root. Empty is the root. A server in front of the proxy must forward paths
	// unchanged.
	BasePath string `config:"base_path" alias:"DATAHUB_BASE_PATH"`
	// Upstream is the address of the metadata service.
	Upstream string `config:"upstream"`

	// SystemSecret is shared with the metadata service, and SessionSecret encrypts session cookies:
	// each as text, or as the name of a file. The proxy waits for a file that does not exist yet, so
	// both programs can start at the same moment.
	SystemSecret      config.Secret `config:"system_secret"`
	SystemSecretFile  string        `config:"system_secret_file" sample:"./data/secrets/system"`
	SessionSecret     config.Secret `config:"session_secret"`
	SessionSecretFile string        `config:"session_secret_file" sample:"./data/secrets/session"`
	// SessionSecretPrevious is the previous SessionSecret. Its cookies stay valid after a change of
	// the secret.
	SessionSecretPrevious     config.Secret `config:"session_secret_previous"`
	SessionSecretPreviousFile string        `config:"session_secret_previous_file" example:"./data/secrets/session.previous"`
	// SessionLife is the time from sign-in to expiry of the session.
	SessionLife time.Duration `config:"session_life"`

	Auth struct {
		// Enabled must equal the setting of the metadata service.
		Enabled bool `config:"enabled"`
	} `config:"auth"`

	Login struct {
		// Native enables sign-in with passwords that the service stores, and sign-up.
		Native bool `config:"native" alias:"AUTH_NATIVE_ENABLED"`
		// PerMinute limits the attempts of one client address, and Burst those that may arrive at
		// once.
		PerMinute int `config:"per_minute"`
		Burst     int `config:"burst"`
	} `config:"login"`

	// Single sign-on by an OpenID Connect provider; docs/sign-in.md describes the setup. Each key
	// except allow_http, allow_unverified_email and clock_skew has a second variable beside
	// CARTULARY_OIDC_...: AUTH_OIDC_..., where name is AUTH_OIDC_CLIENT_NAME.
	OIDC OIDC `config:"oidc"`

	Body struct {
		// Ingest is the maximum size in bytes of a request body on paths that receive metadata, and
		// Other the maximum on all other paths.
		Ingest int64 `config:"ingest"`
		Other  int64 `config:"other"`
	} `config:"body"`

	Outside struct {
		// TLS is true if browsers use HTTPS, which a server in front of the proxy terminates. Cookies
		// are then marked Secure.
		TLS bool `config:"tls"`
		// Proxies lists networks whose X-Forwarded-For header is trusted.
		Proxies []string `config:"proxies" example:"[10.0.0.0/8]"`
		// Origins lists other sites whose pages may send requests with a session.
		Origins []string `config:"origins" example:"[\"https://portal.example.org\"]"`
	} `config:"outside"`

	// Requests beyond these rates are answered with 429 and Retry-After, if enabled. The proxy limits
	// addresses; the service, which has the same settings, also limits actors.
	RateLimits ratelimit.Config `config:"rate_limits"`

	// Timeouts and minimum rates for clients.
	HTTP httpserver.Timeouts `config:"http"`

	Metrics struct {
		// Listen is the host:port of /metrics for Prometheus. It needs no authentication, so do not
		// publish it. Empty serves no metrics.
		Listen string `config:"listen" example:"127.0.0.1:9003"`
	} `config:"metrics"`

	// Export of requests as spans to an OpenTelemetry collector; see docs/operations.md.
	Tracing tracing.Config `config:"tracing"`

	// Timeout is the maximum time until the metadata service responds.
	Timeout time.Duration `config:"timeout"`

	GraphQL struct {
		// Explorer serves the page /api/graphiql.
		Explorer bool `config:"explorer"`
	} `config:"graphql"`

	// Drain is the time for running requests to finish after a stop.
	Drain time.Duration `config:"drain"`

	Log struct {
		Level  slog.Level     `config:"level"`  // debug, info, warn or error
		Format logging.Format `config:"format"` // auto is text on a terminal and json otherwise; or text, or json
	} `config:"log"`
}

const minSecret = 32

// Defaults returns the default configuration.
func Defaults() Config {
	c := Config{
		Listen: "127.0.0.1:9002", Upstream: "http://127.0.0.1:8080",
		SessionLife: 24 * time.Hour, Timeout: 120 * time.Second, Drain: 20 * time.Second,
	}
	c.Auth.Enabled, c.GraphQL.Explorer = true, true
	c.Login.Native, c.Login.PerMinute, c.Login.Burst = true, 10, 20
	c.OIDC = defaultOIDC()
	c.Body.Ingest, c.Body.Other = 64<<20, 16<<20
	c.RateLimits = ratelimit.DefaultConfig()
	c.Log.Format = logging.Auto
	c.HTTP = httpserver.DefaultTimeouts()
	c.Tracing = tracing.DefaultConfig()
	return c
}

// Load reads settings from a file, whose name may be empty, and from the environment. It ignores
// variables of the metadata service and its tools, since these often run in the same shell.
func Load(file string) (Config, error) {
	cfg := Defaults()
	err := config.Load(&cfg, config.Options{
		File: file, Environ: os.Environ(), AliasPrefixes: []string{"AUTH_OIDC_", "AUTH_NATIVE_", "DATAHUB_BASE_PATH"},
		IgnoredVariables: append(slices.Clone(variables.Service), "CARTULARY_TOKEN", "CARTULARY_SOAK"),
	})
	return cfg, err
}

// Validate returns all problems.
func (c *Config) Validate() []error {
	problems := []error{
		checkSecret("SYSTEM_SECRET", true, c.SystemSecret, c.SystemSecretFile),
		checkSecret("SESSION_SECRET", true, c.SessionSecret, c.SessionSecretFile),
		checkSecret("SESSION_SECRET_PREVIOUS", false, c.SessionSecretPrevious, c.SessionSecretPreviousFile),
		checkBasePath(c.BasePath),
		checkUpstream(c.Upstream),
		checkMetrics(c.Metrics.Listen, c.Listen),
		requirePositive("session_life", c.SessionLife),
		requirePositive("login.per_minute", c.Login.PerMinute),
		requirePositive("login.burst", c.Login.Burst),
		requirePositive("body.ingest", c.Body.Ingest),
		requirePositive("body.other", c.Body.Other),
		requirePositive("timeout", c.Timeout),
		requirePositive("drain", c.Drain),
	}
	problems = append(problems, c.OIDC.validate(c.BasePath)...)
	problems = append(problems, c.RateLimits.Validate()...)
	problems = append(problems, c.HTTP.Validate()...)
	problems = append(problems, c.Tracing.Validate()...)
	for _, network := range c.Outside.Proxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			problems = append(problems, fmt.Errorf("outside.proxies: %q is not a network such as 10.0.0.0/8", network))
		}
	}
	return problems
}

func checkSecret(key string, required bool, secret config.Secret, file string) error {
	name := config.Prefix + key
	switch {
	case required && secret == "" && file == "":
		return fmt.Errorf("a secret is missing: set %s, or %s_FILE to the file that holds it", name, name)
	case secret != "" && file != "":
		return fmt.Errorf("%s and %s_FILE are both set: keep one", name, name)
	case secret != "" && len(secret) < minSecret:
		return secretTooShort(name, len(secret))
	}
	return nil
}

func secretTooShort(name string, length int) error {
	return fmt.Errorf("%s has %d characters; at least %d are needed", name, length, minSecret)
}

func checkUpstream(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.New("upstream must be an address such as http://127.0.0.1:8080")
	}
	return nil
}

// checkMetrics prevents serving metrics at the public address.
func checkMetrics(address, public string) error {
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("metrics.listen: %q is not host:port, such as 127.0.0.1:9003", address)
	}
	if _, taken, err := net.SplitHostPort(public); err == nil && port == taken && port != "0" && port != "" {
		return fmt.Errorf("metrics.listen: port %s is that of listen; the figures need one of their own, such as 127.0.0.1:9003", port)
	}
	return nil
}

func requirePositive[N int | int64 | time.Duration](name string, n N) error {
	if n <= 0 {
		return fmt.Errorf("%s must be greater than zero", name)
	}
	return nil
}

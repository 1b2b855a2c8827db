package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"time"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// Config holds all settings of the proxy. The comments name the environment variables.
type Config struct {
	// Listen is the address to listen on, host:port. CARTULARY_LISTEN
	Listen string `config:"listen"`
	// BasePath is the path prefix of all routes, such as /catalog; empty means the root.
	// CARTULARY_BASE_PATH, DATAHUB_BASE_PATH
	BasePath string `config:"base_path" alias:"DATAHUB_BASE_PATH"`
	// Upstream is the address of the metadata service. CARTULARY_UPSTREAM
	Upstream string `config:"upstream"`

	// SystemSecret authenticates the proxy to the service, given as the secret or as the file that
	// holds it. CARTULARY_SYSTEM_SECRET, CARTULARY_SYSTEM_SECRET_FILE
	SystemSecret     config.Secret `config:"system_secret"`
	SystemSecretFile string        `config:"system_secret_file"`
	// SessionSecret encrypts the session cookies. CARTULARY_SESSION_SECRET, CARTULARY_SESSION_SECRET_FILE
	SessionSecret     config.Secret `config:"session_secret"`
	SessionSecretFile string        `config:"session_secret_file"`
	// SessionSecretPrevious still decrypts cookies after a change of the secret. It is optional.
	// CARTULARY_SESSION_SECRET_PREVIOUS, CARTULARY_SESSION_SECRET_PREVIOUS_FILE
	SessionSecretPrevious     config.Secret `config:"session_secret_previous"`
	SessionSecretPreviousFile string        `config:"session_secret_previous_file"`
	// SessionLife is the time from sign-in to expiry. CARTULARY_SESSION_LIFE
	SessionLife time.Duration `config:"session_life"`

	Auth struct {
		// Enabled must equal the service's setting. CARTULARY_AUTH_ENABLED
		Enabled bool `config:"enabled"`
	} `config:"auth"`

	Login struct {
		// Native enables sign-in with passwords that the service stores, and sign-up.
		// CARTULARY_LOGIN_NATIVE, AUTH_NATIVE_ENABLED
		Native bool `config:"native" alias:"AUTH_NATIVE_ENABLED"`
		// PerMinute and Burst limit the attempts of one client address. CARTULARY_LOGIN_PER_MINUTE,
		// CARTULARY_LOGIN_BURST
		PerMinute int `config:"per_minute"`
		Burst     int `config:"burst"`
	} `config:"login"`

	// OIDC configures sign-in by an identity provider. CARTULARY_OIDC_ENABLED and so on, or
	// AUTH_OIDC_ENABLED and so on.
	OIDC OIDC `config:"oidc"`

	Body struct {
		// Ingest and Other are limits in bytes: for paths that receive metadata, and for all
		// others. CARTULARY_BODY_INGEST, CARTULARY_BODY_OTHER
		Ingest int64 `config:"ingest"`
		Other  int64 `config:"other"`
	} `config:"body"`

	Outside struct {
		// TLS is set if browsers reach the proxy by TLS, which a server in front of it terminates:
		// cookies are then marked Secure. CARTULARY_OUTSIDE_TLS
		TLS bool `config:"tls"`
		// Proxies lists networks whose X-Forwarded-For header is trusted, such as 10.0.0.0/8.
		// CARTULARY_OUTSIDE_PROXIES
		Proxies []string `config:"proxies"`
		// Origins lists other sites that may send requests with a session, such as
		// https://portal.example. CARTULARY_OUTSIDE_ORIGINS
		Origins []string `config:"origins"`
	} `config:"outside"`

	// RateLimits limits the requests of each address; the service limits those of actors.
	// CARTULARY_RATE_LIMITS_ENABLED, CARTULARY_RATE_LIMITS_ADDRESS_PER_MINUTE,
	// CARTULARY_RATE_LIMITS_ADDRESS_BURST
	RateLimits ratelimit.Config `config:"rate_limits"`

	// HTTP sets the timeouts for clients. CARTULARY_HTTP_HEADER_TIMEOUT,
	// CARTULARY_HTTP_IDLE_TIMEOUT, CARTULARY_HTTP_BODY_STALL, CARTULARY_HTTP_BODY_TIMEOUT,
	// CARTULARY_HTTP_BODY_GRACE, CARTULARY_HTTP_BODY_RATE, CARTULARY_HTTP_CONNECTIONS
	HTTP httpserver.Timeouts `config:"http"`

	Metrics struct {
		// Listen is the host:port of the metrics for Prometheus, which need no authentication; if
		// empty, metrics are off. CARTULARY_METRICS_LISTEN
		Listen string `config:"listen"`
	} `config:"metrics"`

	// Tracing exports requests as OpenTelemetry spans. CARTULARY_TRACING_ENDPOINT,
	// CARTULARY_TRACING_HEADERS, CARTULARY_TRACING_RATIO, CARTULARY_TRACING_TRUST,
	// CARTULARY_TRACING_NAMES, CARTULARY_TRACING_QUEUE, CARTULARY_TRACING_TIMEOUT
	Tracing tracing.Config `config:"tracing"`

	// Timeout limits the time until the service responds. CARTULARY_TIMEOUT
	Timeout time.Duration `config:"timeout"`
	GraphQL struct {
		// Explorer serves the GraphQL explorer page.
		Explorer bool `config:"explorer"`
	} `config:"graphql"`
	// Drain is the time for running requests to finish after a stop. CARTULARY_DRAIN
	Drain time.Duration `config:"drain"`

	Log struct {
		// Level is debug, info, warn or error. CARTULARY_LOG_LEVEL
		Level slog.Level `config:"level"`
		// Format is auto, text or json. CARTULARY_LOG_FORMAT
		Format logging.Format `config:"format"`
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
	err := config.Load(&cfg, config.Options{File: file, Environ: os.Environ(), AliasPrefixes: []string{"AUTH_OIDC_", "AUTH_NATIVE_", "DATAHUB_BASE_PATH"}, IgnoredVariables: []string{
		"CARTULARY_DATA_DIR", "CARTULARY_ACCEPT", "CARTULARY_ADMIN_PASSWORD", "CARTULARY_AUTH_DENIED_STATUS", "CARTULARY_ALLOW_INSECURE_LISTEN",
		"CARTULARY_GRAPHQL_MAX_DEPTH", "CARTULARY_GRAPHQL_MAX_COST", "CARTULARY_GRAPHQL_MAX_VARIABLES", "CARTULARY_GRAPHQL_TIMEOUT",
		"CARTULARY_OPENLINEAGE_ORCHESTRATOR", "CARTULARY_OPENLINEAGE_FLOW", "CARTULARY_OPENLINEAGE_INSTANCE", "CARTULARY_OPENLINEAGE_ENV",
		"CARTULARY_MCP_ENABLED", "CARTULARY_MCP_READ_ONLY", "CARTULARY_MEMORY_LIMIT", "CARTULARY_MEMORY_REQUESTS", "CARTULARY_STORE_DRIVER", "CARTULARY_TIMESERIES_DRIVER", "CARTULARY_TIMESERIES_RETENTION", "CARTULARY_TIMESERIES_FEATURES_EVERY", "CARTULARY_SEARCH_DRIVER",
		"CARTULARY_AUTH_MIN_PASSWORD", "CARTULARY_AUTH_POLICIES", "CARTULARY_AUTH_SYSTEM_POLICIES", "CARTULARY_AUTH_TOKEN_DURATIONS", "CARTULARY_AUTH_TOKEN_NO_EXPIRY", "CARTULARY_AUTH_VIEW_AUTHORIZATION", "CARTULARY_AUTH_VIEW_RESTRICTED", "CARTULARY_AUTH_VIEW_UNRESTRICTED",
		"CARTULARY_AUTH_VIEW_UNRESTRICTED_ADD", "CARTULARY_AUTH_VIEW_UNRESTRICTED_REMOVE", "CARTULARY_TESTS_EVERY", "CARTULARY_TESTS_ON_CHANGE", "CARTULARY_TESTS_WEBHOOK_HOSTS", "CARTULARY_WEBHOOKS_HOSTS", "CARTULARY_WEBHOOKS_PRIVATE_ADDRESSES",
		"CARTULARY_AUDIT_ENABLED", "CARTULARY_AUDIT_KEEP", "CARTULARY_AUDIT_MAX_BYTES", "CARTULARY_AUDIT_EVENT_TYPES",
		"CARTULARY_AUDIT_GENERIC_ASPECTS", "CARTULARY_AUDIT_IGNORED_ACTORS",
		"CARTULARY_CHANGE_LOG_KEEP", "CARTULARY_CHANGE_LOG_MAX_LAG_AGE", "CARTULARY_CHANGE_LOG_MAX_LAG_ENTRIES",
		"CARTULARY_TOKEN", "CARTULARY_SOAK",
	}})
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

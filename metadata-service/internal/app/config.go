package app

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config holds all settings. The environment variable of a field is CARTULARY_ followed by its keys
// in capitals: auth.denied_status is CARTULARY_AUTH_DENIED_STATUS. A tag listed holds the name of
// the corresponding DataHub setting, which client programs look up.
type Config struct {
	// Listen is the address on which the service listens.
	Listen string `config:"listen"`
	// DataDir holds all data of the service.
	DataDir string `config:"data_dir"`
	// Accept names the parts of the data directory that may be missing: datadir.Losses. It is meant
	// for a single start, like the flag of that name.
	Accept []string `config:"accept"`
	// AdminPassword is the initial password of the administrator. Without it the service generates
	// one and writes it to initial-admin-password in the data directory.
	AdminPassword config.Secret `config:"admin_password"`
	// SystemSecret authenticates other parts of the installation, such as the proxy. Without it and
	// without SystemSecretFile, the service generates a secret in secrets/system of the data
	// directory.
	SystemSecret     config.Secret `config:"system_secret" listed:"authentication.systemClientSecret"`
	SystemSecretFile string        `config:"system_secret_file"`
	Auth             struct {
		// Enabled is false if requests need no authentication.
		Enabled bool `config:"enabled" listed:"authentication.enabled"`
		// DeniedStatus is the HTTP status for a missing privilege on Rest.li style paths: 401 or
		// 403.
		DeniedStatus int `config:"denied_status"`
		// Policies is false if every signed-in user may do everything.
		Policies bool `config:"policies" listed:"authorization.defaultAuthorizer.enabled"`
		// ViewAuthorization restricts searches, lineage and reads to entities that the actor may
		// view.
		ViewAuthorization bool `config:"view_authorization" listed:"authorization.view.enabled"`
		// ViewRestricted shows entities that the actor may not view as restricted entities in
		// lineage, and in searches that request it. Otherwise they are left out.
		ViewRestricted bool `config:"view_restricted"`
		// ViewUnrestricted lists entity types that every actor may view nevertheless; if empty, the
		// types that the model marks. Add and Remove change the list. Unknown names are ignored.
		ViewUnrestricted       []string `config:"view_unrestricted"`
		ViewUnrestrictedAdd    []string `config:"view_unrestricted_add"`
		ViewUnrestrictedRemove []string `config:"view_unrestricted_remove"`
		// TokenNoExpiry allows access tokens that do not expire.
		TokenNoExpiry bool `config:"token_no_expiry"`
		// TokenDurations lists the ISO 8601 periods that access tokens may be created with.
		TokenDurations []string `config:"token_durations"`
		// SystemPolicies lists the URNs of policies that cannot be deleted, in addition to those of
		// the root user.
		SystemPolicies []string `config:"system_policies"`
		// MinPassword is the minimum length in characters of a password that a user chooses: 1 to
		// credentials.MaxPassword.
		MinPassword int `config:"min_password"`
	} `config:"auth"`
	// Store, Timeseries and Search select the drivers for aspects and their relationships, for time
	// series, and for the search index.
	Store      DriverConfig     `config:"store"`
	Timeseries TimeseriesConfig `config:"timeseries"`
	Search     DriverConfig     `config:"search"`
	GraphQL    struct {
		// MaxDepth and MaxCost limit documents: the nesting depth and the number of fields.
		MaxDepth int `config:"max_depth" listed:"graphQL.query.depthLimit"`
		MaxCost  int `config:"max_cost" listed:"graphQL.query.complexityLimit"`
		// MaxVariables limits the variables of a request, in bytes.
		MaxVariables int `config:"max_variables"`
		// Timeout limits the execution time of a document.
		Timeout time.Duration `config:"timeout"`
		// Explorer serves the GraphQL explorer page.
		Explorer bool `config:"explorer"`
	} `config:"graphql"`
	// OpenLineage sets values that events of jobs do not contain; see openlineage.Config.
	OpenLineage struct {
		Orchestrator string `config:"orchestrator"`
		Flow         string `config:"flow"`
		Instance     string `config:"instance"`
		Env          string `config:"env"`
	} `config:"openlineage"`
	// MCP serves tools to programs by the Model Context Protocol.
	MCP struct {
		Enabled bool `config:"enabled"`
		// ReadOnly leaves out tools that change data.
		ReadOnly bool `config:"read_only"`
	} `config:"mcp"`
	// Memory limits the memory use of the service.
	Memory struct {
		// Limit is the soft memory limit of the process in bytes. Zero means GOMEMLIMIT, or else
		// nine tenths of the container limit, or else no limit.
		Limit int64 `config:"limit"`
		// Requests is the total memory for large requests, in bytes. If a quarter of the limit is
		// less, that applies.
		Requests int64 `config:"requests"`
	} `config:"memory"`
	// ChangeLog sets how long changes are kept for their followers.
	ChangeLog struct {
		// Keep is how long every change is kept, for readers of events.
		Keep time.Duration `config:"keep"`
		// MaxLagAge and MaxLagEntries limit how long older changes are kept for a background
		// projection that has not read them: up to that age, and up to that number of later
		// changes. Zero means no limit.
		MaxLagAge     time.Duration `config:"max_lag_age"`
		MaxLagEntries int           `config:"max_lag_entries"`
	} `config:"change_log"`
	// Tests sets when metadata tests are evaluated other than on request.
	Tests struct {
		// OnChange evaluates the tests that may depend on a change of an asset, after the change.
		OnChange bool `config:"on_change"`
		// Every is the interval at which all tests are evaluated on all assets; zero means never.
		Every time.Duration `config:"every"`
		// WebhookHosts lists the hosts to which webhooks of tests may be sent, with the port unless
		// it is the default port; if empty, none.
		WebhookHosts []string `config:"webhook_hosts"`
	} `config:"tests"`
	// Webhooks sets the allowed targets of entity change events.
	Webhooks struct {
		// Hosts lists the allowed hosts, with the port unless it is the default port; if empty,
		// none.
		Hosts []string `config:"hosts"`
		// PrivateAddresses lets the names of Hosts resolve to loopback and private addresses.
		PrivateAddresses bool `config:"private_addresses"`
	} `config:"webhooks"`
	// Audit configures the audit log.
	Audit struct {
		// Enabled is false if nothing is recorded.
		Enabled bool `config:"enabled"`
		// Keep is how long events are kept, MaxBytes their maximum total size.
		Keep     time.Duration `config:"keep"`
		MaxBytes int64         `config:"max_bytes"`
		// EventTypes lists the types of changes that the search shows; if empty,
		// audit.DefaultShown. GenericAspects lists the aspects of which it shows other changes.
		EventTypes     []string `config:"event_types"`
		GenericAspects []string `config:"generic_aspects"`
		// IgnoredActors lists the URNs of users whose changes are not recorded.
		IgnoredActors []string `config:"ignored_actors"`
	} `config:"audit"`
	Outside struct {
		// Proxies lists networks whose X-Forwarded-For header is trusted. The frontend proxy needs
		// no entry.
		Proxies []string `config:"proxies"`
	} `config:"outside"`
	// RateLimits limits the requests of each address and of each actor.
	RateLimits ratelimit.Config `config:"rate_limits"`
	// HTTP sets the timeouts for clients.
	HTTP httpserver.Timeouts `config:"http"`
	// Tracing exports requests and tasks as OpenTelemetry spans.
	Tracing tracing.Config `config:"tracing"`
	// AllowInsecureListen permits a non-loopback address with authentication off.
	AllowInsecureListen bool `config:"allow_insecure_listen"`
	Log                 struct {
		Level  slog.Level     `config:"level"`  // debug, info, warn or error
		Format logging.Format `config:"format"` // auto, text or json
	} `config:"log"`
}

// Minimum values for the service to work: the memory of an empty service, and one page of a large
// client.
const (
	minMemory   = 64 << 20
	minRequests = 8 << 20
)

// ProxyVariables lists the variables of the frontend proxy, which may be set in the same
// environment.
func ProxyVariables() []string {
	return []string{
		"CARTULARY_UPSTREAM", "CARTULARY_SESSION_SECRET", "CARTULARY_SESSION_SECRET_FILE",
		"CARTULARY_SESSION_SECRET_PREVIOUS", "CARTULARY_SESSION_SECRET_PREVIOUS_FILE", "CARTULARY_SESSION_LIFE", "CARTULARY_BASE_PATH",
		"CARTULARY_LOGIN_NATIVE", "CARTULARY_LOGIN_PER_MINUTE", "CARTULARY_LOGIN_BURST", "CARTULARY_BODY_INGEST", "CARTULARY_BODY_OTHER",
		"CARTULARY_OUTSIDE_TLS", "CARTULARY_OUTSIDE_ORIGINS", "CARTULARY_TIMEOUT", "CARTULARY_DRAIN", "CARTULARY_METRICS_LISTEN",
		// Single sign-on of the proxy.
		"CARTULARY_OIDC_ENABLED", "CARTULARY_OIDC_NAME", "CARTULARY_OIDC_CLIENT_ID", "CARTULARY_OIDC_CLIENT_SECRET", "CARTULARY_OIDC_CLIENT_SECRET_FILE",
		"CARTULARY_OIDC_DISCOVERY_URI", "CARTULARY_OIDC_ISSUER", "CARTULARY_OIDC_ALLOW_HTTP", "CARTULARY_OIDC_BASE_URL", "CARTULARY_OIDC_SCOPE",
		"CARTULARY_OIDC_CLIENT_AUTHENTICATION_METHOD", "CARTULARY_OIDC_PREFERRED_JWS_ALGORITHM", "CARTULARY_OIDC_RESPONSE_TYPE", "CARTULARY_OIDC_RESPONSE_MODE",
		"CARTULARY_OIDC_GRANT_TYPE", "CARTULARY_OIDC_USE_NONCE", "CARTULARY_OIDC_DISABLE_PKCE", "CARTULARY_OIDC_PROMPT", "CARTULARY_OIDC_ACR_VALUES",
		"CARTULARY_OIDC_CUSTOM_PARAM_RESOURCE", "CARTULARY_OIDC_EXTRACT_JWT_ACCESS_TOKEN_CLAIMS", "CARTULARY_OIDC_LOGOUT_AT_PROVIDER", "CARTULARY_OIDC_USER_NAME_CLAIM",
		"CARTULARY_OIDC_USER_NAME_CLAIM_REGEX", "CARTULARY_OIDC_ALLOW_UNVERIFIED_EMAIL", "CARTULARY_OIDC_JIT_PROVISIONING_ENABLED", "CARTULARY_OIDC_PRE_PROVISIONING_REQUIRED",
		"CARTULARY_OIDC_EXTRACT_GROUPS_ENABLED", "CARTULARY_OIDC_GROUPS_CLAIM", "CARTULARY_OIDC_REQUIRED_GROUPS", "CARTULARY_OIDC_ACCESS_DENIED_MESSAGE",
		"CARTULARY_OIDC_ACCESS_DENIED_REDIRECT_URL", "CARTULARY_OIDC_CONNECT_TIMEOUT", "CARTULARY_OIDC_READ_TIMEOUT", "CARTULARY_OIDC_CLOCK_SKEW",
		// Read by sub-commands and tests.
		"CARTULARY_TOKEN", "CARTULARY_SOAK",
	}
}

// Defaults returns the default configuration.
func Defaults() Config {
	var c Config
	c.Listen, c.DataDir = "127.0.0.1:8080", "./data"
	c.Auth.Enabled, c.Auth.DeniedStatus = true, http.StatusUnauthorized
	c.Auth.ViewRestricted, c.Auth.TokenDurations = true, token.DefaultLifetimes().Periods
	c.Auth.MinPassword = credentials.DefaultMinPassword
	c.Auth.Policies, c.Auth.ViewUnrestrictedAdd = true, policy.DefaultUnrestricted()
	c.Store.Driver, c.Timeseries.Driver, c.Search.Driver = boltDriver, boltDriver, roaringDriver
	c.GraphQL.MaxDepth, c.GraphQL.MaxCost, c.GraphQL.Timeout, c.GraphQL.Explorer = 50, 2000, graphql.DefaultTimeout, true
	c.GraphQL.MaxVariables = graphql.DefaultMaxVariables
	limits := projection.DefaultLimits()
	c.ChangeLog.Keep, c.ChangeLog.MaxLagAge, c.ChangeLog.MaxLagEntries = limits.Keep, limits.MaxLagAge, int(limits.MaxLagEntries)
	c.MCP.Enabled = true
	c.OpenLineage.Env = "PROD"
	c.Tests.OnChange, c.Tests.Every = true, 24*time.Hour
	c.Timeseries.FeaturesEvery = 24 * time.Hour
	c.Audit.Enabled, c.Audit.Keep, c.Audit.MaxBytes = true, 90*24*time.Hour, 1<<30
	c.RateLimits = ratelimit.DefaultConfig()
	c.HTTP = httpserver.DefaultTimeouts()
	c.Tracing = tracing.DefaultConfig()
	c.Memory.Requests = admission.DefaultBudget
	c.Log.Format = logging.Auto
	return c
}

// Validate returns all invalid values, one error each.
func (c *Config) Validate() []error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		add("listen: %q is not host:port: %w", c.Listen, err)
	}
	if c.DataDir == "" {
		add("data_dir: must not be empty")
	}
	problems = append(problems, c.checkDrivers()...)
	if _, err := c.Timeseries.rules(); err != nil {
		add("timeseries.retention: %w", err)
	}
	if every := c.Timeseries.FeaturesEvery; every != 0 && every < time.Minute {
		add("timeseries.features_every: must be 0 or at least a minute, is %s", every)
	}
	for _, name := range c.Accept {
		if !slices.Contains(datadir.Losses(), datadir.Loss(name)) {
			add("accept: %q is none of %v", name, datadir.Losses())
		}
	}
	if s := c.Auth.DeniedStatus; s != http.StatusUnauthorized && s != http.StatusForbidden {
		add("auth.denied_status: must be 401 or 403, is %d", s)
	}
	if n := c.Auth.MinPassword; n < 1 || n > credentials.MaxPassword {
		add("auth.min_password: must be 1 to %d, is %d", credentials.MaxPassword, n)
	}
	if len(c.Auth.TokenDurations) == 0 && !c.Auth.TokenNoExpiry {
		add("auth.token_durations: must not be empty while auth.token_no_expiry is false")
	}
	for _, text := range c.Auth.TokenDurations {
		if _, err := token.ParsePeriod(text); err != nil {
			add("auth.token_durations: %w", err)
		}
	}
	for _, u := range c.Auth.SystemPolicies {
		if parsed, err := urn.Parse(u); err != nil || parsed.Type() != "dataHubPolicy" {
			add("auth.system_policies: %q is not the URN of a policy", u)
		}
	}
	for name, n := range map[string]int{"graphql.max_depth": c.GraphQL.MaxDepth, "graphql.max_cost": c.GraphQL.MaxCost, "graphql.max_variables": c.GraphQL.MaxVariables} {
		if n < 1 {
			add("%s: must be at least 1, is %d", name, n)
		}
	}
	if n := c.Memory.Limit; n != 0 && n < minMemory {
		add("memory.limit: must be 0 or at least %d, is %d", minMemory, n)
	}
	if n := c.Memory.Requests; n < minRequests {
		add("memory.requests: must be at least %d, is %d", minRequests, n)
	}
	if c.GraphQL.Timeout <= 0 {
		add("graphql.timeout: must be more than 0, is %s", c.GraphQL.Timeout)
	}
	if c.ChangeLog.Keep <= 0 {
		add("change_log.keep: must be more than 0, is %s", c.ChangeLog.Keep)
	}
	if age := c.ChangeLog.MaxLagAge; age != 0 && age < c.ChangeLog.Keep {
		add("change_log.max_lag_age: must be 0 or at least change_log.keep, which is %s, is %s", c.ChangeLog.Keep, age)
	}
	if n := c.ChangeLog.MaxLagEntries; n < 0 {
		add("change_log.max_lag_entries: must be 0 or more, is %d", n)
	}
	if every := c.Tests.Every; every != 0 && every < time.Minute {
		add("tests.every: must be 0 or at least a minute, is %s", every)
	}
	for _, host := range c.Tests.WebhookHosts {
		if err := webhook.CheckHost(host); err != nil {
			add("tests.webhook_hosts: %w", err)
		}
	}
	for _, host := range c.Webhooks.Hosts {
		if err := webhook.CheckHost(host); err != nil {
			add("webhooks.hosts: %w", err)
		}
	}
	problems = append(problems, c.checkAudit()...)
	problems = append(problems, c.RateLimits.Validate()...)
	if _, err := httpserver.ClientAddress(c.Outside.Proxies); err != nil {
		add("outside.proxies: %w", err)
	}
	problems = append(problems, c.HTTP.Validate()...)
	problems = append(problems, c.Tracing.Validate()...)
	if n := len(c.SystemSecret.Reveal()); n > 0 && n < secrets.MinLength {
		add("system_secret: must have at least %d characters, has %d", secrets.MinLength, n)
	}
	if c.SystemSecret != "" && c.SystemSecretFile != "" {
		add("system_secret and system_secret_file: give one of them")
	}
	if err == nil && !c.Auth.Enabled && !c.AllowInsecureListen && !loopback(host) {
		add("listen: with authentication off every client that reaches %q may do everything; listen on 127.0.0.1, turn auth.enabled on, or set allow_insecure_listen", c.Listen)
	}
	return problems
}

// systemPolicies returns the URNs of Auth.SystemPolicies.
func (c *Config) systemPolicies() []urn.URN {
	out := make([]urn.URN, len(c.Auth.SystemPolicies))
	for i, u := range c.Auth.SystemPolicies {
		out[i] = urn.URN(u)
	}
	return out
}

// loopback reports whether a host is reachable only from this machine. It does not resolve names
// other than localhost, as their addresses may change.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

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

// Config is all that can be set from outside. The variable of a field is
// CARTULARY_ and its keys in capitals: auth.denied_status is
// CARTULARY_AUTH_DENIED_STATUS. A tag listed holds the name under which programs of
// DataHub look a setting up that means the same.
type Config struct {
	// Listen is the address the service answers on.
	Listen string `config:"listen"`
	// DataDir holds everything the service keeps.
	DataDir string `config:"data_dir"`
	// Accept names what may be missing in the data directory: datadir.Losses. It is for one
	// start, as the flag of that name.
	Accept []string `config:"accept"`
	// AdminPassword is the first password of the administrator. Without it one is generated
	// and written to initial-admin-password in the data directory.
	AdminPassword config.Secret `config:"admin_password"`
	// SystemSecret proves other parts of the installation, such as the proxy. Without it, or a
	// file that holds it, one is generated in secrets/system of the data directory.
	SystemSecret     config.Secret `config:"system_secret" listed:"authentication.systemClientSecret"`
	SystemSecretFile string        `config:"system_secret_file"`
	Auth             struct {
		// Enabled is false when nobody has to prove who they are.
		Enabled bool `config:"enabled" listed:"authentication.enabled"`
		// DeniedStatus answers a missing privilege on Rest.li style paths: 401 or 403.
		DeniedStatus int `config:"denied_status"`
		// Policies is false when everybody who is signed in may do everything.
		Policies bool `config:"policies" listed:"authorization.defaultAuthorizer.enabled"`
		// ViewAuthorization makes searches, lineage and reads show only what the actor may view.
		ViewAuthorization bool `config:"view_authorization" listed:"authorization.view.enabled"`
		// ViewRestricted shows lineage, and searches that ask for it, what the actor may not view as
		// restricted entities. Otherwise they leave it out.
		ViewRestricted bool `config:"view_restricted"`
		// ViewUnrestricted lists entity types that everybody views all the same; empty means those
		// that the model marks. Add and Remove change the list. Unknown names mean nothing.
		ViewUnrestricted       []string `config:"view_unrestricted"`
		ViewUnrestrictedAdd    []string `config:"view_unrestricted_add"`
		ViewUnrestrictedRemove []string `config:"view_unrestricted_remove"`
		// TokenNoExpiry allows access tokens that do not expire.
		TokenNoExpiry bool `config:"token_no_expiry"`
		// TokenDurations lists the ISO 8601 periods that access tokens may be created with.
		TokenDurations []string `config:"token_durations"`
		// SystemPolicies lists policies, by URN, that nobody deletes, besides those of the root user.
		SystemPolicies []string `config:"system_policies"`
		// MinPassword is the least length of a password that a user chooses, in characters: 1 to credentials.MaxPassword.
		MinPassword int `config:"min_password"`
	} `config:"auth"`
	// Store, Timeseries and Search choose what keeps aspects and their relationships, time
	// series, and the search index.
	Store      DriverConfig     `config:"store"`
	Timeseries TimeseriesConfig `config:"timeseries"`
	Search     DriverConfig     `config:"search"`
	GraphQL    struct {
		// MaxDepth and MaxCost bound documents: how deep fields nest, and how many the text has.
		MaxDepth int `config:"max_depth" listed:"graphQL.query.depthLimit"`
		MaxCost  int `config:"max_cost" listed:"graphQL.query.complexityLimit"`
		// MaxVariables bounds the variables of a request in bytes.
		MaxVariables int `config:"max_variables"`
		// Timeout is how long a document may take.
		Timeout time.Duration `config:"timeout"`
		// Explorer serves the page that asks GraphQL.
		Explorer bool `config:"explorer"`
	} `config:"graphql"`
	// OpenLineage says what events of jobs cannot; see openlineage.Config.
	OpenLineage struct {
		Orchestrator string `config:"orchestrator"`
		Flow         string `config:"flow"`
		Instance     string `config:"instance"`
		Env          string `config:"env"`
	} `config:"openlineage"`
	// MCP serves tools to programs by the Model Context Protocol.
	MCP struct {
		Enabled bool `config:"enabled"`
		// ReadOnly leaves out the tools that change something.
		ReadOnly bool `config:"read_only"`
	} `config:"mcp"`
	// Memory bounds what the service takes.
	Memory struct {
		// Limit is the soft limit of the process in bytes. Zero means that of GOMEMLIMIT, or nine
		// tenths of what the container may take, or none.
		Limit int64 `config:"limit"`
		// Requests is what large requests may take together, in bytes. A quarter of the limit
		// holds when that is less.
		Requests int64 `config:"requests"`
	} `config:"memory"`
	// ChangeLog bounds how long changes are kept for those who follow them.
	ChangeLog struct {
		// Keep is how long every change stays, for readers of events.
		Keep time.Duration `config:"keep"`
		// MaxLagAge and MaxLagEntries are how long older ones wait for a background projection
		// that has not read them: until they have that age, or so many came after them. Zero
		// means as long as it takes.
		MaxLagAge     time.Duration `config:"max_lag_age"`
		MaxLagEntries int           `config:"max_lag_entries"`
	} `config:"change_log"`
	// Tests says when metadata tests are evaluated besides when somebody asks for it.
	Tests struct {
		// OnChange evaluates those that a change of an asset may concern, after the change.
		OnChange bool `config:"on_change"`
		// Every is how often all are evaluated about all assets; zero is never.
		Every time.Duration `config:"every"`
		// WebhookHosts are the hosts that webhooks of tests may be posted to, with a port unless it
		// is the usual one; none when empty.
		WebhookHosts []string `config:"webhook_hosts"`
	} `config:"tests"`
	// Webhooks says where entity change events may be posted to.
	Webhooks struct {
		// Hosts are allowed, with a port unless it is the usual one; none when empty.
		Hosts []string `config:"hosts"`
		// PrivateAddresses lets the names of Hosts resolve to loopback and private addresses.
		PrivateAddresses bool `config:"private_addresses"`
	} `config:"webhooks"`
	// Audit keeps who did what.
	Audit struct {
		// Enabled is false when nothing is recorded.
		Enabled bool `config:"enabled"`
		// Keep is how long events stay, MaxBytes what they may take together.
		Keep     time.Duration `config:"keep"`
		MaxBytes int64         `config:"max_bytes"`
		// EventTypes are the types of changes that the search shows, those of audit.DefaultShown when
		// empty, and GenericAspects the aspects of which it shows other changes.
		EventTypes     []string `config:"event_types"`
		GenericAspects []string `config:"generic_aspects"`
		// IgnoredActors are URNs of users whose changes are not recorded.
		IgnoredActors []string `config:"ignored_actors"`
	} `config:"audit"`
	Outside struct {
		// Proxies are networks whose X-Forwarded-For is believed. The frontend proxy needs none.
		Proxies []string `config:"proxies"`
	} `config:"outside"`
	// RateLimits bound the requests of each address and of each actor.
	RateLimits ratelimit.Config `config:"rate_limits"`
	// HTTP bounds what is waited for of clients.
	HTTP httpserver.Timeouts `config:"http"`
	// Tracing exports what requests and tasks do as OpenTelemetry spans.
	Tracing tracing.Config `config:"tracing"`
	// AllowInsecureListen permits an address beyond this machine with authentication off.
	AllowInsecureListen bool `config:"allow_insecure_listen"`
	Log                 struct {
		Level  slog.Level     `config:"level"`  // debug, info, warn or error
		Format logging.Format `config:"format"` // auto, text or json
	} `config:"log"`
}

// The least that the service can work with: what an empty one takes, and one page of
// a large client.
const (
	minMemory   = 64 << 20
	minRequests = 8 << 20
)

// ProxyVariables lists the variables of the other binary, which may stand in the same environment.
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
		// What sub-commands and tests read.
		"CARTULARY_TOKEN", "CARTULARY_SOAK",
	}
}

// Defaults is the configuration of a service nothing was said to.
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

// Validate reports every problem of the values.
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
		add("listen: with authentication off everybody who reaches %q may do everything; listen on 127.0.0.1, turn auth.enabled on, or set allow_insecure_listen", c.Listen)
	}
	return problems
}

// systemPolicies are the policies of Auth.SystemPolicies.
func (c *Config) systemPolicies() []urn.URN {
	out := make([]urn.URN, len(c.Auth.SystemPolicies))
	for i, u := range c.Auth.SystemPolicies {
		out[i] = urn.URN(u)
	}
	return out
}

// loopback reports whether a host reaches this machine alone. Names other than
// localhost are not looked up: what they mean may change.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

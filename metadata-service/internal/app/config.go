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
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/config/variables"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config holds all settings. The environment variable of a field is CARTULARY_ followed by its keys
// in capitals: auth.denied_status is CARTULARY_AUTH_DENIED_STATUS. A tag listed holds the name of
// the corresponding DataHub setting, which client programs look up. The comments are those of the
// configuration file, see package configdoc.
type Config struct {
	// Listen is the address to listen on. Do not publish it: clients use the frontend proxy.
	Listen string `config:"listen"`
	// DataDir is the folder for all data: the store, the time series, the secrets, and the private
	// socket of `metadata-service token`.
	DataDir string `config:"data_dir"`
	// Accept lists the parts of DataDir that may be missing at a start, or newer than the program:
	// missing-store, missing-secrets, missing-timeseries, newer-format. Otherwise the service refuses
	// to start when an earlier part is missing. Meant for a single start, like the flag --accept. See
	// docs/operations.md.
	Accept []string `config:"accept"`
	// AdminPassword is the password of the user `datahub`, read at the first start only. Without it,
	// the service generates one and writes it to initial-admin-password in DataDir, readable by the
	// owner only.
	AdminPassword config.Secret `config:"admin_password"`
	// SystemSecret authenticates the frontend proxy, as text or as the name of a file. Without
	// either, the service generates it at the first start in secrets/system of DataDir.
	SystemSecret     config.Secret `config:"system_secret" listed:"authentication.systemClientSecret"`
	SystemSecretFile string        `config:"system_secret_file" example:"/run/secrets/cartulary-system"`

	Auth struct {
		// Enabled: if false, every client may do everything, policies do not apply, and the service
		// refuses to listen beyond loopback.
		Enabled bool `config:"enabled" listed:"authentication.enabled"`
		// DeniedStatus is the status on the REST resources for an authenticated actor without the
		// privilege: 401 or 403.
		DeniedStatus int `config:"denied_status"`
		// Policies: if false, policies decide nothing, and every signed-in user may do everything.
		Policies bool `config:"policies" listed:"authorization.defaultAuthorizer.enabled"`
		// ViewAuthorization: if true, searches, facets, lineage and reads contain only entities that
		// policies allow the actor to view. If false, an actor can read either all entities of a type
		// or none.
		ViewAuthorization bool `config:"view_authorization" listed:"authorization.view.enabled"`
		// ViewRestricted, with ViewAuthorization: lineage, and searches that request it
		// (includeRestricted), show restricted entities in place of entities that the actor may not
		// view. If false, they leave them out.
		ViewRestricted bool `config:"view_restricted"`
		// ViewUnrestricted lists entity types that every actor may view nevertheless. An empty list
		// means the types that the model marks; ViewUnrestrictedAdd and ViewUnrestrictedRemove add
		// and remove types. Case is ignored, and so are unknown names. A value for
		// ViewUnrestrictedAdd replaces its default: list all types.
		ViewUnrestricted       []string `config:"view_unrestricted"`
		ViewUnrestrictedAdd    []string `config:"view_unrestricted_add"`
		ViewUnrestrictedRemove []string `config:"view_unrestricted_remove"`
		// TokenNoExpiry permits access tokens without expiry; TokenDurations lists the possible
		// periods of the others. Existing tokens stay valid. `token create` of an operator creates
		// tokens of any duration.
		TokenNoExpiry  bool     `config:"token_no_expiry"`
		TokenDurations []string `config:"token_durations"`
		// SystemPolicies lists the URNs of policies that cannot be deleted, in addition to the two of
		// the root user.
		SystemPolicies []string `config:"system_policies" example:"[\"urn:li:dataHubPolicy:ours\"]"`
		// MinPassword is the minimum number of characters, 1 to 1024, of a password that a user
		// chooses at sign-up, reset or change. Stored passwords and admin_password are not checked.
		MinPassword int `config:"min_password"`
	} `config:"auth"`

	// Drivers of the aspects with their relationships, of the time series and of the search index.
	// bolt: embedded files in DataDir, for one process. roaring: an index in memory, saved in
	// DataDir. There are no others.
	Store      DriverConfig     `config:"store"`
	Timeseries TimeseriesConfig `config:"timeseries"`
	Search     DriverConfig     `config:"search"`

	// Limits of GraphQL documents.
	GraphQL struct {
		// MaxDepth is the maximum nesting depth of the fields of a document, and MaxCost the maximum
		// cost of its text: one for each field, counted once even if its fragment is spread several
		// times.
		MaxDepth int `config:"max_depth" listed:"graphQL.query.depthLimit"`
		MaxCost  int `config:"max_cost" listed:"graphQL.query.complexityLimit"`
		// MaxVariables is the maximum size of the variables of a request, in bytes.
		MaxVariables int `config:"max_variables"`
		// Timeout is the maximum execution time of a document.
		Timeout time.Duration `config:"timeout"`
		// Explorer serves the page /api/graphiql. The frontend proxy has a setting of its own for its
		// page.
		Explorer bool `config:"explorer"`
	} `config:"graphql"`

	// Values that OpenLineage events do not contain. See docs/api/openlineage.md.
	OpenLineage struct {
		// Orchestrator and Flow are the orchestrator of jobs and the pipeline of all jobs. Without
		// them, events determine both.
		Orchestrator string `config:"orchestrator" example:"airflow"`
		Flow         string `config:"flow" example:"nightly"`
		// Instance replaces the namespaces of jobs.
		Instance string `config:"instance" example:"north"`
		// Env is the environment of datasets.
		Env string `config:"env"`
	} `config:"openlineage"`

	// Tools for programs that use the Model Context Protocol, at /mcp. See docs/api/mcp.md.
	MCP struct {
		Enabled bool `config:"enabled"`
		// ReadOnly leaves out the tools that change data.
		ReadOnly bool `config:"read_only"`
	} `config:"mcp"`

	// Limits of memory.
	Memory struct {
		// Limit is the soft limit of the process in bytes; beyond it, large requests are answered
		// with 503. 0 means GOMEMLIMIT, or else nine tenths of the container limit, or else no limit.
		Limit int64 `config:"limit"`
		// Requests is the total memory for large requests in bytes, at most a quarter of the limit.
		// Further requests wait.
		Requests int64 `config:"requests"`
	} `config:"memory"`

	// Time for which the change log keeps changes.
	ChangeLog struct {
		// Keep is the minimum time for every change, for readers of events.
		Keep time.Duration `config:"keep"`
		// Older changes stay until the background projections have read them, up to the age
		// MaxLagAge and up to MaxLagEntries later changes (about 60 bytes each). A projection that is
		// further behind loses changes; log and health report this. 0 means no limit.
		MaxLagAge     time.Duration `config:"max_lag_age"`
		MaxLagEntries int           `config:"max_lag_entries"`
	} `config:"change_log"`

	// Evaluation of metadata tests, in addition to evaluation on request.
	Tests struct {
		// OnChange evaluates, after a change of an asset, the tests that read a changed aspect. The
		// client does not wait for this.
		OnChange bool `config:"on_change"`
		// Every is the period of the evaluation of all tests on all assets. It also runs soon after a
		// test was written, and for single tests by their own schedules. 0 means never, regardless of
		// the schedules.
		Every time.Duration `config:"every"`
		// WebhookHosts lists the allowed hosts for webhooks of tests, as hooks.example.com or
		// hooks.example.com:8443.
		WebhookHosts []string `config:"webhook_hosts"`
	} `config:"tests"`

	// Webhooks for entity change events. See docs/api/webhooks.md.
	Webhooks struct {
		// Hosts lists the allowed hosts, as hooks.example.com or hooks.example.com:8443. An empty
		// list allows none.
		Hosts []string `config:"hosts"`
		// PrivateAddresses lets the names of these hosts resolve to loopback and private addresses.
		// An IP address in the list is always allowed.
		PrivateAddresses bool `config:"private_addresses"`
	} `config:"webhooks"`

	// The audit log in audit.db of DataDir, shown by `metadata-service audit`. See
	// docs/operations.md.
	Audit struct {
		Enabled bool `config:"enabled"`
		// Keep is the maximum age of events, and MaxBytes their maximum total size; 0 means no limit.
		Keep     time.Duration `config:"keep"`
		MaxBytes int64         `config:"max_bytes"`
		// Changes that POST /openapi/v1/events/audit/search returns: EventTypes lists types of
		// events, and GenericAspects the aspects of which it also returns other changes. By default:
		// users, policies, access tokens and ingestion sources.
		EventTypes     []string `config:"event_types"`
		GenericAspects []string `config:"generic_aspects"`
		// IgnoredActors lists the URNs of users whose changes are not recorded.
		IgnoredActors []string `config:"ignored_actors"`
	} `config:"audit"`

	Outside struct {
		// Proxies lists networks of load balancers in front of the service whose X-Forwarded-For
		// header is trusted. The frontend proxy proves the addresses that it forwards, and needs no
		// entry.
		Proxies []string `config:"proxies" example:"[10.0.0.0/8]"`
	} `config:"outside"`

	// Requests beyond these rates are answered with 429 and Retry-After, if enabled. IPv6 addresses
	// are counted by their /64 network.
	RateLimits ratelimit.Config `config:"rate_limits"`

	// Timeouts and minimum rates for clients.
	HTTP httpserver.Timeouts `config:"http"`

	// Export of requests and tasks as spans to an OpenTelemetry collector; see docs/operations.md.
	Tracing tracing.Config `config:"tracing"`

	// AllowInsecureListen permits to listen beyond loopback with authentication off. Access must then
	// be restricted by other means.
	AllowInsecureListen bool `config:"allow_insecure_listen"`

	Log struct {
		Level  slog.Level     `config:"level"`  // debug, info, warn or error
		Format logging.Format `config:"format"` // auto is text on a terminal and json otherwise; or text, or json
	} `config:"log"`
}

// Minimum values for the service to work: the memory of an empty service, and one page of a large
// client.
const (
	minMemory   = 64 << 20
	minRequests = 8 << 20
)

// IgnoredVariables lists the variables that the service does not read itself: those of the frontend
// proxy, which may be set in the same environment, and those of sub-commands and tests.
func IgnoredVariables() []string {
	return append(slices.Clone(variables.Proxy), "CARTULARY_TOKEN", "CARTULARY_SOAK")
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

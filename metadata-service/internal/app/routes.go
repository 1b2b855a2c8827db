package app

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path/filepath"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/analytics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/assertion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/businessattribute"
	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/contract"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ermodel"
	"github.com/cartulary/cartulary/metadata-service/internal/service/form"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/homepage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/incident"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/lineageedit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/link"
	"github.com/cartulary/cartulary/metadata-service/internal/service/logical"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/service/post"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/service/query"
	"github.com/cartulary/cartulary/metadata-service/internal/service/recommendation"
	"github.com/cartulary/cartulary/metadata-service/internal/service/role"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/tag"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/service/view"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/logo"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/mcp"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/signin"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/stream"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/explorer"
	"github.com/cartulary/cartulary/pkg/footprint"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// mounts are the prefixes of the native routes, so that clients configured for the proxy's address
// also work with the service.
var mounts = [...]string{"", "/gms", "/api/gms"}

// minCompressed is the size in bytes from which responses are compressed for clients that accept
// it.
const minCompressed = 4 << 10

func (a *App) route() error {
	secret, err := a.systemSecret()
	if err != nil {
		return err
	}
	limits := a.newLimiters()
	a.metrics.Limits(limits.refusals)
	authenticator, err := a.authenticator(secret, limits.secretAttempts)
	if err != nil {
		return err
	}
	e := a.server.Echo
	if e.IPExtractor, err = a.clientAddress(secret); err != nil {
		return err
	}
	if a.tracer != nil {
		proofs := forwarded.NewKey(secret)
		e.Pre(a.tracer.Middleware(func(r *http.Request) bool {
			_, ok := proofs.Address(r.Header)
			return ok
		}))
	}
	gate := a.gate()
	a.metrics.Admission(gate.Load)
	e.Use(a.metrics.Observe, neverStored, httpserver.RenderWith(renderLimits(rest.Renderer(rest.Deps{DeniedStatus: a.cfg.Auth.DeniedStatus}))), a.audit.Observe(), limits.address.Middleware(),
		authenticator.Middleware(), limits.actor.Middleware(), audit.Identify, gate.Middleware(), httpserver.Gzip(minCompressed))
	a.operations = ops.New(ops.Config{
		Registry: a.registry, Catalog: a.catalog, Discover: a.discover, Indexer: a.indexer, Follower: a.follower, Authorizer: a.rights, Tasks: a.tasks, History: a.history, Now: a.now, Log: a.log,
	})
	engine, err := a.graphql()
	if err != nil {
		return err
	}
	a.followers = ingestion.NewFollowers(a.now)
	events := a.eventService()
	a.eventHooks = a.openWebhooks()
	api := openapi.New(openapi.Config{
		Config: system.Config{
			Catalog: a.catalog, Discover: a.discover, Operations: a.operations, Timeline: timeline.New(a.registry, a.catalog, a.discover, admission.ReserveWithWork), Access: a.access, Registry: a.registry, Consumers: a.follower, Audit: a.auditSearch(),
			Events: events, Polled: a.notePoll, Webhooks: a.eventHooks, Lineage: openlineage.New(openlineage.Config(a.cfg.OpenLineage)), Now: a.now, Version: rest.Version, Flags: engine.FeatureFlags(), Properties: a.properties,
		},
		Versions: version.New(a.editor()), AnswerLimit: int(gate.MaxRequest()),
	})
	deps := rest.Deps{
		Catalog: a.catalog, Discover: a.discover, Operations: a.operations, Statistics: statistics.New(a.catalog, seriesLimits, a.now), Tests: a.tests, Commit: rest.Fingerprint(a.registry, a.version), Health: a.health,
		DeniedStatus: a.cfg.Auth.DeniedStatus, Now: a.now, Following: a.followers.Following,
		AnswerLimit: gate.MaxRequest() / 2,
	}
	for _, prefix := range mounts {
		g := e.Group(prefix)
		rest.Mount(g, deps)
		api.Mount(g)
	}
	engine.Mount(e, mounts[:]...)
	stream.New(stream.Config{
		Events: events, Authenticate: authenticator.Authenticate, Page: gate.Part, Stopping: func() bool { return a.server.State() == httpserver.Stopping },
	}).Mount(e.Group(""))
	if a.cfg.MCP.Enabled {
		a.mcp().Mount(e.Group(""))
	}
	a.metrics.Mount(e.Group(""))
	if err := logo.Mount(e, a.registry); err != nil {
		return err
	}
	signin.Mount(e, a.authority, a.credentials, setting.New(a.editor()), a.audit, a.log)
	if !a.cfg.GraphQL.Explorer {
		return nil
	}
	return mountExplorer(e)
}

// clientAddress returns a function that determines the client address of a request. It trusts
// headers of the proxy, which carry a proof, and of the configured networks. Otherwise it returns
// the address of the connection.
func (a *App) clientAddress(secret config.Secret) (echo.IPExtractor, error) {
	proofs := forwarded.NewKey(secret)
	direct, err := httpserver.ClientAddress(a.cfg.Outside.Proxies)
	if err != nil {
		return nil, fmt.Errorf("outside.proxies: %w", err)
	}
	return func(r *http.Request) string {
		if address, ok := proofs.Address(r.Header); ok {
			return address
		}
		return direct(r)
	}, nil
}

// gate limits the memory of requests, within the soft limit of the process.
func (a *App) gate() *admission.Gate {
	limit, budget := footprint.SetLimit(a.cfg.Memory.Limit), a.cfg.Memory.Requests
	arrivals := 2 * budget
	if limit > 0 {
		budget, arrivals = min(budget, limit/4), min(arrivals, limit/4)
	}
	a.log.Info("memory for requests", "limit", limit, "requests", budget, "arriving_bodies", arrivals)
	perActor := 0 // the default
	if !a.cfg.Auth.Enabled {
		perActor = math.MaxInt // all requests have the same actor
	}
	return admission.New(admission.Config{Limit: limit, Budget: budget, Arrivals: arrivals, PerActor: perActor, LightPerActor: perActor})
}

// editor returns an editor of single aspects for services.
func (a *App) editor() *edit.Editor {
	return &edit.Editor{Catalog: a.catalog, Discover: a.discover, Registry: a.registry, Authorizer: a.rights, Now: a.now}
}

// graphql assembles the services that GraphQL operations use.
func (a *App) graphql() (*graphql.Engine, error) {
	editor := a.editor()
	terms, domains := glossary.New(editor), domain.New(editor)
	return graphql.New(graphql.Config{
		Catalog: a.catalog, Discover: a.discover, Registry: a.registry, Edit: editor, Statistics: statistics.New(a.catalog, seriesLimits, a.now),
		Tags: tag.New(editor), Labels: label.New(editor), Owners: owner.New(editor),
		Glossary: terms, Domains: domains, Links: link.New(editor, terms),
		Principals: principal.New(editor), Settings: setting.New(editor), Views: view.New(editor), Queries: query.New(editor),
		HomePages: homepage.New(editor), Posts: post.New(editor),
		Assets: asset.New(editor, owner.New(editor), terms, domains), LineageEdits: lineageedit.New(editor), AssertionEdits: assertion.New(editor),
		IncidentEdits: incident.New(editor), Contracts: contract.New(editor),
		Ingestion: ingestion.New(editor), Secrets: secret.New(editor, a.catalog.Managed(secret.ValueAspect, secret.ConnectionAspect), a.cipher),
		KnowledgeBase: knowledge.New(a.editor()), Recommendations: recommendation.New(a.discover), Analytics: analytics.New(a.discover, a.catalog, a.rights), Timeline: timeline.New(a.registry, a.catalog, a.discover, admission.ReserveWithWork),
		Properties: property.New(editor), Forms: form.New(editor, property.New(editor)), DataProducts: collection.NewDataProducts(editor), Applications: collection.NewApplications(editor),
		Joins: ermodel.New(editor), LogicalModels: logical.New(editor),
		Versions: version.New(editor), OwnerTypes: owner.NewTypes(editor), Tests: a.tests, Policies: policy.New(editor), Access: a.access, Roles: role.New(editor, a.credentials), BusinessAttributes: businessattribute.New(editor),
		Tokens: a.tokens, Credentials: a.credentials, Cipher: a.cipher, Version: rest.Version, AuthOn: a.cfg.Auth.Enabled, PoliciesOn: a.rights.Enabled(), MaxDepth: a.cfg.GraphQL.MaxDepth, MaxCost: a.cfg.GraphQL.MaxCost, MaxVariables: a.cfg.GraphQL.MaxVariables, Timeout: a.cfg.GraphQL.Timeout,
		Now: a.now, Log: a.log,
	})
}

// mcp returns the server of tools for programs.
func (a *App) mcp() *mcp.Server {
	editor := a.editor()
	owners := owner.New(editor)
	return mcp.New(mcp.Config{
		Catalog: a.catalog, Discover: a.discover, Registry: a.registry, Labels: label.New(editor), Owners: owners,
		Assets: asset.New(editor, owners, glossary.New(editor), domain.New(editor)), Documents: knowledge.New(editor), Reserve: admission.ReserveCapped, Version: a.version, ReadOnly: a.cfg.MCP.ReadOnly, Log: a.log,
	})
}

// mountExplorer serves the GraphQL explorer page. The service has no sessions.
func mountExplorer(e *echo.Echo) error {
	built, err := explorer.Built()
	if err != nil {
		return err
	}
	page, err := explorer.New(built, "")
	if err != nil {
		return err
	}
	page.Mount(e)
	return nil
}

// properties returns the configuration for users who manage the system.
func (a *App) properties() map[string]string {
	all := config.Values(&a.cfg)
	all["datahub.objectStorage.uri"] = storageAddress(a.cfg.DataDir)
	return all
}

// storageAddress returns the location of files in the form that programs expect in the settings.
func storageAddress(dataDir string) string {
	if absolute, err := filepath.Abs(dataDir); err == nil {
		dataDir = absolute
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dataDir)}).String()
}

// neverStored forbids shared caches to store responses, which are specific to a caller, unless the
// handler sets another header.
func neverStored(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		return next(c)
	}
}

// seriesLimits are the statistics limits for requests.
var seriesLimits = statistics.Limits{Alone: admission.Alone, Reserve: admission.ReserveWithWork}

// Package app assembles the proxy: from configuration and secrets it builds a running server.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"github.com/cartulary/cartulary/frontend-proxy/internal/gateway"
	"github.com/cartulary/cartulary/frontend-proxy/internal/login"
	"github.com/cartulary/cartulary/frontend-proxy/internal/metrics"
	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/upstream"
	"github.com/cartulary/cartulary/frontend-proxy/internal/webui"
	"github.com/cartulary/cartulary/frontend-proxy/web"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/explorer"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/footprint"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/release"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// App is a proxy that has bound its address and is ready to run.
type App struct {
	server *httpserver.Server
	// metricsServer serves metrics at a separate address; nil if metrics are off.
	metricsServer *httpserver.Server
	// transport owns the connections to the service. Besides the server, only these use goroutines.
	transport *http.Transport
	provider  *sso.Client     // nil if single sign-on is off
	tracer    *tracing.Tracer // nil if tracing is off
}

// Open waits for secret files, validates the configuration and binds the address. The service need
// not be running.
func Open(ctx context.Context, cfg Config, log *slog.Logger) (*App, error) {
	system, err := readSecret(ctx, "system", cfg.SystemSecret, cfg.SystemSecretFile, log)
	if err != nil {
		return nil, err
	}
	jar, err := openJar(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(cfg.Upstream)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	footprint.SetLimit(0) // the server also derives its connection limit from it
	server := httpserver.New(httpserver.Config{Address: cfg.Listen, BasePath: cfg.BasePath, Log: log, Drain: cfg.Drain, Timeouts: cfg.HTTP, Gzip: true})
	link := connection{base: base, transport: gateway.Transport(cfg.Timeout), outage: outage.NewWatch(time.Now)}
	m := metrics.New(time.Now)
	if link.tracer, err = tracing.New(cfg.Tracing, tracing.Program{Name: "cartulary-frontend-proxy", Version: release.Version()}, log); err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	registerTracingMetrics(m, link.tracer)
	a := &App{server: server, transport: link.transport, tracer: link.tracer}
	addresses := forwarded.NewKey(system)
	client := upstream.New(base, system, link.calls(), link.outage, addresses)
	loginConfig := login.Config{BasePath: cfg.BasePath, Native: cfg.Login.Native, Limits: login.Limits{PerMinute: cfg.Login.PerMinute, Burst: cfg.Login.Burst}}
	if loginConfig.Provider, err = openProvider(ctx, cfg, client, log); err != nil {
		return nil, errors.Join(err, a.tracer.Close())
	}
	a.provider = loginConfig.Provider.Client
	logins := login.New(loginService{client}, jar, loginConfig, log, time.Now)
	if err := mount(server, cfg, log, jar, link, addresses, logins, m); err != nil {
		return nil, errors.Join(err, a.tracer.Close())
	}
	if err := server.Listen(ctx); err != nil {
		return nil, errors.Join(err, a.tracer.Close())
	}
	if cfg.Metrics.Listen == "" {
		return a, nil
	}
	a.metricsServer = httpserver.New(httpserver.Config{Address: cfg.Metrics.Listen, Log: log, Drain: cfg.Drain, Timeouts: cfg.HTTP})
	m.Mount(a.metricsServer.Echo)
	if err := a.metricsServer.Listen(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("metrics: %w", err), server.Close(), a.tracer.Close())
	}
	return a, nil
}

// connection is the connection to the service that all packages of the proxy share.
type connection struct {
	base      *url.URL
	transport *http.Transport
	outage    *outage.Watch
	tracer    *tracing.Tracer
}

// calls returns the transport. If tracing is on, it records spans and adds the trace to requests.
func (c connection) calls() http.RoundTripper {
	if c.tracer == nil {
		return c.transport
	}
	return tracing.Transport(c.transport, "call the metadata service")
}

func openJar(ctx context.Context, cfg Config, log *slog.Logger) (*session.Jar, error) {
	secret, previous, err := sessionSecrets(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	return session.NewJar(session.Config{Secret: secret, Previous: previous, Lifetime: cfg.SessionLife, Secure: cfg.Outside.TLS, BasePath: cfg.BasePath})
}

func sessionSecrets(ctx context.Context, cfg Config, log *slog.Logger) (secret, previous config.Secret, err error) {
	if secret, err = readSecret(ctx, "session", cfg.SessionSecret, cfg.SessionSecretFile, log); err != nil {
		return "", "", err
	}
	previous, err = readSecret(ctx, "previous session", cfg.SessionSecretPrevious, cfg.SessionSecretPreviousFile, log)
	return secret, previous, err
}

// Addr returns the address on which the proxy listens.
func (a *App) Addr() net.Addr { return a.server.Addr() }

// MetricsAddr returns the address of the metrics, or nil if metrics are off.
func (a *App) MetricsAddr() net.Addr {
	if a.metricsServer == nil {
		return nil
	}
	return a.metricsServer.Addr()
}

// Run serves until ctx ends and running requests are drained. When it returns, the connections to
// the service are closed and the remaining traces are exported.
func (a *App) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, a.tracer.Close()) }()
	defer a.transport.CloseIdleConnections()
	if a.provider != nil {
		defer a.provider.Close()
	}
	footprint.Trim()
	a.server.SetReady()
	if a.metricsServer == nil {
		return a.server.Run(ctx)
	}
	// If one server ends, the other ends too. Metrics are served until the last request has ended.
	group, ctx := errgroup.WithContext(ctx)
	served := make(chan struct{})
	group.Go(func() error {
		defer close(served)
		return a.server.Run(ctx)
	})
	group.Go(func() error {
		last, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		go func() {
			<-served
			cancel()
		}()
		return a.metricsServer.Run(last)
	})
	return group.Wait()
}

func mount(server *httpserver.Server, cfg Config, log *slog.Logger, jar *session.Jar, to connection, addresses *forwarded.Key, logins *login.Handler, m *metrics.Metrics) error {
	e := server.Echo
	extract, err := httpserver.ClientAddress(cfg.Outside.Proxies)
	if err != nil {
		return fmt.Errorf("outside.proxies: %w", err)
	}
	e.IPExtractor = extract
	guard, err := sameOrigin(cfg.Outside.Origins)
	if err != nil {
		return err
	}
	if to.tracer != nil {
		e.Pre(to.tracer.Middleware(nil))
	}
	e.Pre(m.Observe, webui.Harden(cfg.Outside.TLS), guard)
	if cfg.BasePath != "" {
		e.Pre(below(cfg.BasePath))
	}
	var limiter *ratelimit.Limiter
	if cfg.RateLimits.Enabled {
		limiter = ratelimit.NewLimiter(ratelimit.ByAddress, cfg.RateLimits.Address(), ratelimit.AddressKey, time.Now).Quiet()
		e.Use(limiter.Middleware())
	}

	dist, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return fmt.Errorf("open the built pages: %w", err)
	}
	pages, err := webui.New(dist, cfg.BasePath)
	if err != nil {
		return err
	}
	logins.Mount(e)
	registerMetrics(m, to.outage, logins.Counts(), limiter)
	signInPage := ""
	if pages.Built() {
		signInPage = "/login"
	}
	gateway.New(gateway.Config{
		Upstream: to.base, Transport: to.calls(), Outage: to.outage, Serving: server.Serving(), Jar: jar, Log: log, Addresses: addresses, AuthEnabled: cfg.Auth.Enabled, BasePath: cfg.BasePath, SignInPage: signInPage, TLS: cfg.Outside.TLS,
		IngestLimit: cfg.Body.Ingest, BodyLimit: cfg.Body.Other,
	}).Mount(e)
	statusPages{server, jar, signInOptions(cfg), cfg.BasePath}.mount(e)
	if cfg.GraphQL.Explorer {
		if err := mountExplorer(e, pages); err != nil {
			return err
		}
	}
	pages.Mount(e)
	return nil
}

// registerMetrics registers metrics that other packages count.
func registerMetrics(m *metrics.Metrics, watch *outage.Watch, counts *login.Counts, limiter *ratelimit.Limiter) {
	const failed = "Calls of the metadata service without an answer, by reason."
	m.Count("upstream_errors_total", failed, [2]string{"reason", "unreachable"}, watch.MissedCalls)
	m.Count("upstream_errors_total", failed, [2]string{"reason", "timeout"}, watch.LateCalls)
	m.Switch("upstream_away", "1 while the last call did not reach the metadata service, and 0 otherwise.", watch.Away)
	const sessions = "Sessions that were opened and ended, and attempts to open one that were refused."
	m.Count("sessions_total", sessions, [2]string{"outcome", "opened"}, counts.Opened.Load)
	m.Count("sessions_total", sessions, [2]string{"outcome", "ended"}, counts.Ended.Load)
	m.Count("sessions_total", sessions, [2]string{"outcome", "refused"}, counts.Refused.Load)
	const throttled = "Requests refused because too many came before, by rule."
	m.Count("requests_throttled_total", throttled, [2]string{"rule", ratelimit.ByAddress}, limiter.Refused)
	m.Count("requests_throttled_total", throttled, [2]string{"rule", "sign_in"}, counts.Delayed.Load)
}

// registerTracingMetrics registers metrics of tracing, which are 0 while tracing is off.
func registerTracingMetrics(m *metrics.Metrics, tracer *tracing.Tracer) {
	for _, reason := range []string{tracing.QueueFull, tracing.NotExported} {
		m.Count("tracing_spans_dropped_total", "Spans that were lost before a collector had them, by reason.", [2]string{"reason", reason},
			func() uint64 { return tracer.Lost(reason) })
	}
}

// mountExplorer serves the explorer from the proxy instead of forwarding it, so that the session
// applies. A build without pages has no sign-in page to link to: without an address the explorer
// explains how to use a token.
func mountExplorer(e *echo.Echo, pages *webui.Handler) error {
	built, err := explorer.Built()
	if err != nil {
		return err
	}
	signIn := ""
	if pages.Built() {
		signIn = "../login"
	}
	page, err := explorer.New(built, signIn)
	if err != nil {
		return err
	}
	page.Mount(e)
	return nil
}

// loginService adapts the client to the interface of package login. Both packages are independent,
// so types such as NewUser are converted here.
type loginService struct{ *upstream.Client }

func (s loginService) SignUp(ctx context.Context, user login.NewUser) (epoch string, err error) {
	return s.Client.SignUp(ctx, upstream.NewUser(user))
}

func (s loginService) Provision(ctx context.Context, g login.Guest) error {
	return s.Client.Provision(ctx, upstream.Guest(g))
}

// asChange returns the request as the cross-origin protection should treat it. The protection
// allows reads, but the service rebuilds its index on a GET, as DataHub does, so that request is
// treated as a POST.
func asChange(r *http.Request) *http.Request {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !strings.Contains(r.URL.Path, "/restoreIndices") {
		return r
	}
	change := *r
	change.Method = http.MethodPost
	return &change
}

// sameOrigin rejects requests that another site causes in a browser, before any route handles them.
// It does not affect programs other than browsers.
func sameOrigin(trusted []string) (echo.MiddlewareFunc, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("outside.origins: %w", err)
		}
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := protection.Check(asChange(c.Request())); err != nil {
				return fault.Wrap(err, fault.Forbidden, "requests from pages of another site are refused")
			}
			return next(c)
		}
	}, nil
}

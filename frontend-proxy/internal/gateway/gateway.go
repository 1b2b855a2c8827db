// Package gateway forwards requests of browsers and programs to the metadata service.
//
// A request arrives at a row of the path table (routes.go). The gateway checks its path and removes
// the prefix (path.go), determines its identity (identity.go), limits its body, and streams the
// request to the service and the response back without holding them in memory. It removes every
// claim of a client about its identity, except a bearer token, which the service verifies, and the
// encrypted session cookie. If the service rejects the token of a session as invalid, the response
// ends the session. A browser that navigates to a page without a session is redirected to sign in,
// and returns afterwards (signin.go); programs get the refusal.
//
// If the service is unavailable, responses are JSON with Retry-After: 502 if it cannot be reached,
// with the start of the outage, 504 if it sends nothing for two minutes; the service itself sends
// 503 while it starts. Each request tries again.
package gateway

import (
	"context"
	"errors"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// Config configures a Gateway.
type Config struct {
	Upstream *url.URL // root address of the service
	Jar      *session.Jar
	Log      *slog.Logger
	// Addresses proves to the service that the proxy has determined the client address.
	Addresses *forwarded.Key
	// AuthEnabled is set if the service verifies credentials. Otherwise the gateway requires a
	// session and asserts its actor.
	AuthEnabled bool
	// BasePath is the path prefix for browsers, such as /catalog; the gateway receives requests
	// without it.
	BasePath string
	// SignInPage is the path of the sign-in page below BasePath. Browsers that request a page
	// without a session are redirected to it. If it is empty because the build has no pages, they
	// get the refusal, as programs do.
	SignInPage string
	// TLS is set if browsers reach the proxy by TLS, which a server in front of it terminates.
	TLS bool
	// IngestLimit and BodyLimit are in bytes; the first is for paths that receive metadata, the
	// second for all others.
	IngestLimit, BodyLimit int64
	// Transport is the transport to the service, such as a result of the function Transport. Its
	// owner closes its idle connections.
	Transport http.RoundTripper
	// Serving ends when the proxy begins to stop, which also ends event streams; nil means never.
	Serving context.Context
	// Outage records the results of calls.
	Outage *outage.Watch
}

// Gateway serves the path table. It is safe for concurrent use.
type Gateway struct {
	cfg   Config
	proxy *httputil.ReverseProxy
}

// New creates a Gateway. It starts no goroutine and opens no connection.
func New(cfg Config) *Gateway {
	g := &Gateway{cfg: cfg}
	g.proxy = &httputil.ReverseProxy{
		Rewrite:        g.rewrite,
		ModifyResponse: g.cleanResponse,
		ErrorHandler:   func(_ http.ResponseWriter, r *http.Request, err error) { exchangeOf(r.Context()).err = err },
		Transport:      cfg.Transport,
		FlushInterval:  -1,
		BufferPool:     newBufferPool(),
		ErrorLog:       slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return g
}

// Transport returns a transport for one service in the same network: many idle connections and a
// short dial timeout. headerTimeout limits the time until the service begins its response.
func Transport(headerTimeout time.Duration) *http.Transport {
	const buffer = 32 << 10
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:          512,
		MaxIdleConnsPerHost:   512,
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: headerTimeout,
		TLSHandshakeTimeout:   5 * time.Second,
		DisableCompression:    true,
		ReadBufferSize:        buffer,
		WriteBufferSize:       buffer,
	}
}

// Mount adds the path table: each path with its methods, and for all other methods a refusal that
// names the allowed ones.
func (g *Gateway) Mount(e *echo.Echo) {
	// Not a group: a group without a prefix would match every unknown path.
	form := httpserver.RenderWith(render)
	for _, rt := range routes() {
		for _, method := range methods {
			handler := notAllowed(rt.methods)
			if slices.Contains(rt.methods, method) {
				handler = func(c echo.Context) error { return g.serve(c, rt) }
			}
			e.Add(method, rt.pattern, handler, form)
		}
		for _, method := range otherMethods {
			e.Add(method, rt.pattern, notAllowed(rt.methods), form)
		}
	}
	e.Pre(refuseUnknownMethods)
}

// refuseUnknownMethods refuses methods that the router does not support at the paths of the table.
func refuseUnknownMethods(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		method := c.Request().Method
		if slices.Contains(methods, method) || slices.Contains(otherMethods, method) {
			return next(c)
		}
		for _, rt := range routes() {
			if rt.matches(c.Request().URL.EscapedPath()) {
				return httpserver.RenderWith(render)(notAllowed(rt.methods))(c)
			}
		}
		return next(c)
	}
}

// notAllowed returns a handler that refuses a method. It is registered explicitly, because the
// router treats an unsupported method like an unknown path.
func notAllowed(allowed []string) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
		return echo.ErrMethodNotAllowed
	}
}

// exchange holds the data that the steps of one request share.
type exchange struct {
	target   target
	identity identity
	clientIP string
	signIn   string // sign-in address for the browser if the service requires a credential, or empty
	body     *clientBody
	err      error
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

func (g *Gateway) serve(c echo.Context, rt route) error {
	r := c.Request()
	to, err := rt.inspect(r.URL.RawPath)
	if err != nil {
		return err
	}
	caller, err := g.identify(r, to)
	if err != nil {
		if g.sendToSignIn(c, err) {
			return nil
		}
		return err
	}
	if caller.actor != "" {
		httpserver.SetActor(c, caller.actor)
	}
	// A form of another site can post text, but not JSON, without a CORS preflight.
	if caller.byCookie && to.json && !isJSON(r) {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType, "requests of a session must have Content-Type application/json here")
	}
	limit := g.cfg.BodyLimit
	if to.ingest {
		limit = g.cfg.IngestLimit
	}
	if err := httpserver.LimitBody(c, limit); err != nil {
		return err
	}
	x := &exchange{target: to, identity: caller, clientIP: c.RealIP(), signIn: g.signInAddress(r)}
	if r.Body != nil && r.Body != http.NoBody {
		x.body = &clientBody{ReadCloser: r.Body}
		r.Body = x.body
	}
	g.proxy.ServeHTTP(c.Response(), r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	err = g.failure(r.Context(), x)
	var failed *gatewayError
	if errors.As(err, &failed) {
		g.cfg.Log.WarnContext(r.Context(), "no answer from the service", "error", x.err)
	}
	return err
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

func (g *Gateway) rewrite(pr *httputil.ProxyRequest) {
	x := exchangeOf(pr.In.Context())
	pr.Out.URL = g.address(x.target.escaped, pr.In.URL.RawQuery)
	pr.Out.Host = ""
	h := pr.Out.Header
	// The proxy does not support upgrades, and it handles Expect itself.
	for _, name := range []string{"Connection", "Upgrade", "Expect"} {
		h.Del(name)
	}
	x.identity.write(h)
	tracing.Strip(h) // the transport adds the trace of the proxy
	h.Set("X-Forwarded-Host", pr.In.Host)
	h.Set("X-Forwarded-Proto", "http")
	if g.cfg.TLS {
		h.Set("X-Forwarded-Proto", "https")
	}
	h.Set(echo.HeaderXRequestID, logging.RequestID(pr.In.Context()))
	g.cfg.Addresses.Sign(h, x.clientIP) // the signature includes the request id
}

// address keeps path and query unchanged. The gateway bases no decision on the query, so the query
// needs no cleaning.
func (g *Gateway) address(escaped, query string) *url.URL {
	base := g.cfg.Upstream
	rawPath := strings.TrimSuffix(base.EscapedPath(), "/") + escaped
	// The path has already been decoded successfully in its inspection.
	decoded, _ := url.PathUnescape(rawPath)
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: decoded, RawPath: rawPath, RawQuery: query}
}

func (g *Gateway) cleanResponse(res *http.Response) error {
	g.cfg.Outage.Reached()
	for _, name := range []string{"Set-Cookie", "Server", echo.HeaderXRequestID} {
		res.Header.Del(name)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/event-stream" && g.cfg.Serving != nil {
		res.Body = newStream(g.cfg.Serving, res.Body)
	}
	x := exchangeOf(res.Request.Context())
	if location := res.Header.Get("Location"); location != "" {
		res.Header.Set("Location", g.localize(location, x.target.prefix))
	}
	if x.identity.byCookie && isBadCredential(res) {
		g.cfg.Jar.End(res.Header)
	}
	g.redirectToSignIn(res, x)
	return nil
}

// isBadCredential reports whether a session has ended (or its user was suspended or deleted). It
// distinguishes this from a missing privilege, for which some paths also answer 401.
func isBadCredential(res *http.Response) bool {
	return res.StatusCode == http.StatusUnauthorized && strings.Contains(res.Header.Get(echo.HeaderWWWAuthenticate), `error="invalid_token"`)
}

// localize rewrites an address at the service to one that leads through the proxy.
func (g *Gateway) localize(location, prefix string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host != "" && u.Host != g.cfg.Upstream.Host {
		return location
	}
	u.Scheme, u.Host, u.User = "", "", nil
	text := u.String()
	base := strings.TrimSuffix(g.cfg.Upstream.EscapedPath(), "/")
	if !strings.HasPrefix(text, "/") {
		return text
	}
	return g.cfg.BasePath + prefix + strings.TrimPrefix(text, base)
}

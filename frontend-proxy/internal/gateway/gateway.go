// Package gateway hands requests of browsers and programs to the metadata
// service.
//
// A request comes in at a row of the path table (routes.go). Its path is judged
// and its prefix taken off (path.go), its identity is settled (identity.go), its
// body is limited, and it streams to the service and the answer back, without
// being held in memory. Nothing a client says about who it is passes: only a
// bearer token, which the service checks, or our own encrypted session. When the
// service calls the token of a session invalid, the answer ends the session. A browser that
// navigates to a page without a session is sent to sign in, and comes back (signin.go);
// programs get the refusal.
//
// When the service is away, answers are JSON with Retry-After: 502 when it cannot
// be reached, which tells since when, 504 when it says nothing for two minutes;
// 503 is its own, while it starts. The next request simply tries again.
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

// Config of a gateway.
type Config struct {
	Upstream *url.URL // the service's root
	Jar      *session.Jar
	Log      *slog.Logger
	// Addresses proves to the service that the address of the client is our own finding.
	Addresses *forwarded.Key
	// AuthEnabled says that the service checks credentials. When it does not,
	// a session is needed here, and the proxy asserts its actor.
	AuthEnabled bool
	// BasePath is where browsers reach us, such as /catalog; requests come without it.
	BasePath string
	// SignInPage is the path below BasePath at which people sign in, and to which browsers are
	// sent that ask for a page without a session. Empty when there are no pages: they get the
	// refusal then, as programs do.
	SignInPage string
	// TLS says that browsers reach us by TLS, which something before us ends.
	TLS bool
	// IngestLimit and BodyLimit are bytes; the first is for paths that take
	// metadata, the second for all others.
	IngestLimit, BodyLimit int64
	// Transport reaches the service; Transport makes one. Its owner closes the
	// connections that it keeps.
	Transport http.RoundTripper
	// Serving ends when the proxy begins to stop, and streams of events with it; nil for never.
	Serving context.Context
	// Outage is told how calls went.
	Outage *outage.Watch
}

// Gateway serves the path table. It is safe for concurrent use.
type Gateway struct {
	cfg   Config
	proxy *httputil.ReverseProxy
}

// New makes a gateway. It starts no goroutine and opens no connection.
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

// Transport is made for one service close by: many kept connections, no waiting
// for a connection that does not come. The service has headerTimeout to begin an
// answer.
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

// Mount adds the path table: each path with the methods it takes, and a refusal that
// names them for all others.
func (g *Gateway) Mount(e *echo.Echo) {
	// Not a group: one without a prefix would take every unknown path.
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

// refuseUnknownMethods refuses methods that the router does not know at the paths of
// the table.
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

// notAllowed is said explicitly, as a method that the router does not know is a
// path that it does not know.
func notAllowed(allowed []string) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
		return echo.ErrMethodNotAllowed
	}
}

// exchange is what the steps of one request share.
type exchange struct {
	target   target
	identity identity
	clientIP string
	signIn   string // where to send the browser when the service wants a credential, or empty
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
	who, err := g.identify(r, to)
	if err != nil {
		if g.sendToSignIn(c, err) {
			return nil
		}
		return err
	}
	if who.actor != "" {
		httpserver.SetActor(c, who.actor)
	}
	// A form of another site can post text, but not JSON, without being asked
	// for permission first.
	if who.byCookie && to.json && !isJSON(r) {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType, "requests of a session must have Content-Type application/json here")
	}
	limit := g.cfg.BodyLimit
	if to.ingest {
		limit = g.cfg.IngestLimit
	}
	if err := httpserver.LimitBody(c, limit); err != nil {
		return err
	}
	x := &exchange{target: to, identity: who, clientIP: c.RealIP(), signIn: g.signInAddress(r)}
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
	// Upgrades end here, and waiting for a permission to send a body is between
	// us and the client.
	for _, name := range []string{"Connection", "Upgrade", "Expect"} {
		h.Del(name)
	}
	x.identity.write(h)
	tracing.Strip(h) // the transport names the trace that we are in
	h.Set("X-Forwarded-Host", pr.In.Host)
	h.Set("X-Forwarded-Proto", "http")
	if g.cfg.TLS {
		h.Set("X-Forwarded-Proto", "https")
	}
	h.Set(echo.HeaderXRequestID, logging.RequestID(pr.In.Context()))
	g.cfg.Addresses.Sign(h, x.clientIP) // which the id is a part of
}

// address keeps path and query as they came. The query is not judged, so there
// is nothing to clean in it.
func (g *Gateway) address(escaped, query string) *url.URL {
	base := g.cfg.Upstream
	rawPath := strings.TrimSuffix(base.EscapedPath(), "/") + escaped
	// The path was decoded once already when it was judged.
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

// isBadCredential tells a session that is over (ended, or its user was suspended or
// deleted) from a privilege that is missing, which some paths answer with 401, too.
func isBadCredential(res *http.Response) bool {
	return res.StatusCode == http.StatusUnauthorized && strings.Contains(res.Header.Get(echo.HeaderWWWAuthenticate), `error="invalid_token"`)
}

// localize turns an address at the service into one that leads through us.
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

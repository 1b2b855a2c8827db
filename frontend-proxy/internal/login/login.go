// Package login provides the routes that start and end a session.
//
// The proxy does not verify credentials itself: it asks the service to verify a password, requests
// a session token, and encrypts that into the session cookie. In addition it limits attempts: each
// client address has a token bucket, and each account, after five failures, a delay that grows to
// fifteen minutes and never becomes a lock. A browser in which a user has signed in before is
// recognised by a separate cookie and counted separately, so that failures of others delay the user
// only elsewhere. Unknown users and wrong passwords get the same response.
//
// Users can also sign in by an identity provider: /sso and /authenticate redirect the browser to
// it, and /callback/oidc is the address to which it redirects back. Package sso identifies the
// user; the service creates the user. Refusals lead to the sign-in page with a code.
//
// GET /logOut ends a session if the request comes from this site, and otherwise shows a page with a
// button. The button sends POST /logOut, which the proxy refuses from pages of other sites like any
// POST.
//
// Responses have the form that existing clients expect: 200 without a body and with the cookies of
// a session, or 400 with {"message": ...}. Paths that clients derive from a wrong base address
// (/api/logIn, /api/signUp) work as well.
package login

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	maxBody = 64 << 10
	// followUpTimeout is the timeout of calls that run after the client's request.
	followUpTimeout = 5 * time.Second
	// signInPage is the page for signing in, which also shows the reason of a refusal.
	signInPage = "/login"
)

// NewUser holds the data of a sign-up.
type NewUser struct {
	URN                                           urn.URN
	FullName, Email, Password, InviteToken, Title string
}

// Service lists the calls of the metadata service that login needs. Refusals have the kinds
// fault.Unauthenticated or fault.Invalid and a message for the user.
type Service interface {
	Verify(ctx context.Context, user urn.URN, password string) (epoch string, err error)
	// StartSession denies a session if the account is in another epoch than that of the proof: its
	// password was changed or removed meanwhile. An empty epoch is not compared.
	StartSession(ctx context.Context, user urn.URN, source, epoch string) (token string, err error)
	EndSession(ctx context.Context, token string) error
	SignUp(ctx context.Context, user NewUser) (epoch string, err error)
	ResetPassword(ctx context.Context, user urn.URN, password, resetToken string) (epoch string, err error)
	// Provision creates or updates the user that an identity provider has identified. If the user
	// may not sign in, the error has a method Denial that returns the reason. A new name that is
	// another spelling of an existing one is an error of kind fault.Conflict.
	Provision(ctx context.Context, g Guest) error
	// ReportFailure records a refusal of the proxy in the audit log; user may be empty.
	ReportFailure(ctx context.Context, user urn.URN, code string) error
}

// Handler serves the routes. It is safe for concurrent use.
type Handler struct {
	service  Service
	jar      *session.Jar
	limiter  *limiter
	native   bool
	provider Provider
	base     string
	log      *slog.Logger
	counts   Counts
}

// Counts counts the results of sign-ins and sign-outs.
type Counts struct {
	Opened  atomic.Uint64 // sessions that were started
	Ended   atomic.Uint64 // sessions that were ended by a sign-out
	Refused atomic.Uint64 // attempts that were evaluated and refused
	Delayed atomic.Uint64 // attempts that were refused because of earlier ones
}

// Counts returns the live counters.
func (h *Handler) Counts() *Counts { return &h.counts }

// Config configures the ways of signing in.
type Config struct {
	Limits Limits
	// Native is false if sign-in with passwords stored by the service is off.
	Native   bool
	Provider Provider
	// BasePath is the path prefix for browsers, such as /catalog; the Handler receives requests
	// without it.
	BasePath string
}

// New creates a Handler; now is the clock of the limits.
func New(service Service, jar *session.Jar, cfg Config, log *slog.Logger, now func() time.Time) *Handler {
	return &Handler{service: service, jar: jar, limiter: newLimiter(cfg.Limits, now), native: cfg.Native, provider: cfg.Provider, base: cfg.BasePath, log: log}
}

// Mount adds the routes.
func (h *Handler) Mount(e *echo.Echo) {
	// Not a group: a group without a prefix would match every unknown path.
	form := httpserver.RenderWith(render)
	text := httpserver.WellFormed
	for _, path := range []string{"/logIn", "/api/logIn"} {
		e.POST(path, h.logIn, form, text)
	}
	for _, path := range []string{"/signUp", "/api/signUp"} {
		e.POST(path, h.signUp, form, text)
	}
	e.POST("/resetNativeUserCredentials", h.reset, form, text)
	e.GET("/logOut", h.logOut, form)
	e.POST("/logOut", h.endSession, form)
	e.GET("/authenticate", h.authenticate, form, text)
	e.GET("/sso", h.sso, form, text)
	e.GET("/callback/:protocol", h.callback, form, text)
}

// render sends an error in the form that the login page and the command line read.
func render(c echo.Context, status int, err error) error {
	if errors.Is(err, fault.Unauthenticated) {
		status = http.StatusBadRequest
	}
	return c.JSON(status, map[string]string{"message": fault.Message(err)})
}

func (h *Handler) logIn(c echo.Context) error {
	var in struct{ Username, Password string }
	if err := h.read(c, &in); err != nil {
		return err
	}
	if strings.TrimSpace(in.Username) == "" {
		return fault.New(fault.Invalid, "User name must not be empty.")
	}
	user, err := userURN(in.Username)
	if err != nil {
		// An invalid user name reveals nothing about existing users.
		return fault.Wrap(err, fault.Unauthenticated, "Invalid Credentials: %s", fault.Message(err))
	}
	if in.Password == "" {
		return fault.New(fault.Unauthenticated, "Invalid Credentials")
	}
	epoch, err := h.attempt(c, user, func(ctx context.Context) (string, error) {
		return h.service.Verify(ctx, user, in.Password)
	})
	if err != nil {
		return err
	}
	return h.startSession(c, user, "passwordLogin", epoch)
}

func (h *Handler) signUp(c echo.Context) error {
	var in struct{ FullName, Email, Password, InviteToken, Title, UserURN string }
	if err := h.read(c, &in); err != nil {
		return err
	}
	// Clients show the first message, so the checks are in the order of the form.
	if err := requireFields("Full name", in.FullName, "Email", in.Email); err != nil {
		return err
	}
	if err := checkEmail(in.Email); err != nil {
		return err
	}
	if err := requireFields("Password", in.Password, "Invite token", in.InviteToken); err != nil {
		return err
	}
	user, err := newUserURN(in.UserURN, in.Email)
	if err != nil {
		return err
	}
	epoch, err := h.invited(c, NewUser{
		URN: user, FullName: in.FullName, Email: in.Email, Password: in.Password, InviteToken: in.InviteToken, Title: in.Title,
	})
	if err != nil {
		return err
	}
	return h.startSession(c, user, "signUpLinkLogin", epoch)
}

func (h *Handler) reset(c echo.Context) error {
	var in struct{ Email, Password, ResetToken string }
	if err := h.read(c, &in); err != nil {
		return err
	}
	if err := requireFields("Email", in.Email, "Password", in.Password, "Reset token", in.ResetToken); err != nil {
		return err
	}
	user, err := userURN(in.Email)
	if err != nil {
		return err
	}
	epoch, err := h.attempt(c, user, func(ctx context.Context) (string, error) {
		return h.service.ResetPassword(ctx, user, in.Password, in.ResetToken)
	})
	if err != nil {
		return err
	}
	return h.startSession(c, user, "passwordReset", epoch)
}

// logOut handles GET, since pages link to it; another site could also link to it, and the browser
// would send the session's cookie. It asks for confirmation, unless the request provably comes from
// a page of this site, from the address bar or from a program.
func (h *Handler) logOut(c echo.Context) error {
	if !isSameOrigin(c.Request()) {
		return confirm(c)
	}
	return h.endSession(c)
}

func (h *Handler) endSession(c echo.Context) error {
	neverStore(c)
	if s, err := h.jar.Open(c.Request()); err == nil {
		ctx, cancel := context.WithTimeout(forwarded.WithAddress(c.Request().Context(), c.RealIP()), followUpTimeout)
		defer cancel()
		h.counts.Ended.Add(1)
		// The session is removed from the browser in any case.
		if err := h.service.EndSession(ctx, s.Token); err != nil {
			h.log.WarnContext(ctx, "session not ended at the service", "actor", s.Actor, "error", err)
		}
	}
	h.jar.End(c.Response().Header())
	next := h.endAtProvider(c)
	switch {
	case next == "":
		return c.Redirect(http.StatusSeeOther, h.base+signInPage)
	case c.Request().Method == http.MethodPost:
		return leave(c, next)
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// endAtProvider returns the address at which the browser signs out at the identity provider, or an
// empty string if it did not sign in there or need not sign out.
func (h *Handler) endAtProvider(c echo.Context) string {
	if h.provider.Client == nil {
		return ""
	}
	next := h.provider.Client.SignOutAddress(c.Request().Context(), c.Request(), signInPage)
	h.provider.Client.Forget(c.Response())
	return next
}

func (h *Handler) authenticate(c echo.Context) error {
	target := h.target(c)
	if _, err := h.jar.Open(c.Request()); err == nil {
		return c.Redirect(http.StatusSeeOther, h.base+target)
	}
	if h.provider.Client != nil {
		return h.begin(c, target)
	}
	return c.Redirect(http.StatusSeeOther, h.base+signInPage+"?redirect_uri="+url.QueryEscape(h.base+target))
}

// errNotNative has the text that clients expect.
var errNotNative = fault.New(fault.Invalid, "Native authentication is not enabled on the server.")

// read first takes the attempt from the client's bucket, and then decodes the body.
func (h *Handler) read(c echo.Context, into any) error {
	if !h.native {
		return errNotNative
	}
	c.SetRequest(c.Request().WithContext(forwarded.WithAddress(c.Request().Context(), c.RealIP())))
	if wait := h.take(c); wait > 0 {
		return h.tooManyAttempts(c, wait)
	}
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType, "The body must be JSON, and Content-Type must say application/json.")
	}
	body, err := httpserver.ReadBody(c, maxBody)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fault.Wrap(err, fault.Malformed, "The body must be a JSON object with text members.")
	}
	return nil
}

// take takes an attempt from the bucket of the client. A browser in which a user has signed in
// before has its own bucket, so that other clients at the same address cannot empty it.
func (h *Handler) take(c echo.Context) (wait time.Duration) {
	if id := h.jar.Device(c.Request()).ID(); id != "" {
		return h.limiter.addresses.Take("device " + id)
	}
	return h.limiter.addresses.Take(ratelimit.AddressKey(c))
}

// takeFor, after take, counts an attempt at a user. A browser in which this user has not signed in
// before is also counted by its address. Otherwise the owner of one account could obtain any number
// of known browsers.
func (h *Handler) takeFor(c echo.Context, user urn.URN) (client ratelimit.Client, wait time.Duration) {
	client.Address = c.RealIP()
	switch device := h.jar.Device(c.Request()); {
	case device.ID() == "":
	case device.Knows(user):
		client.Device = device.IDOf(user)
	default:
		wait = h.limiter.addresses.Take(ratelimit.AddressKey(c))
	}
	return client, wait
}

// attempt runs a check that could be used for guessing, and returns the session epoch that it proves.
func (h *Handler) attempt(c echo.Context, user urn.URN, check func(context.Context) (epoch string, err error)) (epoch string, err error) {
	ctx, account := c.Request().Context(), strings.ToLower(string(user))
	client, wait := h.takeFor(c, user)
	if wait == 0 {
		wait = h.limiter.users.Begin(client, account)
	}
	if wait > 0 {
		h.log.WarnContext(ctx, "sign-in delayed", "user", mask(user.Key()), "client", client.Address, "wait", wait)
		return "", h.tooManyAttempts(c, wait)
	}
	if client.Device != "" {
		ctx = forwarded.WithKnownBrowser(ctx)
	}
	epoch, err = check(ctx)
	switch {
	case err == nil:
		h.limiter.users.Succeeded(client, account)
	case wasJudged(err):
		h.counts.Refused.Add(1)
		h.log.InfoContext(ctx, "sign-in refused", "user", mask(user.Key()), "client", client.Address)
	default:
		h.limiter.users.Refund(client, account)
	}
	return epoch, err
}

// invited runs a sign-up, which could be used to guess invitations and to find existing users.
func (h *Handler) invited(c echo.Context, user NewUser) (epoch string, err error) {
	ctx, client := c.Request().Context(), ratelimit.AddressKey(c)
	_, wait := h.takeFor(c, user.URN)
	if wait == 0 {
		wait = h.limiter.invitations.Begin(client)
	}
	if wait > 0 {
		h.log.WarnContext(ctx, "sign-up delayed", "client", c.RealIP(), "wait", wait)
		return "", h.tooManyAttempts(c, wait)
	}
	epoch, err = h.service.SignUp(ctx, user)
	switch {
	case err == nil:
		h.limiter.invitations.Succeeded(client)
	case wasJudged(err):
		h.counts.Refused.Add(1)
	default:
		h.limiter.invitations.Refund(client)
	}
	return epoch, err
}

// wasJudged reports whether an attempt was refused, as opposed to a technical failure.
func wasJudged(err error) bool {
	return errors.Is(err, fault.Unauthenticated) || errors.Is(err, fault.Invalid)
}

func (h *Handler) startSession(c echo.Context, user urn.URN, source, epoch string) error {
	token, err := h.service.StartSession(c.Request().Context(), user, source, epoch)
	if err != nil {
		return err
	}
	if err := h.begins(c, token, user); err != nil {
		return err
	}
	if h.provider.Client != nil {
		h.provider.Client.Forget(c.Response())
	}
	h.counts.Opened.Add(1)
	httpserver.SetActor(c, string(user))
	return c.NoContent(http.StatusOK)
}

// begins sends the session to the browser, and makes the browser known from then on.
func (h *Handler) begins(c echo.Context, token string, user urn.URN) error {
	if err := h.jar.Start(c.Response(), token, user); err != nil {
		return err
	}
	return h.jar.RememberDevice(c.Response(), c.Request(), user)
}

func (h *Handler) tooManyAttempts(c echo.Context, wait time.Duration) error {
	h.counts.Delayed.Add(1)
	header := c.Response().Header()
	httpserver.SetRetryAfter(header, wait)
	return fault.New(fault.Throttled, "Too many attempts. Please try again in %s seconds.", header.Get(echo.HeaderRetryAfter))
}

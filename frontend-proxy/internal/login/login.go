// Package login holds the routes by which people get and end a session.
//
// The proxy checks nothing itself: it asks the service whether a password is
// right, asks for a session token, and encrypts that into the session cookie.
// What it adds are limits on attempts: each client address has a bucket of
// them, and each account, after five failures, a delay that grows to fifteen
// minutes and never becomes a lock. A browser in which a user has signed in before
// is known again by a cookie of its own and counts apart, so that failures of
// others delay the user elsewhere alone. Unknown users and wrong passwords get
// the same answer.
//
// People may also sign in by an identity provider: /sso and /authenticate send the
// browser there, and /callback/oidc is where it comes back. Who it is finds package
// sso; the service makes the user of it. Refusals lead to the sign-in page with a code.
//
// GET /logOut ends a session when the request comes from here, and shows a page
// with a button otherwise. The button sends POST /logOut, which the proxy refuses
// to pages of other sites as it does any POST.
//
// Answers follow what existing clients expect: 200 without a body and the
// cookies of a session, or 400 with {"message": ...}. Paths that clients derive from a wrong
// base address (/api/logIn, /api/signUp) work as well.
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
	// patience is how long what nobody waits for may take.
	patience = 5 * time.Second
	// signInPage tells how to get in, and reads why somebody did not.
	signInPage = "/login"
)

// NewUser is what a sign-up needs.
type NewUser struct {
	URN                                           urn.URN
	FullName, Email, Password, InviteToken, Title string
}

// Service is what login asks of the metadata service. Refusals have the kinds
// fault.Unauthenticated or fault.Invalid and a message for the user.
type Service interface {
	Verify(ctx context.Context, user urn.URN, password string) error
	StartSession(ctx context.Context, user urn.URN, source string) (token string, err error)
	EndSession(ctx context.Context, token string) error
	SignUp(ctx context.Context, user NewUser) error
	ResetPassword(ctx context.Context, user urn.URN, password, resetToken string) error
	// Provision makes or updates the user whom an identity provider has identified. Who may
	// not sign in is an error with a method Denial that tells the reason, and a new name that
	// is another spelling of one that exists is fault.Conflict.
	Provision(ctx context.Context, g Guest) error
	// ReportFailure tells the audit log what was turned down here; user may be empty.
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

// Counts is what came of those who wanted in or out.
type Counts struct {
	Opened  atomic.Uint64 // sessions that began
	Ended   atomic.Uint64 // sessions that were ended by signing out
	Refused atomic.Uint64 // attempts that were judged and turned down
	Delayed atomic.Uint64 // attempts that came too soon after others
}

// Counts are the figures so far, which go on to grow.
func (h *Handler) Counts() *Counts { return &h.counts }

// Config says how people may sign in.
type Config struct {
	Limits Limits
	// Native is false where nobody signs in by a password that the service keeps.
	Native   bool
	Provider Provider
	// BasePath is where browsers reach the proxy, such as /catalog; requests come without it.
	BasePath string
}

// New makes a handler; now is the clock of the limits.
func New(service Service, jar *session.Jar, cfg Config, log *slog.Logger, now func() time.Time) *Handler {
	return &Handler{service: service, jar: jar, limiter: newLimiter(cfg.Limits, now), native: cfg.Native, provider: cfg.Provider, base: cfg.BasePath, log: log}
}

// Mount adds the routes.
func (h *Handler) Mount(e *echo.Echo) {
	// Not a group: one without a prefix would take every unknown path.
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

// render answers as the login page and the command line read it.
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
		// What no user can be called tells nothing of who there is.
		return fault.Wrap(err, fault.Unauthenticated, "Invalid Credentials: %s", fault.Message(err))
	}
	if in.Password == "" {
		return fault.New(fault.Unauthenticated, "Invalid Credentials")
	}
	if err := h.attempt(c, user, func(ctx context.Context) error {
		return h.service.Verify(ctx, user, in.Password)
	}); err != nil {
		return err
	}
	return h.startSession(c, user, "passwordLogin")
}

func (h *Handler) signUp(c echo.Context) error {
	var in struct{ FullName, Email, Password, InviteToken, Title, UserURN string }
	if err := h.read(c, &in); err != nil {
		return err
	}
	// Clients show the first text, so the order is that of the form.
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
	if err := h.invited(c, NewUser{
		URN: user, FullName: in.FullName, Email: in.Email, Password: in.Password, InviteToken: in.InviteToken, Title: in.Title,
	}); err != nil {
		return err
	}
	return h.startSession(c, user, "signUpLinkLogin")
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
	if err := h.attempt(c, user, func(ctx context.Context) error {
		return h.service.ResetPassword(ctx, user, in.Password, in.ResetToken)
	}); err != nil {
		return err
	}
	return h.startSession(c, user, "passwordReset")
}

// logOut is a GET, since pages lead to it by a link; so another site could lead
// there as well, with the session's cookie. It asks unless the request shows that
// it comes from a page of ours, from the address bar or from a program.
func (h *Handler) logOut(c echo.Context) error {
	if !isSameOrigin(c.Request()) {
		return confirm(c)
	}
	return h.endSession(c)
}

func (h *Handler) endSession(c echo.Context) error {
	neverStore(c)
	if s, err := h.jar.Open(c.Request()); err == nil {
		ctx, cancel := context.WithTimeout(forwarded.WithAddress(c.Request().Context(), c.RealIP()), patience)
		defer cancel()
		h.counts.Ended.Add(1)
		// The browser forgets the session in any case.
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

// endAtProvider is where the browser signs out at the identity provider, empty when it
// did not sign in there or need not.
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

// errNotNative is the text that clients know.
var errNotNative = fault.New(fault.Invalid, "Native authentication is not enabled on the server.")

// read takes the attempt from the client's bucket before anything else, then
// decodes the body.
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

// take takes an attempt from the bucket of the client: that of the browser where
// somebody has signed in before, so that nobody at the same address empties it.
func (h *Handler) take(c echo.Context) (wait time.Duration) {
	if id := h.jar.Device(c.Request()).ID(); id != "" {
		return h.limiter.addresses.Take("device " + id)
	}
	return h.limiter.addresses.Take(ratelimit.AddressKey(c))
}

// takeFor is take, behind it, for an attempt at a user: a browser in which this user has
// not signed in before counts by its address, too. Who has an account has browsers
// that are known, as many as one likes.
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

// attempt runs a check that somebody may use for guessing.
func (h *Handler) attempt(c echo.Context, user urn.URN, check func(context.Context) error) error {
	ctx, account := c.Request().Context(), strings.ToLower(string(user))
	client, wait := h.takeFor(c, user)
	if wait == 0 {
		wait = h.limiter.users.Begin(client, account)
	}
	if wait > 0 {
		h.log.WarnContext(ctx, "sign-in delayed", "user", mask(user.Key()), "client", client.Address, "wait", wait)
		return h.tooManyAttempts(c, wait)
	}
	if client.Device != "" {
		ctx = forwarded.WithKnownBrowser(ctx)
	}
	err := check(ctx)
	switch {
	case err == nil:
		h.limiter.users.Succeeded(client, account)
	case wasJudged(err):
		h.counts.Refused.Add(1)
		h.log.InfoContext(ctx, "sign-in refused", "user", mask(user.Key()), "client", client.Address)
	default:
		h.limiter.users.Refund(client, account)
	}
	return err
}

// invited signs somebody up, which somebody may use for guessing invitations and for
// finding out who exists.
func (h *Handler) invited(c echo.Context, user NewUser) error {
	ctx, client := c.Request().Context(), ratelimit.AddressKey(c)
	_, wait := h.takeFor(c, user.URN)
	if wait == 0 {
		wait = h.limiter.invitations.Begin(client)
	}
	if wait > 0 {
		h.log.WarnContext(ctx, "sign-up delayed", "client", c.RealIP(), "wait", wait)
		return h.tooManyAttempts(c, wait)
	}
	err := h.service.SignUp(ctx, user)
	switch {
	case err == nil:
		h.limiter.invitations.Succeeded(client)
	case wasJudged(err):
		h.counts.Refused.Add(1)
	default:
		h.limiter.invitations.Refund(client)
	}
	return err
}

// wasJudged tells whether an attempt was turned down, and did not just fail.
func wasJudged(err error) bool {
	return errors.Is(err, fault.Unauthenticated) || errors.Is(err, fault.Invalid)
}

func (h *Handler) startSession(c echo.Context, user urn.URN, source string) error {
	token, err := h.service.StartSession(c.Request().Context(), user, source)
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

// begins hands the browser its session, and knows the browser again from now on.
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

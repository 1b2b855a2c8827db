// Package signin serves the requests with which the proxy signs users in: under /auth/, only at
// the root of the service, with JSON in both directions.
//
// A client of these endpoints can become any user, so each of them requires the system actor. The
// proxy makes no decisions by itself: this service checks passwords, invitations and the status
// of users.
package signin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

const (
	maxBody = 64 << 10
	// maxGuest leaves space for the names of the largest number of groups of a user.
	maxGuest = 1 << 20
	// sourceHeader contains the way of signing in, for the log.
	sourceHeader = "X-DataHubLoginSource"
)

// Sessions starts and ends sessions; token.Authority implements it.
type Sessions interface {
	Verify(ctx context.Context, text string) (token.Verified, error)
	NewSession(ctx context.Context, user urn.URN, proved string) (string, error)
	EndSession(ctx context.Context, text string) error
}

// Credentials checks passwords and creates users; credentials.Service implements it.
type Credentials interface {
	Verify(ctx context.Context, user urn.URN, password config.Secret) (credentials.Verdict, error)
	SignUp(ctx context.Context, n credentials.Newcomer) (epoch string, err error)
	Reset(ctx context.Context, user urn.URN, password, token config.Secret) (epoch string, err error)
	HasCredentials(ctx context.Context, user urn.URN) (bool, error)
	Provision(ctx context.Context, g credentials.Guest) (credentials.Provisioned, error)
}

// Settings returns the settings of single sign-on, nil when there are none; setting.Service
// implements it.
type Settings interface {
	SignOn(ctx context.Context) (jsontree.Object, error)
}

// Recorder records audit events; audit.Log implements it.
type Recorder interface {
	Record(ctx context.Context, e audit.Event)
}

type handlers struct {
	sessions    Sessions
	credentials Credentials
	settings    Settings
	events      Recorder
	log         *slog.Logger
}

// Mount adds the routes. e must be the root of the service, behind the middleware that determines
// actors: these paths must not exist under the prefixes that the proxy forwards.
func Mount(e *echo.Echo, sessions Sessions, c Credentials, settings Settings, events Recorder, log *slog.Logger) {
	h := &handlers{sessions: sessions, credentials: c, settings: settings, events: events, log: log}
	// Per route: a group with middleware would respond with 404 instead of 405.
	guard := []echo.MiddlewareFunc{httpserver.RenderWith(httpserver.RenderJSON), requireSystem, httpserver.WellFormed}
	for action, handle := range map[string]echo.HandlerFunc{
		"generateSessionTokenForUser": h.generateSession,
		"endSession":                  h.endSession,
		"signUp":                      h.signUp,
		"verifyNativeUserCredentials": h.verify,
		"resetNativeUserCredentials":  h.reset,
		"getSsoSettings":              h.ssoSettings,
		"reportFailedLogIn":           h.reportFailure,
	} {
		e.POST("/auth/"+action, handle, slices.Concat(guard, bodyLimit(maxBody))...)
	}
	e.POST("/auth/provisionUser", h.provision, slices.Concat(guard, bodyLimit(maxGuest))...)
}

func bodyLimit(limit int64) []echo.MiddlewareFunc {
	return []echo.MiddlewareFunc{httpserver.BodyLimit(limit)}
}

func requireSystem(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		actor, ok := auth.ActorFrom(c.Request().Context())
		switch {
		case !ok:
			return fault.New(fault.Unauthenticated, "this call is the proxy's; it sends the credential of the system actor")
		case !actor.System:
			return fault.New(fault.Forbidden, "%s is unauthorized: only the system actor may make this call", actor.URN)
		}
		return next(c)
	}
}

type refusal struct {
	Reason account.DenialReason `json:"loginDenialReason"`
}

func (h *handlers) generateSession(c echo.Context) error {
	var in struct{ UserID, SessionEpoch text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	user, err := userOf("userId", in.UserID)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	session, err := h.sessions.NewSession(ctx, user, string(in.SessionEpoch))
	if err == nil && in.SessionEpoch == "" {
		err = h.stillHasPassword(ctx, user, source(c))
	}
	var denied *account.DeniedError
	if errors.As(err, &denied) {
		h.log.InfoContext(ctx, "session denied", "user", user, "reason", denied.Reason)
		h.events.Record(ctx, audit.Event{Type: audit.FailedLogIn, Actor: user, LoginSource: source(c), Denial: string(denied.Reason)})
		return respond(c, http.StatusForbidden, refusal{denied.Reason})
	}
	if err != nil {
		return err
	}
	h.log.InfoContext(ctx, "session started", "user", user, "source", cmp.Or(source(c), "unknown"))
	h.events.Record(ctx, audit.Event{Type: audit.LogIn, Actor: user, LoginSource: source(c)})
	return respond(c, http.StatusOK, map[string]string{"accessToken": session})
}

// passwordSources are the kinds of sign-in that a password proves.
var passwordSources = []string{"passwordLogin", "signUpLinkLogin", "passwordReset"}

// stillHasPassword denies a session to a user who signed in with a password that was removed
// meanwhile by a first sign-in by the provider. It is for clients that send no session epoch, and
// runs after the session exists: a later removal ends the session.
func (h *handlers) stillHasPassword(ctx context.Context, user urn.URN, source string) error {
	if !slices.Contains(passwordSources, source) {
		return nil
	}
	if has, err := h.credentials.HasCredentials(ctx, user); err != nil || has {
		return err
	}
	return &account.DeniedError{User: user, Reason: account.InvalidCredentials}
}

func (h *handlers) endSession(c echo.Context) error {
	var in struct{ AccessToken text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	if in.AccessToken == "" {
		return missingError("accessToken")
	}
	ctx := c.Request().Context()
	// The end of an expired session is not recorded.
	session, alive := h.sessions.Verify(ctx, string(in.AccessToken))
	if err := h.sessions.EndSession(ctx, string(in.AccessToken)); err != nil {
		return err
	}
	if alive == nil {
		h.events.Record(ctx, audit.Event{Type: audit.LogOut, Actor: session.Actor})
	}
	return respond(c, http.StatusOK, map[string]bool{"ended": true})
}

func (h *handlers) signUp(c echo.Context) error {
	var in struct{ UserURN, FullName, Email, Password, Title, InviteToken text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	var user urn.URN // derived from the e-mail address unless given
	if in.UserURN != "" {
		var err error
		if user, err = userOf("userUrn", in.UserURN); err != nil {
			return err
		}
	}
	ctx := fromClient(c, "")
	epoch, err := h.credentials.SignUp(ctx, credentials.Newcomer{
		User: user, FullName: string(in.FullName), Email: string(in.Email), Title: string(in.Title),
		Password: config.Secret(in.Password), Invite: config.Secret(in.InviteToken),
	})
	if err != nil {
		h.recordRefusal(ctx, audit.FailedSignUp, user, err)
		return err
	}
	return respond(c, http.StatusOK, map[string]any{"isNativeUserCreated": true, "sessionEpoch": epoch})
}

func (h *handlers) verify(c echo.Context) error {
	var in struct{ UserURN, Password text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	user, err := userOf("userUrn", in.UserURN)
	if err != nil {
		return err
	}
	if in.Password == "" {
		return missingError("password")
	}
	ctx := fromClient(c, user)
	verdict, err := h.credentials.Verify(ctx, user, config.Secret(in.Password))
	if err != nil {
		return err
	}
	if verdict.Reason != "" {
		h.log.InfoContext(ctx, "sign-in denied", "reason", verdict.Reason)
		h.events.Record(ctx, audit.Event{Type: audit.FailedLogIn, Actor: user, LoginSource: source(c), Denial: string(verdict.Reason)})
	}
	return respond(c, http.StatusOK, struct {
		Match  bool                 `json:"doesPasswordMatch"`
		Reason account.DenialReason `json:"loginDenialReason,omitempty"`
		Epoch  string               `json:"sessionEpoch,omitempty"`
	}{verdict.Match, verdict.Reason, verdict.Epoch})
}

func (h *handlers) reset(c echo.Context) error {
	var in struct{ UserURN, Password, ResetToken text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	user, err := userOf("userUrn", in.UserURN)
	if err != nil {
		return err
	}
	if in.ResetToken == "" {
		return missingError("resetToken")
	}
	ctx := fromClient(c, user)
	epoch, err := h.credentials.Reset(ctx, user, config.Secret(in.Password), config.Secret(in.ResetToken))
	if err != nil {
		h.recordRefusal(ctx, audit.FailedReset, user, err)
		return err
	}
	return respond(c, http.StatusOK, map[string]any{"areNativeUserCredentialsReset": true, "sessionEpoch": epoch})
}

// fromClient returns the context of a request that hashes a password of a user, with the client
// that the proxy reports.
func fromClient(c echo.Context, user urn.URN) context.Context {
	from := credentials.Client{Address: c.RealIP()}
	if forwarded.IsKnownBrowser(c.Request().Header) {
		from.Known = strings.ToLower(string(user))
	}
	return credentials.WithClient(c.Request().Context(), from)
}

// recordRefusal records an attempt that was checked and refused. Internal failures are only in
// the log of the service.
func (h *handlers) recordRefusal(ctx context.Context, kind audit.Type, user urn.URN, err error) {
	switch fault.KindOf(err) {
	case fault.Internal, fault.Unavailable, fault.Canceled, fault.StorageFull:
		return
	}
	h.events.Record(ctx, audit.Event{Type: kind, Actor: model.UnknownActor, Entity: user, Reason: fault.Message(err)})
}

// text is a member that must be a JSON string or absent. Members are matched by name ignoring
// case, so the fields of requests need no tags.
type text string

// decodeBody decodes the body. It does not use messages of the decoder, because the content of
// the body is secret.
func decodeBody(c echo.Context, in any) error { return decodeBodyUpTo(c, maxBody, in) }

func decodeBodyUpTo(c echo.Context, limit int64, in any) error {
	body, err := httpserver.ReadBody(c, limit)
	if err != nil {
		return err
	}
	err = json.Unmarshal(body, in)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault.New(fault.Malformed, "%s must be %s", wrong.Field, describeType(wrong.Type))
	case err != nil:
		return fault.New(fault.Malformed, "the body must be a JSON object")
	}
	return nil
}

func describeType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of strings"
	}
	return "a string"
}

// userOf parses a user, given by id or URN. All names in requests pass it, so a text that is no
// valid user name is refused before it is looked up or recorded.
func userOf(member string, value text) (urn.URN, error) {
	if value == "" {
		return "", missingError(member)
	}
	name, isUser := string(value), true
	if urn.Looks(name) {
		name, isUser = strings.CutPrefix(name, urn.TypePrefix(account.EntityType))
	}
	if !isUser {
		return "", fault.New(fault.Malformed, "%s must be the URN of a user such as urn:li:corpuser:jo", member)
	}
	if err := username.Check(name); err != nil {
		return "", fault.New(fault.Malformed, "%s: the name of the user %v", member, err)
	}
	return urn.Make(account.EntityType, name), nil
}

func missingError(member string) error {
	return fault.New(fault.Malformed, "%s must not be empty", member)
}

func respond(c echo.Context, status int, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.Blob(status, "application/json;charset=utf-8", raw)
}

// source returns the way of signing in if it is one of the proxy's words. Other values are empty,
// so that they do not get into logs.
func source(c echo.Context) string {
	switch s := c.Request().Header.Get(sourceHeader); s {
	case "passwordLogin", "ssoLogin", "signUpLinkLogin", "passwordReset", "guestLogin", "fallbackLogin":
		return s
	}
	return ""
}

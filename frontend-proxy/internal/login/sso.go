package login

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
)

// singleSignOn is the source of a session for the service.
const singleSignOn = "ssoLogin"

// Guest is the identity of a user as reported by an identity provider.
type Guest struct {
	URN                                           urn.URN
	Create, Update                                bool
	FullName, FirstName, LastName, Email, Picture string
	Groups                                        []string // nil leaves the groups unchanged
}

// Provider configures sign-in by an identity provider.
type Provider struct {
	Client *sso.Client // nil if single sign-on is off
	// Create creates users that do not exist; Update updates the profile of existing ones.
	Create, Update bool
	// DeniedMessage and DeniedAddress are shown to or opened for users who are in none of the
	// required groups; empty for the defaults.
	DeniedMessage, DeniedAddress string
}

func (h *Handler) sso(c echo.Context) error {
	if h.provider.Client == nil {
		return h.refuseSignIn(c, "", "", &sso.Refusal{Code: sso.NotConfigured, Cause: errNoProvider})
	}
	return h.begin(c, h.target(c))
}

var errNoProvider = errors.New("there is no provider")

// begin redirects the browser to the identity provider.
func (h *Handler) begin(c echo.Context, target string) error {
	neverStore(c)
	address, err := h.provider.Client.Begin(c.Request().Context(), c.Response(), target)
	if err != nil {
		return h.refuseSignIn(c, "", target, err)
	}
	return c.Redirect(http.StatusSeeOther, address)
}

// callback handles the redirect back from the identity provider.
func (h *Handler) callback(c echo.Context) error {
	neverStore(c)
	if h.provider.Client == nil || c.Param("protocol") != "oidc" {
		return h.refuseSignIn(c, "", "", &sso.Refusal{Code: sso.NotConfigured, Cause: errNoProvider})
	}
	c.SetRequest(c.Request().WithContext(forwarded.WithAddress(c.Request().Context(), c.RealIP())))
	if wait := h.take(c); wait > 0 {
		h.counts.Delayed.Add(1)
		httpserver.SetRetryAfter(c.Response().Header(), wait)
		return h.refuseSignIn(c, "", "", &sso.Refusal{Code: sso.TooManyAttempts, Cause: errTooSoon})
	}
	ctx := c.Request().Context()
	result, err := h.provider.Client.Finish(ctx, c.Response(), c.Request())
	if err == nil {
		err = h.welcome(c, result)
	}
	if err != nil {
		return h.refuseSignIn(c, result.User, result.Target, err)
	}
	return c.Redirect(http.StatusSeeOther, h.base+result.Target)
}

var errTooSoon = errors.New("the client came back too often")

// welcome lets the service create or update the user, and starts a session.
func (h *Handler) welcome(c echo.Context, r sso.Result) error {
	ctx := c.Request().Context()
	if err := h.service.Provision(ctx, Guest{
		URN: r.User, Create: h.provider.Create, Update: h.provider.Update,
		FullName: r.FullName, FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, Picture: r.Picture, Groups: r.Groups,
	}); err != nil {
		return serviceRefusal(err)
	}
	token, err := h.service.StartSession(ctx, r.User, singleSignOn, "")
	if err != nil {
		return serviceRefusal(err)
	}
	if err := h.begins(c, token, r.User); err != nil {
		return err
	}
	h.provider.Client.Remember(c.Response(), r.IDToken)
	h.counts.Opened.Add(1)
	httpserver.SetActor(c, string(r.User))
	return nil
}

// serviceRefusal converts an error of the service to a refusal with a code.
func serviceRefusal(err error) error {
	var denied interface{ Denial() string }
	code := sso.Failed
	switch {
	case errors.As(err, &denied):
		code = codeOfDenial(denied.Denial())
	case errors.Is(err, fault.Conflict):
		code = sso.UserNameTaken
	case errors.Is(err, fault.Invalid):
		code = sso.UserRefused
	case errors.Is(err, fault.Unauthenticated):
		code = sso.AccountClosed
	case errors.Is(err, fault.Unavailable), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		code = sso.ServiceUnavailable
	}
	return &sso.Refusal{Code: code, Cause: err}
}

func codeOfDenial(reason string) sso.Code {
	switch reason {
	case "SUSPENDED":
		return sso.Suspended
	case "NOT_PROVISIONED":
		return sso.NotProvisioned
	}
	return sso.AccountClosed
}

// refuseSignIn redirects to the sign-in page, which shows the reason. The cause is only logged.
func (h *Handler) refuseSignIn(c echo.Context, user urn.URN, target string, err error) error {
	ctx, code := c.Request().Context(), sso.CodeOf(err)
	attributes := []any{"code", string(code), "reason", err.Error(), "client", c.RealIP()}
	if user != "" {
		attributes = append(attributes, "user", mask(user.Key()))
	}
	switch {
	case code.IsJudgement(), code == sso.Suspended, code == sso.NotProvisioned, code == sso.AccountClosed, code == sso.UserRefused, code == sso.UserNameTaken:
		h.counts.Refused.Add(1)
		h.log.InfoContext(ctx, "sign-in refused", attributes...)
	case code == sso.NotConfigured && h.provider.Client == nil, code == sso.TooManyAttempts:
		h.log.DebugContext(ctx, "sign-in refused", attributes...)
	default:
		h.log.ErrorContext(ctx, "sign-in failed", attributes...)
	}
	if code.IsJudgement() {
		h.report(ctx, user, code)
	}
	return c.Redirect(http.StatusSeeOther, h.pageOf(code, target))
}

// report records refusals of the proxy in the audit log; the service records its own.
func (h *Handler) report(ctx context.Context, user urn.URN, code sso.Code) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), followUpTimeout)
	defer cancel()
	if err := h.service.ReportFailure(ctx, user, string(code)); err != nil {
		h.log.WarnContext(ctx, "sign-in not reported to the audit log", "code", string(code), "error", err)
	}
}

// pageOf returns the address of the sign-in page with a code, the sentence that clients of other
// releases show, and the address to return to.
func (h *Handler) pageOf(code sso.Code, target string) string {
	sentence := code.Sentence()
	if code == sso.GroupsNotAllowed || code == sso.GroupsMissing {
		if h.provider.DeniedAddress != "" {
			return h.provider.DeniedAddress
		}
		if h.provider.DeniedMessage != "" {
			sentence = h.provider.DeniedMessage
		}
	}
	page := h.base + signInPage + "?error_code=" + string(code) + "&error_msg=" + strings.ReplaceAll(url.QueryEscape(sentence), "+", "%20")
	if target != "" && target != "/" {
		page += "&redirect_uri=" + url.QueryEscape(h.base+target)
	}
	return page
}

// neverStore forbids caches to store responses that are specific to one browser.
func neverStore(c echo.Context) { c.Response().Header().Set("Cache-Control", "no-store") }

package signin

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// singleSignOn is the way of signing in for audit events about the requests in this file.
const singleSignOn = "ssoLogin"

// maxReason bounds the length of the code of a refusal.
const maxReason = 64

// provision creates or updates a user that an identity provider has identified. The proxy sends
// the claims of the provider; the service decides about their use.
func (h *handlers) provision(c echo.Context) error {
	var in struct {
		UserURN, FullName, FirstName, LastName, Email, Picture text
		Create                                                 bool   `json:"create"`
		Update                                                 bool   `json:"update"`
		Groups                                                 []text `json:"groups"`
	}
	if err := decodeBodyUpTo(c, maxGuest, &in); err != nil {
		return err
	}
	user, err := userOf("userUrn", in.UserURN)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	out, err := h.credentials.Provision(ctx, credentials.Guest{
		User: user, Create: in.Create, Update: in.Update, Groups: stringsOf(in.Groups),
		FullName: string(in.FullName), FirstName: string(in.FirstName), LastName: string(in.LastName), Email: string(in.Email), Picture: string(in.Picture),
	})
	var denied *account.DeniedError
	if errors.As(err, &denied) {
		h.log.InfoContext(ctx, "sign-in denied", "user", user, "reason", denied.Reason)
		h.events.Record(ctx, audit.Event{Type: audit.FailedLogIn, Actor: user, LoginSource: singleSignOn, Denial: string(denied.Reason)})
		return respond(c, http.StatusForbidden, refusal{denied.Reason})
	}
	if err != nil {
		h.recordProvisionFailure(c, user, err)
		return err
	}
	return respond(c, http.StatusOK, struct {
		User    urn.URN `json:"userUrn"`
		Created bool    `json:"created"`
		Skipped int     `json:"groupsLeftOut"`
	}{user, out.Created, out.Skipped})
}

// stringsOf converts texts to strings. It preserves the difference between nil, which does not
// change the groups, and an empty list.
func stringsOf(texts []text) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = string(t)
	}
	return out
}

func (h *handlers) recordProvisionFailure(c echo.Context, user urn.URN, err error) {
	switch fault.KindOf(err) {
	case fault.Internal, fault.Unavailable, fault.Canceled, fault.StorageFull:
		return
	}
	h.events.Record(c.Request().Context(), audit.Event{
		Type: audit.FailedLogIn, Actor: model.UnknownActor, Entity: user, LoginSource: singleSignOn, Reason: fault.Message(err),
	})
}

// reportFailure records a sign-in that the proxy has refused, since the proxy checks the
// responses of identity providers.
func (h *handlers) reportFailure(c echo.Context) error {
	var in struct{ UserURN, Reason text }
	if err := decodeBody(c, &in); err != nil {
		return err
	}
	if in.Reason == "" {
		return missingError("reason")
	}
	if len(in.Reason) > maxReason || strings.ContainsFunc(string(in.Reason), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		return fault.New(fault.Malformed, "reason must be a code of at most %d letters a to z and underscores", maxReason)
	}
	event := audit.Event{Type: audit.FailedLogIn, Actor: model.UnknownActor, LoginSource: singleSignOn, Denial: strings.ToUpper(string(in.Reason))}
	if in.UserURN != "" {
		user, err := userOf("userUrn", in.UserURN)
		if err != nil {
			return err
		}
		event.Actor = user
	}
	h.events.Record(c.Request().Context(), event)
	return respond(c, http.StatusOK, map[string]bool{"recorded": true})
}

// ssoSettings returns the single sign-on settings among the global settings, with the secret of
// the identity provider in plain text.
func (h *handlers) ssoSettings(c echo.Context) error {
	stored, err := h.settings.SignOn(c.Request().Context())
	if err != nil {
		return err
	}
	provider := jsontree.Child(stored, "oidcSettings")
	if provider == nil {
		return fault.New(fault.NotFound, "no single sign-on is configured")
	}
	out := jsontree.With(provider, jsontree.Object{"baseUrl": jsontree.Text(stored, "baseUrl"), "oidcEnabled": jsontree.Bool(provider, "enabled")})
	delete(out, "enabled")
	return respond(c, http.StatusOK, out)
}

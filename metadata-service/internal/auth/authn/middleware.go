package authn

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
)

const (
	maxShownPath = 1024
	bearerHelp   = "Send the header Authorization: Bearer <token>. On the machine of the service, this makes one: metadata-service token create --actor NAME --name TEXT"
	statedHelp   = "Leave the header out to act as the system"
)

// Middleware puts the actor into the context of each request, and answers 401 to anonymous requests
// unless their path is open. Register it before all routes. At the end of a request body the
// credential is checked again. Otherwise a client that delays its body could act with a token that
// was revoked in the meantime.
func (a *Authenticator) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			path := r.URL.EscapedPath()
			client := a.clientNetwork(c)
			if wait := a.wait(client); wait > 0 && !a.open.has(path) {
				return ratelimit.NewWaitError(wait, "too many bad credentials of the system came from this address; try again later")
			}
			actor, err := a.Authenticate(r.Context(), r.Header)
			a.noteGuess(client, err)
			if err == nil {
				httpserver.SetActor(c, string(actor.URN))
				c.SetRequest(a.authenticated(r, actor))
				return next(c)
			}
			if a.open.has(path) {
				return next(c)
			}
			if fault.KindOf(err) != fault.Unauthenticated {
				return err
			}
			return a.refuse(c, path, err)
		}
	}
}

// authenticated returns the request with the actor, a decision cache and a check of its credential
// in the context.
func (a *Authenticator) authenticated(r *http.Request, actor auth.Actor) *http.Request {
	ctx := auth.WithDecisionCache(auth.WithActor(r.Context(), actor))
	if !a.enabled || actor.System {
		return r.WithContext(ctx) // the system secret changes only at a restart
	}
	header := r.Header
	ctx = auth.WithCredential(ctx, func(ctx context.Context) error {
		now, err := a.Authenticate(ctx, header)
		if err == nil && now.URN != actor.URN {
			err = errBadCredential
		}
		return err
	})
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &checkedBody{ReadCloser: r.Body, ctx: ctx}
	}
	return r
}

// checkedBody returns an error at the end of the body if the credential of its request is no longer
// valid.
type checkedBody struct {
	io.ReadCloser
	ctx context.Context
}

func (b *checkedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if refused := auth.CheckCredential(b.ctx); refused != nil {
			return 0, refused
		}
	}
	return n, err
}

// clientNetwork returns the network of a request with a Basic credential, which can be a guess. It is
// empty for other requests, since tokens cannot be guessed.
func (a *Authenticator) clientNetwork(c echo.Context) string {
	if a.guesses == nil || !a.enabled {
		return ""
	}
	scheme, _, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Basic") {
		return ""
	}
	return ratelimit.AddressKey(c)
}

// wait returns the delay for a network with bad credentials. It is zero for a network that has sent
// the right credential. Otherwise a host in the network of the proxy could lock the proxy out.
func (a *Authenticator) wait(client string) time.Duration {
	if client == "" || a.guesses.Trusts(client) {
		return 0
	}
	return a.guesses.Wait(client)
}

func (a *Authenticator) noteGuess(client string, err error) {
	switch {
	case client == "":
	case err == nil:
		a.guesses.Succeeded(client)
	default:
		a.guesses.Failed(client)
	}
}

// refuse answers 401. With error="invalid_token" a client distinguishes an invalid token from a
// missing one.
func (a *Authenticator) refuse(c echo.Context, path string, err error) error {
	challenge, help := "Bearer", bearerHelp
	if !errors.Is(err, errAbsent) {
		challenge = `Bearer error="invalid_token"`
	}
	if !a.enabled {
		help = statedHelp
	}
	c.Response().Header().Set(echo.HeaderWWWAuthenticate, challenge)
	if c.Request().Method == http.MethodHead {
		return c.NoContent(http.StatusUnauthorized)
	}
	return c.JSON(http.StatusUnauthorized, map[string]any{
		"status": http.StatusUnauthorized, "error": http.StatusText(http.StatusUnauthorized),
		"message": "Unauthorized: " + fault.Message(err) + ". " + help + ".",
		"path":    path[:min(len(path), maxShownPath)],
	})
}

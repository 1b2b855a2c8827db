package authn

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

const (
	maxShownPath = 1024
	howTo        = "Send the header Authorization: Bearer <token>. On the machine of the service, this makes one: metadata-service token create --actor NAME --name TEXT"
	howToStated  = "Leave the header out to act as the system"
)

// Middleware puts the actor into the context of each request, and answers 401
// to anonymous ones unless their path is open. Use it before all routes.
func (a *Authenticator) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			actor, err := a.Authenticate(r.Context(), r.Header)
			if err == nil {
				httpserver.SetActor(c, string(actor.URN))
				c.SetRequest(r.WithContext(auth.WithDecisionCache(auth.WithActor(r.Context(), actor))))
				return next(c)
			}
			path := r.URL.EscapedPath()
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

// refuse answers 401. A client tells by error="invalid_token" that its token
// went bad from not having sent one.
func (a *Authenticator) refuse(c echo.Context, path string, err error) error {
	challenge, help := "Bearer", howTo
	if !errors.Is(err, errAbsent) {
		challenge = `Bearer error="invalid_token"`
	}
	if !a.enabled {
		help = howToStated
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

// Package webui answers requests for pages.
//
// Every path that no other room knows is a page, as links into the user
// interface have paths of their own; what looks like a call of a program (under
// /api) or like a file of a build (under /assets) is not found. Pages carry a
// strict Content-Security-Policy, and all answers of the proxy carry the headers
// of Harden.
package webui

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

const placeholder = "placeholder.html"

// policy allows what comes from this server and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; object-src 'none'"

// never are the first parts of paths that are no pages.
var never = []string{"/api", "/assets", "/gms", "/openapi"}

// Handler serves pages. It is safe for concurrent use.
type Handler struct{ page []byte }

// New reads the pages from dist, which must hold the placeholder.
func New(dist fs.FS) (*Handler, error) {
	page, err := fs.ReadFile(dist, placeholder)
	if err != nil {
		return nil, fmt.Errorf("read the built pages: %w", err)
	}
	return &Handler{page: page}, nil
}

// Mount makes the pages answer what no other route does.
func (h *Handler) Mount(e *echo.Echo) {
	e.RouteNotFound("/*", h.serve)
}

func (h *Handler) serve(c echo.Context) error {
	if method := c.Request().Method; method != http.MethodGet && method != http.MethodHead {
		return echo.ErrNotFound
	}
	path := strings.ToLower(c.Request().URL.Path)
	for _, start := range never {
		if rest, ok := strings.CutPrefix(path, start); ok && (rest == "" || rest[0] == '/') {
			return echo.ErrNotFound
		}
	}
	return h.show(c)
}

func (h *Handler) show(c echo.Context) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Cache-Control", "no-store")
	return c.HTMLBlob(http.StatusOK, h.page)
}

// Harden sets the headers that make browsers careful. tls says that they reach
// us by TLS; then they are told to go on so.
func Harden(tls bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			header := c.Response().Header()
			header.Set("X-Content-Type-Options", "nosniff")
			header.Set("Referrer-Policy", "same-origin")
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
			header.Set("Permissions-Policy", "")
			if tls {
				header.Set("Strict-Transport-Security", "max-age=31536000")
			}
			return next(c)
		}
	}
}

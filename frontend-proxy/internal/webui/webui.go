// Package webui answers requests for pages.
//
// There is one page, at the root: it says what this build has. No other path that
// no other room knows is found; a browser that asks for one is shown the same
// page, as it tells where to go. Pages carry a strict Content-Security-Policy, and
// all answers of the proxy carry the headers of Harden.
package webui

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

const placeholder = "placeholder.html"

// contentSecurityPolicy allows what comes from this server and nothing else.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; object-src 'none'"

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

// Mount adds the page, and shows it to browsers that ask for what is not there.
func (h *Handler) Mount(e *echo.Echo) {
	page := func(c echo.Context) error { return h.writePage(c, http.StatusOK) }
	e.GET("/", page)
	e.HEAD("/", page)
	e.Pre(httpserver.RenderWith(h.render))
}

// render is for errors that no room has a form for.
func (h *Handler) render(c echo.Context, status int, err error) error {
	r := c.Request()
	if status == http.StatusNotFound && r.Method == http.MethodGet && strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML) {
		return h.writePage(c, status)
	}
	return httpserver.RenderJSON(c, status, err)
}

func (h *Handler) writePage(c echo.Context, status int) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", contentSecurityPolicy)
	header.Set("Cache-Control", "no-store")
	return c.HTMLBlob(status, h.page)
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

// Package explorer serves the GraphQL explorer: a page at /api/graphiql on which users write
// queries with completion and documentation, and run them against the server that serves the page.
//
// The page is built from frontend-proxy/web and embedded, so it loads nothing from other hosts. A
// build without it serves a text that says so, so the Go build needs no other tool chain.
//
// The page needs no authentication: it contains no data, and each query carries the credential of
// its sender. All addresses in it are relative to the page, so it works below any base path: it
// posts to graphql beside itself, and its files are at graphiql/<name>. File names contain a hash
// of the content, so browsers cache the files for ever; they never cache the page.
package explorer

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/webfiles"
)

// Path is the path of the page; its files are below.
const Path = "/api/graphiql"

const (
	page        = "graphiql.html"
	folder      = "graphiql"
	placeholder = "placeholder.txt"
	// slot is the placeholder in the page for the address of the sign-in page.
	slot = "SIGN-IN-ADDRESS"
)

// contentSecurityPolicy allows only resources of this server, except inline styles that the editor
// creates, and its icon font inside the style sheet.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// Handler serves the page and its files. It is safe for concurrent use.
type Handler struct {
	page  []byte // nil if the build has no explorer
	text  []byte // placeholder served instead of the page
	files *webfiles.Files
}

// New creates a Handler for a build as Built returns it. signIn is the address of the sign-in page
// relative to the page, or empty if there are no sessions; the page's own address is added to it as
// the parameter redirect_uri.
func New(built fs.FS, signIn string) (*Handler, error) {
	h := &Handler{}
	text, err := fs.ReadFile(built, page)
	if errors.Is(err, fs.ErrNotExist) {
		h.text, err = fs.ReadFile(built, placeholder)
	}
	if err != nil {
		return nil, fmt.Errorf("read the explorer's page: %w", err)
	}
	if h.text == nil {
		h.page = bytes.ReplaceAll(text, []byte(slot), []byte(html.EscapeString(signIn)))
	}
	if h.files, err = webfiles.New(built, folder); err != nil {
		return nil, err
	}
	return h, nil
}

// Mount adds the routes of the page and its files.
func (h *Handler) Mount(e *echo.Echo) {
	for path, answer := range map[string]echo.HandlerFunc{
		Path: h.servePage, Path + "/": trimSlash, Path + "/:name": h.file,
	} {
		e.Any(path, notAllowed)
		e.GET(path, answer)
		e.HEAD(path, answer)
	}
}

func (h *Handler) servePage(c echo.Context) error {
	harden(c)
	header := c.Response().Header()
	header.Set("Cache-Control", "no-store")
	if h.page == nil {
		return c.Blob(http.StatusNotFound, echo.MIMETextPlainCharsetUTF8, h.text)
	}
	header.Set("Content-Security-Policy", contentSecurityPolicy)
	return c.HTMLBlob(http.StatusOK, h.page)
}

// trimSlash redirects from the address with a trailing slash to the page. The target is relative
// because of base paths.
func trimSlash(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderLocation, "../"+strings.TrimPrefix(Path, "/api/"))
	return c.NoContent(http.StatusPermanentRedirect)
}

func (h *Handler) file(c echo.Context) error {
	harden(c)
	return h.files.Send(c, c.Param("name"))
}

// harden sets security headers. Page and files set them themselves, since not every server adds
// them in front of all routes.
func harden(c echo.Context) {
	header := c.Response().Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func notAllowed(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderAllow, "GET, HEAD")
	return echo.ErrMethodNotAllowed
}

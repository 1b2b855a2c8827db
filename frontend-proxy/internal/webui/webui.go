// Package webui serves the pages of the user interface.
//
// All pages share one HTML document: the script in it shows the page of the address. Browsers get
// it for every path that no other route handles, so that links into the catalog work. Each response
// has a new nonce and a strict Content-Security-Policy. Paths for programs, and files of older
// builds, never get the document. All responses of the proxy carry the headers of Harden.
//
// A build without pages serves a placeholder that says so.
package webui

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/webfiles"
)

const (
	index       = "index.html"
	placeholder = "placeholder.html"
	folder      = "assets"

	// Placeholders in the document that the server replaces.
	nonceSlot = "STYLE-NONCE"
	baseSlot  = "BASE-PATH"
)

// policy returns the Content-Security-Policy of pages. It allows resources of this server, and
// styles that the script creates with the nonce of the page.
func policy(nonce string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
		"frame-ancestors 'none'; object-src 'none'"
}

// forPrograms lists first segments of paths that are not pages, so that a program with a wrong
// address gets an error and not a document.
var forPrograms = map[string]bool{"api": true, "gms": true, "openapi": true, folder: true}

// Handler serves pages. It is safe for concurrent use.
type Handler struct {
	document  []byte
	built     bool
	files     *webfiles.Files
	rootFiles map[string]rootFile // files at the root
}

// rootFile is a file whose name contains no hash of its content.
type rootFile struct {
	content    []byte
	mime, etag string
}

// New reads the pages from dist, which must contain the placeholder. base is the path prefix for
// browsers, such as /catalog, or empty.
func New(dist fs.FS, base string) (*Handler, error) {
	document, err := fs.ReadFile(dist, index)
	built := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		document, err = fs.ReadFile(dist, placeholder)
	}
	if err != nil {
		return nil, fmt.Errorf("read the built pages: %w", err)
	}
	document = bytes.ReplaceAll(document, []byte(baseSlot), []byte(html.EscapeString(base)))
	document = bytes.ReplaceAll(document, []byte(`="./`), []byte(`="`+html.EscapeString(base)+`/`))
	h := &Handler{document: document, built: built, rootFiles: map[string]rootFile{}}
	if h.files, err = webfiles.New(dist, folder); err != nil {
		return nil, err
	}
	return h, h.readRootFiles(dist)
}

// Built reports whether the build contains the pages.
func (h *Handler) Built() bool { return h.built }

func (h *Handler) readRootFiles(dist fs.FS) error {
	entries, err := fs.ReadDir(dist, ".")
	if err != nil {
		return fmt.Errorf("list the built pages: %w", err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasPrefix(name, ".") || path.Ext(name) == ".html" {
			continue
		}
		content, err := fs.ReadFile(dist, name)
		if err != nil {
			return fmt.Errorf("read the built pages: %w", err)
		}
		sum := sha256.Sum256(content)
		h.rootFiles[name] = rootFile{content: content, mime: mime.TypeByExtension(path.Ext(name)), etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	return nil
}

// Mount adds the routes of the pages.
func (h *Handler) Mount(e *echo.Echo) {
	answers := map[string]echo.HandlerFunc{"/" + folder + "/:name": h.file}
	for _, page := range []string{"/", "/login", "/signup", "/reset"} {
		answers[page] = h.writePage
	}
	for name := range h.rootFiles {
		answers["/"+name] = h.writeBeside(name)
	}
	for at, answer := range answers {
		e.GET(at, answer)
		e.HEAD(at, answer)
	}
	e.Pre(httpserver.RenderWith(h.render))
}

func (h *Handler) file(c echo.Context) error { return h.files.Send(c, c.Param("name")) }

func (h *Handler) writeBeside(name string) echo.HandlerFunc {
	f := h.rootFiles[name]
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", f.etag)
		// The ETag of a compressed response is in the weak form.
		if strings.TrimPrefix(c.Request().Header.Get("If-None-Match"), "W/") == f.etag {
			return c.NoContent(http.StatusNotModified)
		}
		return c.Blob(http.StatusOK, f.mime, f.content)
	}
}

// render renders errors without a specific form. For an unknown path it serves the document, as the
// script may have a page for it.
func (h *Handler) render(c echo.Context, status int, err error) error {
	r := c.Request()
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if status == http.StatusNotFound && reads && !forPrograms[first] && strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML) {
		return h.writePage(c)
	}
	return httpserver.RenderJSON(c, status, err)
}

func (h *Handler) writePage(c echo.Context) error {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	nonce := base64.RawURLEncoding.EncodeToString(random[:])
	header := c.Response().Header()
	header.Set("Content-Security-Policy", policy(nonce))
	header.Set("Cache-Control", "no-store")
	return c.HTMLBlob(http.StatusOK, bytes.ReplaceAll(h.document, []byte(nonceSlot), []byte(nonce)))
}

// Harden sets security headers. tls is set if browsers reach the proxy by TLS; then a header
// requires TLS for later requests.
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

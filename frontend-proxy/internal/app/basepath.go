package app

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxBasePath limits the size of cookies, which contain the path.
const maxBasePath = 200

// basePath contains no characters that need an escape in an address: the path can be compared with
// that of requests as it is, and pages contain it as it is.
var basePath = regexp.MustCompile(`^(/[\w.~-]+)+$`)

func checkBasePath(text string) error {
	if text == "" {
		return nil
	}
	dots := slices.ContainsFunc(strings.Split(text, "/"), func(segment string) bool { return segment == "." || segment == ".." })
	if len(text) > maxBasePath || !basePath.MatchString(text) || dots {
		return fmt.Errorf("base_path must be a path such as /catalog, of letters, digits and -._~ between slashes, "+
			"without a slash at its end or a segment of dots, and at most %d bytes long; leave it out to serve at the root. Found %.100q", maxBasePath, text)
	}
	return nil
}

// below removes the base path from requests, so that routes do not depend on it, and answers
// requests outside of it. Health probes concern the program and not the site, so the health path
// also works at the root.
func below(base string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			// The router uses this URL value, so it is modified and not copied.
			address := c.Request().URL
			path := address.EscapedPath()
			rest, within := strings.CutPrefix(path, base)
			switch {
			case path == healthPath:
				return next(c)
			case within && strings.HasPrefix(rest, "/"):
				address.RawPath, address.Path = rest, address.Path[len(base):]
				return next(c)
			case within && rest == "" && isRead(c.Request().Method):
				address.Path, address.RawPath = base+"/", ""
				return c.Redirect(http.StatusPermanentRedirect, address.RequestURI())
			}
			return fault.New(fault.NotFound, "there is nothing at this path: everything is served below %s/", base)
		}
	}
}

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

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

// maxBasePath keeps cookies, which carry the path, small.
const maxBasePath = 200

// basePath has nothing that an address would need an escape for: what browsers send is
// what is compared, and pages hold it as it is.
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

// below takes the base path off requests, so that no route knows of it, and answers
// what is outside. A probe asks the program and not the site: health is told at the
// root, too.
func below(base string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			// The router reads this address, so it is changed and not copied.
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

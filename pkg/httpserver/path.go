package httpserver

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// PathParam is a parameter of the route, decoded once.
func PathParam(c echo.Context, name string) (string, error) {
	text, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "path parameter %s is not well encoded", name)
	}
	return text, nil
}

// EscapedRest is what stands in the place of the * at the end of the route,
// still escaped: cut it at slashes first and decode the parts with
// url.PathUnescape then, so that %2F stays inside its part.
func EscapedRest(c echo.Context) string { return c.Param("*") }

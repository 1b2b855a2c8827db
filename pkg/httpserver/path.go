package httpserver

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// PathParam returns a parameter of the route, decoded once. Invalid encoding is an error of kind
// fault.Malformed.
func PathParam(c echo.Context, name string) (string, error) {
	text, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "path parameter %s is not well encoded", name)
	}
	return text, nil
}

// EscapedRest returns the text matched by the * at the end of the route, still escaped: split it at
// slashes first and then decode the parts with url.PathUnescape, so that %2F stays inside its part.
func EscapedRest(c echo.Context) string { return c.Param("*") }

package rest

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Health is how the service is.
type Health struct {
	// Bootstrapped is set once the default data is in place, Ready while requests can be served.
	Bootstrapped, Ready bool
	// Search is green, yellow when projections lag or have failed, or red; Detail says why.
	Search, Detail string
	// Writes is green, or red while a storage takes no writes; WritesDetail says which and why.
	Writes, WritesDetail string
}

// ready says by its status alone whether requests can be served.
func (s *surface) ready(c echo.Context) error {
	if !s.Health().Ready {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.NoContent(http.StatusServiceUnavailable)
	}
	return c.NoContent(http.StatusOK)
}

func (s *surface) live(c echo.Context) error { return c.NoContent(http.StatusOK) }

func (s *surface) detailed(c echo.Context) error {
	h := s.Health()
	return c.JSON(http.StatusOK, map[string]any{
		"bootstrapped":         h.Bootstrapped,
		"elasticsearch":        h.Search,
		"elasticsearch_detail": h.Detail,
		"ready":                h.Ready,
		"timestamp":            s.Now().UnixMilli(),
		"writes":               h.Writes,
		"writes_detail":        h.WritesDetail,
	})
}

func (s *surface) up(c echo.Context) error { return c.JSON(http.StatusOK, true) }

func (s *surface) check(c echo.Context) error {
	if !s.Health().Ready {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.JSON(http.StatusServiceUnavailable, false)
	}
	return c.JSON(http.StatusOK, true)
}

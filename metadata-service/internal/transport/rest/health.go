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
	// Background is green, or yellow while a background projection has failed; BackgroundDetail
	// says which, and what each of them has missed.
	Background, BackgroundDetail string
	// Projections are all that follow the change log.
	Projections []Projection
}

// Projection is how one projection is. Counts are since the process started.
type Projection struct {
	Name     string `json:"name"`
	Awaited  bool   `json:"awaited"` // writes are answered when it has applied them
	State    string `json:"state"`   // green, or yellow while it does not go on
	Behind   uint64 `json:"behind"`
	Failures uint64 `json:"failures"`
	Panics   uint64 `json:"panics"`
	Skipped  uint64 `json:"skipped"`
	Lost     uint64 `json:"lost"`
}

// ready says by its status alone whether requests can be served.
func (s *handlers) ready(c echo.Context) error {
	if !s.Health().Ready {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.NoContent(http.StatusServiceUnavailable)
	}
	return c.NoContent(http.StatusOK)
}

func (s *handlers) live(c echo.Context) error { return c.NoContent(http.StatusOK) }

func (s *handlers) detailed(c echo.Context) error {
	h := s.Health()
	return c.JSON(http.StatusOK, map[string]any{
		"background":           h.Background,
		"background_detail":    h.BackgroundDetail,
		"bootstrapped":         h.Bootstrapped,
		"elasticsearch":        h.Search,
		"elasticsearch_detail": h.Detail,
		"projections":          append([]Projection{}, h.Projections...),
		"ready":                h.Ready,
		"timestamp":            s.Now().UnixMilli(),
		"writes":               h.Writes,
		"writes_detail":        h.WritesDetail,
	})
}

func (s *handlers) up(c echo.Context) error { return c.JSON(http.StatusOK, true) }

func (s *handlers) check(c echo.Context) error {
	if !s.Health().Ready {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.JSON(http.StatusServiceUnavailable, false)
	}
	return c.JSON(http.StatusOK, true)
}

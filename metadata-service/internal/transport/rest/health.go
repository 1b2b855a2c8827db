package rest

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Health is the state of the service.
type Health struct {
	// Bootstrapped is set once the default data exists, Ready while the service can process
	// requests.
	Bootstrapped, Ready bool
	// Search is green, yellow when projections lag or have failed, or red; Detail gives the
	// reason.
	Search, Detail string
	// Writes is green, or red while a storage accepts no writes; WritesDetail names the storage
	// and the reason.
	Writes, WritesDetail string
	// Background is green, or yellow while a background projection has failed; BackgroundDetail
	// names it, and the entries that each projection has missed.
	Background, BackgroundDetail string
	// Projections are all followers of the change log.
	Projections []Projection
}

// Projection is the state of one projection. Counts start with the process.
type Projection struct {
	Name     string `json:"name"`
	Awaited  bool   `json:"awaited"` // writes are answered after it has applied them
	State    string `json:"state"`   // green, or yellow while it makes no progress
	Behind   uint64 `json:"behind"`
	Failures uint64 `json:"failures"`
	Panics   uint64 `json:"panics"`
	Skipped  uint64 `json:"skipped"`
	Lost     uint64 `json:"lost"`
}

// ready reports by its status alone whether the service can process requests.
func (s *handlers) ready(c echo.Context) error {
	if !s.Health().Ready {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.NoContent(http.StatusServiceUnavailable)
	}
	return c.NoContent(http.StatusOK)
}

func (s *handlers) live(c echo.Context) error { return c.NoContent(http.StatusOK) }

func (s *handlers) healthDetails(c echo.Context) error {
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

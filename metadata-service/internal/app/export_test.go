package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// ProbeStorages does what the watchdog does at a tick.
func (a *App) ProbeStorages(ctx context.Context) { a.probeStorages(ctx, map[string]bool{}) }

// WritesHealth is the part of health that tells of writes.
func (a *App) WritesHealth() (state, detail string) {
	h := a.health()
	return h.Writes, h.WritesDetail
}

// OpenWith is Open with a background sink that is made of the catalog.
func OpenWith(ctx context.Context, cfg Config, log *slog.Logger, sink func(*catalog.Service) projection.BackgroundSink) (*App, error) {
	return open(ctx, cfg, "test", log, func(a *App) []projection.BackgroundSink { return []projection.BackgroundSink{sink(a.catalog)} })
}

// Log is the change log.
func (a *App) Log() store.Log { return a.drivers.store }

// AddProbe adds a path below the whole chain of handlers that asks for decisions and
// does nothing else.
func (a *App) AddProbe(path string, checks ...auth.Check) {
	a.server.Echo.GET(path, func(c echo.Context) error {
		if len(checks) > 0 {
			decisions, err := a.rights.Decide(c.Request().Context(), checks)
			if err := errors.Join(err, auth.Decisions(decisions).Err()); err != nil {
				return err
			}
		}
		return c.NoContent(http.StatusNoContent)
	})
}

// RunningFloor is what the garbage collector believes to be in use at least.
var RunningFloor = runningFloor

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

// ProbeStorages performs one tick of the watchdog.
func (a *App) ProbeStorages(ctx context.Context) { a.probeStorages(ctx, map[string]bool{}) }

// WritesHealth returns the part of health about writes.
func (a *App) WritesHealth() (state, detail string) {
	h := a.health()
	return h.Writes, h.WritesDetail
}

// OpenWith is Open with a background sink that is created from the catalog.
func OpenWith(ctx context.Context, cfg Config, log *slog.Logger, sink func(*catalog.Service) projection.BackgroundSink) (*App, error) {
	return open(ctx, cfg, "test", log, func(a *App) []projection.BackgroundSink { return []projection.BackgroundSink{sink(a.catalog)} })
}

// Log returns the change log.
func (a *App) Log() store.Log { return a.drivers.store }

// AddProbe adds a path, behind the whole chain of handlers, that only requests decisions.
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

// RunningFloor gives tests access to runningFloor.
var RunningFloor = runningFloor

package app

import (
	"context"
	"log/slog"

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

// RunningFloor is what the garbage collector believes to be in use at least.
var RunningFloor = runningFloor

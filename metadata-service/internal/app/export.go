package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/export"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/pkg/fault"
)

// CheckSelection returns the error that Export would return for an invalid selection.
func CheckSelection(selection export.Selection) error {
	registry, err := model.Load()
	if err != nil {
		return err
	}
	return selection.Check(registry)
}

// Export writes the metadata of a data directory to out, in the format of export.Write. No service
// may use the directory: in that case the error is of kind fault.Unavailable. Before the export the
// time series catch up with the change log, as at the start of a service.
func Export(ctx context.Context, cfg Config, selection export.Selection, progress export.Progress, out io.Writer, log *slog.Logger) (sum export.Summary, err error) {
	if _, err := os.Stat(filepath.Join(cfg.DataDir, datadir.RestoreFolder, datadir.RestoreMark)); err == nil {
		return sum, fault.New(fault.Precondition, "a restore to %s was interrupted or goes on; run metadata-service restore again, which finishes it", cfg.DataDir)
	}
	if _, err := os.Stat(filepath.Join(cfg.DataDir, datadir.StoreFile)); err != nil {
		return sum, noCatalog(err, cfg)
	}
	if err := datadir.CheckFormat(cfg.DataDir); err != nil {
		return sum, err
	}
	registry, err := model.Load()
	if err != nil {
		return sum, err
	}
	d := drivers{}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := errors.Join(d.openStore(ctx, &cfg), d.openTimeseries(&cfg)); err != nil {
		return sum, fmt.Errorf("open %s: %w", cfg.DataDir, err)
	}
	follower, err := projection.Start(ctx, projection.Config{Log: d.store, Now: time.Now, Logger: log, Awaited: []projection.Sink{seriessink.New(registry, d.documents)}})
	if err != nil {
		return sum, err
	}
	last, _ := d.store.Last()
	if err := errors.Join(follower.Wait(ctx, last), follower.Close()); err != nil {
		return sum, fmt.Errorf("bring the time series up to date: %w", err)
	}
	return export.Write(ctx, export.Config{Registry: registry, Rows: d.store, Documents: d.documents, Progress: progress}, selection, out)
}

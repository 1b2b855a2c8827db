package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// drivers are the opened ports.
type drivers struct {
	store     store.Store
	documents timeseries.Store
}

func openDrivers(ctx context.Context, dataDir string) (drivers, error) {
	const private = 0o700
	if err := os.MkdirAll(dataDir, private); err != nil {
		return drivers{}, err
	}
	st, err := bolt.OpenStore(ctx, filepath.Join(dataDir, "catalog.db"), bolt.StoreConfig{})
	if err != nil {
		return drivers{}, err
	}
	ts, err := bolt.OpenTimeseries(filepath.Join(dataDir, "timeseries"), bolt.TimeseriesConfig{})
	if err != nil {
		return drivers{}, errors.Join(err, st.Close())
	}
	return drivers{store: st, documents: ts}, nil
}

func (d drivers) close() error { return errors.Join(d.documents.Close(), d.store.Close()) }

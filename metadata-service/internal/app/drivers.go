package app

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// drivers are the opened ports.
type drivers struct {
	store     store.Store
	graph     graph.Reader
	documents timeseries.Store
	index     *roaring.Index
	storages  []storage
}

func openDrivers(ctx context.Context, dataDir string, registry *model.Registry, log *slog.Logger) (drivers, error) {
	st, err := bolt.OpenStore(ctx, filepath.Join(dataDir, datadir.StoreFile), bolt.StoreConfig{})
	if err != nil {
		return drivers{}, err
	}
	ts, err := bolt.OpenTimeseries(filepath.Join(dataDir, datadir.TimeseriesFolder), bolt.TimeseriesConfig{})
	if err != nil {
		return drivers{}, errors.Join(err, st.Close())
	}
	index, err := roaring.Open(roaring.Config{Path: filepath.Join(dataDir, datadir.SearchFolder), Schemas: document.Schemas(registry), Log: log})
	if err != nil {
		return drivers{}, errors.Join(err, ts.Close(), st.Close())
	}
	return drivers{store: st, graph: st, documents: ts, index: index, storages: []storage{
		{name: "store", state: st.Condition, probe: func(ctx context.Context) error { return st.SetPosition(ctx, probeFollower, 0) }},
		{name: "timeseries", state: ts.Condition},
		{name: "search", state: index.Condition},
	}}, nil
}

func (d drivers) close() error {
	return errors.Join(d.index.Close(context.Background()), d.documents.Close(), d.store.Close())
}

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Names of drivers in the configuration.
const (
	boltDriver    = "bolt"
	roaringDriver = "roaring"
)

// checkDrivers returns an error for each name that no case below opens.
func (c *Config) checkDrivers() []error {
	var problems []error
	for _, err := range []error{
		c.Store.check("store", boltDriver), DriverConfig{c.Timeseries.Driver}.check("timeseries", boltDriver), c.Search.check("search", roaringDriver),
	} {
		if err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// DriverConfig selects the driver of a port.
type DriverConfig struct {
	Driver string `config:"driver"`
}

// TimeseriesConfig selects the driver of the time series, and sets their retention.
type TimeseriesConfig struct {
	Driver string `config:"driver"`
	// Retention lists the days for which documents of a time series are kept, as
	// <entity type>.<aspect>=<days>. A daily task truncates older documents. Series without a rule
	// are kept forever.
	Retention []string `config:"retention" example:"[dataset.datasetProfile=730, dataset.datasetUsageStatistics=400]"`
	// FeaturesEvery is the period of the task that sums usage, operations and profiles of datasets
	// into the aspects usageFeatures and storageFeatures, which search, sorting and metadata tests
	// use. With 0 it runs on request only.
	FeaturesEvery time.Duration `config:"features_every"`
}

func (c TimeseriesConfig) rules() ([]ops.Retention, error) {
	rules := make([]ops.Retention, 0, len(c.Retention))
	for _, text := range c.Retention {
		r, err := ops.ParseRetention(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// check returns an error for a name that is not in the list.
func (c DriverConfig) check(port string, known ...string) error {
	if slices.Contains(known, c.Driver) {
		return nil
	}
	return fmt.Errorf("%s.driver: %q is not known; use one of %s", port, c.Driver, strings.Join(known, ", "))
}

// notImplemented returns the error of a port that has no case for a valid name.
func (c DriverConfig) notImplemented(port string) error {
	return fault.New(fault.Internal, "%s.driver: %q is known and nothing opens it", port, c.Driver)
}

// drivers holds the opened ports.
type drivers struct {
	store     store.Store
	graph     graph.Reader
	documents timeseries.Store
	index     indexing.Index
	storages  []storage
	// For backups; nil with other drivers.
	boltStore  *bolt.Store
	boltSeries *series.Store
	opened     []func() error // closers, in the order of opening
}

// openDrivers opens the ports with the configured drivers. A new driver needs a case here, its name
// in checkDrivers, and a line in deploy/config.
func openDrivers(ctx context.Context, cfg *Config, registry *model.Registry, log *slog.Logger) (drivers, error) {
	if problems := cfg.checkDrivers(); len(problems) > 0 {
		return drivers{}, errors.Join(problems...)
	}
	d := drivers{}
	for _, open := range []func() error{
		func() error { return d.openStore(ctx, cfg) },
		func() error { return d.openTimeseries(cfg) },
		func() error { return d.openSearch(cfg, registry, log) },
	} {
		if err := open(); err != nil {
			return drivers{}, errors.Join(err, d.close())
		}
	}
	return d, nil
}

// openStore opens the store and the graph, which share one file: edges are written in the
// transaction of their aspect.
func (d *drivers) openStore(ctx context.Context, cfg *Config) error {
	switch cfg.Store.Driver {
	case boltDriver:
		st, err := bolt.Open(ctx, filepath.Join(cfg.DataDir, datadir.StoreFile), bolt.Config{})
		if err != nil {
			return err
		}
		d.store, d.graph, d.boltStore = st, st, st
		d.opened = append(d.opened, st.Close)
		d.storages = append(d.storages, storage{
			name: "store", state: st.Condition, probe: func(ctx context.Context) error { return st.SetPosition(ctx, probeFollower, 0) },
		})
		return nil
	}
	return cfg.Store.notImplemented("store")
}

func (d *drivers) openTimeseries(cfg *Config) error {
	switch cfg.Timeseries.Driver {
	case boltDriver:
		ts, err := series.Open(filepath.Join(cfg.DataDir, datadir.TimeseriesFolder), series.Config{})
		if err != nil {
			return err
		}
		d.documents, d.boltSeries = ts, ts
		d.opened = append(d.opened, ts.Close)
		d.storages = append(d.storages, storage{name: "timeseries", state: ts.Condition})
		return nil
	}
	return DriverConfig{cfg.Timeseries.Driver}.notImplemented("timeseries")
}

// reserveSteps reserves the processor time of a search.
func reserveSteps(ctx context.Context, steps int) error {
	const perStep = 20 * time.Nanosecond
	return admission.Work(ctx, time.Duration(steps)*perStep)
}

func (d *drivers) openSearch(cfg *Config, registry *model.Registry, log *slog.Logger) error {
	switch cfg.Search.Driver {
	case roaringDriver:
		index, err := roaring.Open(roaring.Config{Path: filepath.Join(cfg.DataDir, datadir.SearchFolder), Schemas: document.Schemas(registry), Revision: document.Revision, Reserve: reserveSteps, Log: log})
		if err != nil {
			return err
		}
		d.index = index
		d.opened = append(d.opened, func() error { return index.Close(context.Background()) })
		d.storages = append(d.storages, storage{name: "search", state: index.Condition})
		return nil
	}
	return cfg.Search.notImplemented("search")
}

// close closes the ports, the last opened first.
func (d *drivers) close() error {
	var errs []error
	for _, closeOne := range slices.Backward(d.opened) {
		errs = append(errs, closeOne())
	}
	return errors.Join(errs...)
}

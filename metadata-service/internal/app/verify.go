package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Verify compares the search index and the graph with the store of a data directory. No service may
// use the directory. Before the comparison the index catches up with the log, as at the start of a
// service. If the index must be rebuilt, Verify rebuilds it, and the log reports that.
func Verify(ctx context.Context, cfg Config, log *slog.Logger) (indexing.Report, error) {
	if cfg.Store.Driver == boltDriver {
		if _, err := os.Stat(filepath.Join(cfg.DataDir, datadir.StoreFile)); err != nil {
			return indexing.Report{}, noCatalog(err, cfg)
		}
	}
	if err := datadir.CheckFormat(cfg.DataDir); err != nil {
		return indexing.Report{}, err
	}
	registry, err := model.Load()
	if err != nil {
		return indexing.Report{}, err
	}
	d, err := openDrivers(ctx, &cfg, registry, log)
	if err != nil {
		return indexing.Report{}, fmt.Errorf("open %s: %w", cfg.DataDir, err)
	}
	report, err := d.verify(ctx, registry, log)
	return report, errors.Join(err, d.close())
}

// Damage lists the problems in the files of a data directory, one line each.
type Damage struct {
	Read    []string // files read, damaged or not
	Catalog []string // problems of the store and the time series, which belong together
	Audit   []string // problems of the audit log, which affect no other file
	Tasks   []string // problems of the tasks, likewise
	Records []string // problems of webhooks and failed writes, likewise
}

// Inspect reads every page of the bbolt files in a data directory, every event of the audit log and
// every task. No service may use the directory.
func Inspect(ctx context.Context, cfg Config) (d Damage, err error) {
	files, err := boltFiles(cfg)
	if err != nil {
		return d, err
	}
	for _, file := range files {
		problems, err := bolt.Inspect(ctx, file)
		if errors.Is(err, fs.ErrNotExist) {
			return d, noCatalog(err, cfg)
		}
		if err != nil {
			return d, err
		}
		d.Catalog = append(d.Catalog, prefixed(file, problems)...)
		d.read(file)
	}
	for _, aside := range []struct {
		file    string
		inspect func(context.Context, string) ([]string, error)
		found   *[]string
	}{{datadir.AuditFile, trail.Inspect, &d.Audit}, {datadir.TasksFile, tasks.Inspect, &d.Tasks}, {datadir.RecordsFile, recordfile.Inspect, &d.Records}} {
		file := filepath.Join(cfg.DataDir, aside.file)
		problems, err := aside.inspect(ctx, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the audit log can be switched off, and earlier versions did not have all of these files
		}
		if err != nil {
			return d, err
		}
		*aside.found = prefixed(file, problems)
		d.read(file)
	}
	return d, nil
}

func (d *Damage) read(file string) {
	size := int64(0)
	if info, err := os.Stat(file); err == nil {
		size = info.Size()
	}
	d.Read = append(d.Read, fmt.Sprintf("read %s, %.1f MiB", file, float64(size)/(1<<20)))
}

func prefixed(file string, problems []string) []string {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = file + ": " + p
	}
	return lines
}

// boltFiles lists the files of the ports whose driver is bolt.
func boltFiles(cfg Config) (files []string, err error) {
	if cfg.Store.Driver == boltDriver {
		files = append(files, filepath.Join(cfg.DataDir, datadir.StoreFile))
	}
	if cfg.Timeseries.Driver != boltDriver {
		return files, nil
	}
	documents, err := filepath.Glob(filepath.Join(cfg.DataDir, datadir.TimeseriesFolder, "*.db"))
	return append(files, documents...), err
}

func noCatalog(err error, cfg Config) error {
	return fault.Wrap(err, fault.NotFound, "there is no catalog in %s; set data_dir to where the service keeps its data", cfg.DataDir)
}

func (d drivers) verify(ctx context.Context, registry *model.Registry, log *slog.Logger) (report indexing.Report, err error) {
	indexer, err := indexing.New(ctx, indexing.Config{
		Registry: registry, Store: d.store, Graph: d.graph, Index: d.index, Now: time.Now, Log: log,
	})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, indexer.Close()) }()
	p, err := projection.Start(ctx, projection.Config{Log: d.store, Now: time.Now, Logger: log, Awaited: []projection.Sink{indexer}})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	last, _ := d.store.Last()
	if err := errors.Join(indexer.Settle(ctx), p.Wait(ctx, last)); err != nil {
		return report, fmt.Errorf("bring the search index up to date: %w", err)
	}
	return indexer.Verify(ctx)
}

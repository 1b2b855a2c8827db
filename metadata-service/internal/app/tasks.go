package app

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// openTasks creates the task manager, before the services that register their task kinds.
func (a *App) openTasks(context.Context) error {
	path := filepath.Join(a.cfg.DataDir, datadir.TasksFile)
	store := task.Deferred(func() (task.Store, error) {
		return a.files.openTasks(tasks.Config{Path: path, Now: a.now, Log: a.log})
	})
	a.tasks = task.New(task.Config{Store: store, MayAct: a.mayAct(), Tracer: a.tracer, Now: a.now, Log: a.log})
	a.close = append(a.close, a.tasks.Close)
	a.watchStorages(storage{name: "tasks", state: a.tasks.Condition, background: true, probe: a.tasks.Probe})
	return nil
}

// openHistory reads the history of sizes and backups.
func (a *App) openHistory(context.Context) (err error) {
	a.history, err = history.Open(filepath.Join(a.cfg.DataDir, datadir.HistoryFile), a.now(), a.log)
	return err
}

// keepSizes starts to record the sizes of the time series.
func (a *App) keepSizes(ctx context.Context) error {
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const interval = 30 * time.Second
	tick := time.NewTicker(interval)
	sizes := background.NewGroup(a.log)
	sizes.Go("sizes of time series", func() error { return a.operations.KeepSizes(running, tick.C) })
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		sizes.Wait()
		return nil
	})
	return nil
}

// beginTasks starts the tasks, once all parts that they use run. Tasks are stopped before these
// parts; closing the manager more than once, as after a failed start, is allowed. If the disk is
// full, the service starts without tasks, which begin once there is space.
func (a *App) beginTasks(ctx context.Context) error {
	a.close = append(a.close, a.tasks.Close)
	err := a.tasks.Begin(ctx)
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "started without tasks, which begin when there is room on the disk", "error", err)
		return nil
	}
	return err
}

// mayAct returns a check that refuses users who are suspended or deleted, as authentication does.
// It returns nil if authentication is off.
func (a *App) mayAct() func(context.Context, urn.URN) error {
	if !a.cfg.Auth.Enabled {
		return nil
	}
	return func(ctx context.Context, u urn.URN) error {
		reason, err := a.accounts.Status(ctx, u)
		if err != nil || reason.MayAct() {
			return err
		}
		return &account.DeniedError{User: u, Reason: reason}
	}
}

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

// openTasks makes what runs long tasks, before the services that register their kinds.
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

// openHistory reads what is known of sizes and backups.
func (a *App) openHistory(context.Context) (err error) {
	a.history, err = history.Open(filepath.Join(a.cfg.DataDir, datadir.HistoryFile), a.now(), a.log)
	return err
}

// keepSizes begins to write down what the time series take.
func (a *App) keepSizes(ctx context.Context) error {
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const look = 30 * time.Second
	tick := time.NewTicker(look)
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

// beginTasks lets tasks run, once everything that they work with does. They are stopped
// before that ends; closing the manager again, as when a start fails, is fine. Without
// room on the disk the service starts without tasks, and they begin when there is room.
func (a *App) beginTasks(ctx context.Context) error {
	a.close = append(a.close, a.tasks.Close)
	err := a.tasks.Begin(ctx)
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "started without tasks, which begin when there is room on the disk", "error", err)
		return nil
	}
	return err
}

// mayAct refuses users who are suspended or gone, as authentication does; without it
// nobody has to be a user.
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

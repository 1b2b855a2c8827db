package app

import (
	"context"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/pkg/urn"
)

// awaitedSinks lists the projections that writers wait for, because the next read depends on them.
// A new one is a line here.
func (a *App) awaitedSinks(ctx context.Context) ([]projection.Sink, error) {
	if err := a.retention.Load(ctx); err != nil {
		return nil, err
	}
	if err := a.rights.Load(ctx); err != nil {
		return nil, err
	}
	users := listener{name: "accounts", changed: []func(urn.URN, string){a.accounts.Changed, func(u urn.URN, aspect string) {
		if a.tokens != nil {
			a.tokens.Changed(u, aspect)
		}
	}}}
	return []projection.Sink{
		seriessink.New(a.registry, a.drivers.documents),
		a.retention,
		discover.NewRemovalSink(a.discover),
		users,
		a.denylist,
		a.rights,
		a.indexer,
	}, nil
}

// backgroundSinks lists the projections that no writer waits for. They start when the service is
// complete, and act as the system. A new one is a line here.
func (a *App) backgroundSinks() []projection.BackgroundSink {
	sinks := []projection.BackgroundSink{a.testing, metatest.NewWebhooks(a.tests, a.drivers.store)}
	if a.audit != nil {
		sinks = append(sinks, audit.NewSink(a.audit))
	}
	return sinks
}

// follow starts the projections and waits until the awaited ones have caught up with the log. A
// projection that fails to catch up does not prevent the start: it would keep the service down
// until its cause is fixed, although all other parts work. It is retried, and health reports it.
func (a *App) follow(ctx context.Context, background []projection.BackgroundSink) error {
	awaited, err := a.awaitedSinks(ctx)
	if err != nil {
		return err
	}
	p, err := projection.Start(ctx, projection.Config{
		Log: a.drivers.store, Now: a.now, Logger: a.log, Awaited: awaited, Background: background, Identify: asSystem,
		Limits: projection.Limits{
			Keep: a.cfg.ChangeLog.Keep, MaxLagAge: a.cfg.ChangeLog.MaxLagAge, MaxLagEntries: uint64(a.cfg.ChangeLog.MaxLagEntries),
		},
	})
	if err != nil {
		return err
	}
	a.close = append(a.close, p.Close)
	a.follower.started.Store(p)
	a.metrics.Projections(p.Status)
	last, _ := a.drivers.store.Last()
	if err := p.Wait(ctx, last); err != nil && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "started before the projections caught up; the data of a failing projection is out of date", "error", err)
	}
	return ctx.Err()
}

// beginBackground starts the background sinks.
func (a *App) beginBackground(ctx context.Context) error {
	a.follower.started.Load().BeginBackground(ctx)
	return nil
}

// follower is a placeholder until the projection follower exists: the catalog needs a follower to
// wait for, and the sinks need the catalog.
type follower struct {
	started atomic.Pointer[projection.Follower]
}

// WaitFor implements catalog.Follower.
func (f *follower) WaitFor(ctx context.Context, sequence uint64, own []store.Entry, kinds ...store.EntryKind) error {
	if p := f.started.Load(); p != nil {
		return p.WaitFor(ctx, sequence, own, kinds...)
	}
	return nil
}

// Wait waits like WaitFor, for all projections without kinds.
func (f *follower) Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error {
	if p := f.started.Load(); p != nil {
		return p.Wait(ctx, sequence, kinds...)
	}
	return nil
}

// Lag implements system.Consumers.
func (f *follower) Lag() []system.ConsumerLag {
	p := f.started.Load()
	if p == nil {
		return nil
	}
	lags := p.Status()
	out := make([]system.ConsumerLag, len(lags))
	for i, l := range lags {
		out[i] = system.ConsumerLag{Name: l.Sink, Timeseries: l.Sink == "timeseries", Position: l.Position, Lag: l.Behind}
	}
	return out
}

// listener notifies caches of the process of changes.
type listener struct {
	name    string
	changed []func(u urn.URN, aspect string)
}

func (l listener) Name() string  { return l.name }
func (l listener) Durable() bool { return false }

// Apply implements projection.Sink.
func (l listener) Apply(_ context.Context, entries []store.Entry) error {
	for _, e := range entries {
		switch e.Kind {
		case store.Touched, store.Document, store.DocumentsErased, store.Message:
			continue
		}
		for _, changed := range l.changed {
			changed(e.URN, e.Aspect)
		}
	}
	return nil
}

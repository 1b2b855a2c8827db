package app

import (
	"context"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/pkg/urn"
)

// follower stands for the projection follower before there is one: the catalog
// needs something to wait for, the sinks need the catalog.
type follower struct {
	started atomic.Pointer[projection.Follower]
}

// Wait implements catalog.Follower.
func (f *follower) Wait(ctx context.Context, sequence uint64) error {
	if p := f.started.Load(); p != nil {
		return p.Wait(ctx, sequence)
	}
	return nil
}

// Lag implements openapi.Consumers.
func (f *follower) Lag() []openapi.ConsumerLag {
	p := f.started.Load()
	if p == nil {
		return nil
	}
	lags := p.Status()
	out := make([]openapi.ConsumerLag, len(lags))
	for i, l := range lags {
		out[i] = openapi.ConsumerLag{Name: l.Sink, Timeseries: l.Sink == "timeseries", Position: l.Position, Lag: l.Behind}
	}
	return out
}

// listener tells memories of the process about changes.
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
		case store.Touched, store.Document, store.DocumentsErased:
			continue
		}
		for _, changed := range l.changed {
			changed(e.URN, e.Aspect)
		}
	}
	return nil
}

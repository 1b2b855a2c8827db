// Package bootstrap brings a catalog to what this version of the service expects
// before anybody is served: default data, values and edges that earlier versions
// stored differently, secrets that were stored open, terms of rules that are
// new, and what a process that was killed left half done. Each step is done once
// in the life of a catalog, page by page, and goes on where it was interrupted.
package bootstrap

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Config is what a Service works with. All fields are required.
type Config struct {
	Catalog *catalog.Service
	Store   store.Store
	Graph   graph.Reader
	Now     func() time.Time
	Log     *slog.Logger
}

// Service brings a catalog up to date. Its steps run one after the other.
type Service struct {
	Config
	registry *model.Registry
}

// New makes a Service.
func New(cfg Config) *Service { return &Service{cfg, cfg.Catalog.Registry} }

// asSystem is a context in which the service itself acts.
func asSystem(ctx context.Context) context.Context {
	return auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
}

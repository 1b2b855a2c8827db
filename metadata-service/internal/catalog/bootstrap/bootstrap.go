// Package bootstrap brings a catalog to the state that this version of the service expects, before
// the service accepts requests: default data, values and edges that earlier versions stored
// differently, secrets stored in clear, terms of new rules, and unfinished work of a killed
// process. Each step runs once in the life of a catalog, page by page, and continues where it was
// interrupted.
//
// Upgrades are recorded in the catalog. An entity of type dataHubUpgrade holds the state of each
// upgrade and the last processed entity. It is written with the corrections of up to 500 entities,
// so an interrupted upgrade continues. Corrections that are not part of that write (edges) may be
// repeated without harm. Corrected values are ordinary writes: the search index follows them, and
// the history shows them.
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

// Config holds the dependencies of a Service. All fields are required.
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

// New returns a Service.
func New(cfg Config) *Service { return &Service{cfg, cfg.Catalog.Registry} }

// asSystem returns a context in which the service itself is the actor.
func asSystem(ctx context.Context) context.Context {
	return auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
}

// Package discover finds metadata: search, completions, facets, browsing, lists
// and counts, relationships and lineage.
//
// It stands above the kernel, package catalog, and reads what is stored through
// it; the search index and the graph it reads by their ports. The kernel knows
// nothing of it. Everything found is held against what the actor may see, so that
// pages, totals and facets tell of nothing else. It writes nothing.
package discover

import (
	"context"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Config is what a Service works with. All fields but Names and Work are required.
type Config struct {
	Catalog *catalog.Service
	Index   search.Index
	Graph   graph.Reader
	// Names makes lineage, and searches that ask for it, show what the actor may not view as
	// restricted entities. Without it they leave it out.
	Names catalog.Names
	// Work waits until a request may spend so much more processor time; nil for no bound.
	Work func(ctx context.Context, d time.Duration) error
}

// Service finds metadata. It is safe for concurrent use.
type Service struct {
	Config
	fields   *fieldIndex
	lineage  *lineage.Map
	removals *removals
}

// New makes a Service.
func New(cfg Config) *Service {
	return &Service{
		Config: cfg, fields: newFieldIndex(cfg.Catalog.Registry), lineage: lineage.NewMap(cfg.Catalog.Registry),
		removals: &removals{types: map[string]*removedType{}},
	}
}

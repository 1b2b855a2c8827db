// Package discover finds metadata: search, completions, facets, browsing, lists and counts,
// relationships and lineage.
//
// It is above the kernel, package catalog, and reads stored data through it; it accesses the search
// index and the graph by their ports. The kernel does not depend on it. It checks all results
// against the visibility of the actor, so that pages, totals and facets reveal nothing else. It
// writes nothing.
package discover

import (
	"context"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Config holds the dependencies of a Service. All fields are required except Names and Work.
type Config struct {
	Catalog *catalog.Service
	Index   search.Index
	Graph   graph.Reader
	// Names makes lineage, and searches that request it, show entities that the actor may not view
	// as restricted entities. Without it they are left out.
	Names catalog.Names
	// Work waits until a request may spend the given additional processor time; nil means no bound.
	Work func(ctx context.Context, d time.Duration) error
}

// Service finds metadata. It is safe for concurrent use.
type Service struct {
	Config
	fields   *fieldIndex
	lineage  *lineage.Map
	removals *removals
}

// New returns a Service.
func New(cfg Config) *Service {
	return &Service{
		Config: cfg, fields: newFieldIndex(cfg.Catalog.Registry), lineage: lineage.NewMap(cfg.Catalog.Registry),
		removals: &removals{types: map[string]*removedType{}},
	}
}

package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The reads in this file are for packages above the kernel that decide something from stored data,
// such as package discover. They check no authorization and mask nothing: callers must not return
// their results to clients unchanged.

// Latest returns the latest rows in the order of the keys, nil for absent ones.
func (s *Service) Latest(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	return s.Store.Get(ctx, keys...)
}

// Lookup returns the entities with a term of the rules, at most 1000.
func (s *Service) Lookup(ctx context.Context, t rule.Term) ([]urn.URN, error) {
	return s.Store.Lookup(ctx, t, "", 0)
}

// Scan lists a page of the URNs that have rows, in byte order.
func (s *Service) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	return s.Store.Scan(ctx, q)
}

// FindDocuments lists documents of a time series.
func (s *Service) FindDocuments(ctx context.Context, of Series, q timeseries.Query) ([]timeseries.Document, error) {
	return s.Documents.Find(ctx, of.Index(), q)
}

// LatestDocuments returns the newest document of a time series for each entity that has one.
func (s *Service) LatestDocuments(ctx context.Context, of Series, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	return s.Documents.Latest(ctx, of.Index(), urns)
}

// Count counts the entities of a type, soft-deleted ones included.
func (s *Service) Count(ctx context.Context, entityType string) (int, error) {
	return s.Store.Count(ctx, entityType)
}

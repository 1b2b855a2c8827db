package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Plain reads are for packages above the kernel that decide something by what is
// stored, such as package discover. They ask no authorizer and mask nothing:
// what they give is never shown to callers as it is.

// Latest gives the latest rows in the order of the keys, nil for what is absent.
func (s *Service) Latest(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	return s.Store.Get(ctx, keys...)
}

// Lookup gives the entities that make a term of the rules, at most 1000 of them.
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

// LatestDocuments gives of each entity the newest document of a time series, absent ones left out.
func (s *Service) LatestDocuments(ctx context.Context, of Series, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	return s.Documents.Latest(ctx, of.Index(), urns)
}

// Count counts the entities of a type, soft-deleted ones included.
func (s *Service) Count(ctx context.Context, entityType string) (int, error) {
	return s.Store.Count(ctx, entityType)
}

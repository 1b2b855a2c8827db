package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reserveAspects reserves memory for the latest values of aspects, of all aspects if none is named.
// times is the number of copies of each entity in the answer. It fails with fault.TooLarge if the
// answer has more than most bytes; zero means no bound.
func (s *Service) reserveAspects(ctx context.Context, urns []urn.URN, times map[urn.URN]int, names []string, most int64) error {
	if s.Reserve == nil && most == 0 || len(urns) == 0 {
		return nil
	}
	sizes, err := s.Store.AspectSizes(ctx, urns, names...)
	if err != nil {
		return err
	}
	answered := int64(0)
	for i, u := range urns {
		answered += sizes[i] * int64(times[u])
	}
	if most > 0 && answered > most {
		return fault.New(fault.TooLarge, "the aspects have %d MiB, and one answer takes %d more at most; ask for fewer entities or aspects", answered>>20, most>>20)
	}
	if s.Reserve == nil {
		return nil
	}
	return s.Reserve(ctx, sum(sizes))
}

// reserveRows reserves memory for the largest of some rows of an aspect.
func (s *Service) reserveRows(ctx context.Context, key store.Key, rows ...int64) error {
	if s.Reserve == nil {
		return nil
	}
	sizes, err := s.Store.RowSizes(ctx, key, rows...)
	if err != nil {
		return err
	}
	return s.Reserve(ctx, slices.Max(sizes))
}

// reserveHistory reserves memory for the two largest of the newest versions of an aspect.
func (s *Service) reserveHistory(ctx context.Context, key store.Key, limit int) error {
	if s.Reserve == nil {
		return nil
	}
	rows, err := s.Store.Rows(ctx, key)
	if err != nil {
		return err
	}
	sizes, err := s.Store.RowSizes(ctx, key, append(rows[max(0, len(rows)-limit):], 0)...)
	if err != nil {
		return err
	}
	slices.Sort(sizes)
	return s.Reserve(ctx, sum(sizes[max(0, len(sizes)-2):]))
}

func sum(sizes []int64) (bytes int64) {
	for _, n := range sizes {
		bytes += n
	}
	return bytes
}

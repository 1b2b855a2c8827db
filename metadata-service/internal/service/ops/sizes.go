package ops

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// IndexSize is the size of an index of the time series. The names of entity type and aspect
// are those in the name of the index, in lower case; they are absent where it has others.
type IndexSize struct {
	IndexName  string  `json:"indexName"`
	EntityName string  `json:"entityName,omitempty"`
	AspectName string  `json:"aspectName,omitempty"`
	SizeMb     float64 `json:"sizeMb"`
	SizeInMb   float64 `json:"sizeInMb"` // the same; clients of different times read one or the other
}

// megabyte is what sizes are told in.
const megabyte = 1_000_000

// IndexSizes lists the indices of the time series with what they take on the disk, the largest
// first. It asks for auth.GetTimeseriesSizes or auth.ManageSystem.
func (s *Service) IndexSizes(ctx context.Context) ([]IndexSize, error) {
	sizes, err := s.Catalog.SeriesSizes(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sizes, func(a, b timeseries.Size) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Index, b.Index))
	})
	list := make([]IndexSize, len(sizes))
	for i, z := range sizes {
		mb := float64(z.Bytes) / megabyte
		list[i] = IndexSize{IndexName: z.Index, SizeMb: mb, SizeInMb: mb}
		list[i].EntityName, list[i].AspectName = namesIn(z.Index)
	}
	return list, nil
}

// namesIn are the names of entity type and aspect in the name of an index; empty where it has others.
func namesIn(index string) (entity, aspect string) {
	entity, rest, ok := strings.Cut(index, "_")
	if aspect, found := strings.CutSuffix(rest, "aspect_v1"); ok && found {
		return entity, aspect
	}
	return "", ""
}

package ops

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// IndexSize is the size of a time-series index. EntityName and AspectName are taken from the index
// name, in lower case; they are empty for index names of another form.
type IndexSize struct {
	IndexName  string  `json:"indexName"`
	EntityName string  `json:"entityName,omitempty"`
	AspectName string  `json:"aspectName,omitempty"`
	SizeMb     float64 `json:"sizeMb"`
	SizeInMb   float64 `json:"sizeInMb"` // same value; clients of different versions read one or the other
}

// megabyte is the unit of sizes, in bytes.
const megabyte = 1_000_000

// IndexSizes lists the time-series indices with their disk usage, largest first. It requires
// auth.GetTimeseriesSizes or auth.ManageSystem.
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

// namesIn returns the entity type and the aspect in the name of an index, or empty texts for names
// of another form.
func namesIn(index string) (entity, aspect string) {
	entity, rest, ok := strings.Cut(index, "_")
	if aspect, found := strings.CutSuffix(rest, "aspect_v1"); ok && found {
		return entity, aspect
	}
	return "", ""
}

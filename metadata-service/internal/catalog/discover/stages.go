package discover

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

const (
	stageEntity = "lifecycleStageType"
	stageInfo   = "lifecycleStageTypeInfo"
)

// hiddenStages lists the lifecycle stages whose entities searches of any of the types do not show.
// There are few stages, so they are read each time.
func (s *Service) hiddenStages(ctx context.Context, types []string) ([]string, error) {
	urns, err := s.Catalog.Scan(ctx, store.Scan{Type: stageEntity})
	if err != nil || len(urns) == 0 {
		return nil, err
	}
	keys := make([]store.Key, len(urns))
	for i, u := range urns {
		keys[i] = store.Key{URN: u, Aspect: stageInfo}
	}
	records, err := s.Catalog.Latest(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var hidden []string
	for _, rec := range records {
		if rec == nil {
			continue
		}
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, err
		}
		if hidesTypes(value, types) {
			hidden = append(hidden, string(rec.URN))
		}
	}
	return hidden, nil
}

func hidesTypes(stage model.Object, types []string) bool {
	if !jsontree.Bool(jsontree.Child(stage, "settings"), "hideInSearch") {
		return false
	}
	of := jsontree.Texts(stage, "entityTypes")
	return len(of) == 0 || slices.ContainsFunc(of, func(name string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return search.TypeName(t) == search.TypeName(name) })
	})
}

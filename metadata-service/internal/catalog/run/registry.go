package run

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RollbackRegistry removes all versions written under a model registry, named "name:version". It
// requires auth.ManageSystem. A malformed name is fault.Malformed. It works page by page, one
// transaction per page of entities with matches.
func (s *Service) RollbackRegistry(ctx context.Context, registry string, o Options) (Result, error) {
	if err := s.kernel.Permit(ctx, auth.ForPlatform(auth.ManageSystem)); err != nil {
		return Result{}, err
	}
	name, version, ok := strings.Cut(registry, ":")
	if !ok || name == "" {
		return Result{}, fault.New(fault.Malformed, "registryId must be name:version, is %q", registry)
	}
	r := rollback{Service: s, options: o, match: func(rec *model.Record) bool {
		return rec.System.RegistryName == name && rec.System.RegistryVersion == version
	}}
	after := urn.URN("")
	next := func() ([]store.Key, error) {
		for {
			page, err := s.store.Scan(ctx, store.Scan{After: after})
			if err != nil || len(page) == 0 {
				return nil, err
			}
			after = page[len(page)-1]
			all, err := s.store.Aspects(ctx, page)
			if err != nil {
				return nil, err
			}
			if keys := matchingKeys(all, r.match); len(keys) > 0 {
				return keys, nil
			}
		}
	}
	err := r.run(ctx, next)
	return r.result, err
}

func matchingKeys(entities [][]model.Record, match func(*model.Record) bool) []store.Key {
	var keys []store.Key
	for _, records := range entities {
		for i := range records {
			if match(&records[i]) {
				keys = append(keys, records[i].Key())
			}
		}
	}
	return keys
}

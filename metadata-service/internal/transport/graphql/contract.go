package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/contract"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// UpsertDataContract writes the contract of a dataset.
func (m *mutation) UpsertDataContract(ctx context.Context, args gqltype.UpsertDataContractArgs) (*gqltype.DataContract, error) {
	in := args.Input
	u, err := m.api.Contracts.Upsert(ctx, value(args.Urn), contract.Draft{
		Dataset: in.EntityUrn, ID: value(in.Id), State: in.State,
		Freshness:   mapList(in.Freshness, func(c gqltype.FreshnessContractInput) string { return c.AssertionUrn }),
		Schema:      mapList(in.Schema, func(c gqltype.SchemaContractInput) string { return c.AssertionUrn }),
		DataQuality: mapList(in.DataQuality, func(c gqltype.DataQualityContractInput) string { return c.AssertionUrn }),
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataContract {
		return l.DataContract(u, selectionOf(ctx, "upsertDataContract"))
	})
}

// mapList converts the elements of a list. It returns nil for an absent list.
func mapList[T, R any](list *[]T, of func(T) R) []R {
	if list == nil {
		return nil
	}
	out := make([]R, 0, len(*list))
	for _, e := range *list {
		out = append(out, of(e))
	}
	return out
}

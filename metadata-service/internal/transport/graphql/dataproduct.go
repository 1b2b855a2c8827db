package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ListDataProductAssets searches the assets of a data product.
func (q *query) ListDataProductAssets(ctx context.Context, args gqltype.ListDataProductAssetsArgs) (*gqltype.SearchResults, error) {
	u, err := q.api.entityURN("urn", args.Urn, collection.DataProductType)
	if err != nil {
		return nil, err
	}
	return q.api.productAssets(ctx, u, args.Input, selectionOf(ctx, "listDataProductAssets"))
}

// productAssets searches the assets that the data product lists. It does not use the copies of
// this relation on the assets: writers that bypass the service may omit them.
func (a *api) productAssets(ctx context.Context, u urn.URN, in gqltype.SearchAcrossEntitiesInput, w *set) (*gqltype.SearchResults, error) {
	q, err := a.toQuery(ctx, searchRequestOf(in))
	if err != nil {
		return nil, err
	}
	assets, err := readWithinBudget(ctx, 1, func(assets []urn.URN) int { return len(assets) }, func() ([]urn.URN, error) { return a.DataProducts.Assets(ctx, u) })
	if err != nil {
		return nil, err
	}
	if len(assets) == 0 {
		return &gqltype.SearchResults{
			Start: int32(q.From), Count: int32(q.Size), SearchResults: []*gqltype.SearchResult{}, Facets: &[]*gqltype.FacetMetadata{},
		}, nil
	}
	restrictTo(&q, "urn", assets...)
	return a.searchResults(ctx, q, w)
}

// BulkEntityDataProducts returns the data products of each given asset, in the order of the
// input.
func (q *query) BulkEntityDataProducts(ctx context.Context, args gqltype.BulkEntityDataProductsArgs) (*gqltype.BulkEntityDataProductsResult, error) {
	if len(args.Input.Urns) > maxURNs {
		return nil, fault.New(fault.TooLarge, "urns: %d entries, at most %d are allowed", len(args.Input.Urns), maxURNs)
	}
	urns := make([]urn.URN, 0, len(args.Input.Urns))
	for _, text := range args.Input.Urns {
		u, err := q.api.urnArgument("urns", text)
		if err != nil {
			return nil, err
		}
		urns = append(urns, u)
	}
	found, err := q.api.DataProducts.Of(ctx, urns)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "bulkEntityDataProducts").Of("BulkEntityDataProductsResult")["entities"].
		Of("EntityDataProducts")["dataProductAssociations"].Of("EntityDataProductAssociation")["dataProduct"]
	return build(ctx, q.api, func(l *loader) *gqltype.BulkEntityDataProductsResult {
		out := &gqltype.BulkEntityDataProductsResult{Entities: []*gqltype.EntityDataProducts{}}
		for i, u := range urns {
			row := &gqltype.EntityDataProducts{Urn: string(u), DataProductAssociations: []*gqltype.EntityDataProductAssociation{}}
			for _, m := range found[i] {
				row.DataProductAssociations = append(row.DataProductAssociations, &gqltype.EntityDataProductAssociation{
					DataProduct: l.DataProduct(m.Product, want), IsOutputPort: m.OutputPort,
				})
			}
			out.Entities = append(out.Entities, row)
		}
		return out
	})
}

// CreateDataProduct creates a data product.
func (m *mutation) CreateDataProduct(ctx context.Context, args gqltype.CreateDataProductArgs) (*gqltype.DataProduct, error) {
	in := args.Input
	u, err := m.api.DataProducts.Create(ctx, collection.Draft{
		ID: value(in.Id), Name: in.Properties.Name, Description: in.Properties.Description, Domain: in.DomainUrn, Parent: value(in.Properties.ParentDataProduct),
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataProduct { return l.DataProduct(u, selectionOf(ctx, "createDataProduct")) })
}

// UpdateDataProduct updates a data product.
func (m *mutation) UpdateDataProduct(ctx context.Context, args gqltype.UpdateDataProductArgs) (*gqltype.DataProduct, error) {
	u, err := m.api.entityURN("urn", args.Urn, collection.DataProductType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	if err := m.api.DataProducts.Update(ctx, u, collection.Revision{Name: in.Name, Description: in.Description, Parent: in.ParentDataProduct}); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataProduct { return l.DataProduct(u, selectionOf(ctx, "updateDataProduct")) })
}

// DeleteDataProduct deletes a data product permanently.
func (m *mutation) DeleteDataProduct(ctx context.Context, args gqltype.DeleteDataProductArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, collection.DataProductType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.DataProducts.Delete(ctx, u))
}

// MoveDataProduct moves a data product below another one, or to the top level.
func (m *mutation) MoveDataProduct(ctx context.Context, args gqltype.MoveDataProductArgs) (*bool, error) {
	u, err := m.api.entityURN("resourceUrn", args.Input.ResourceUrn, collection.DataProductType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.DataProducts.Update(ctx, u, collection.Revision{Parent: ptr(value(args.Input.ParentDataProduct))}))
}

// BatchSetDataProduct replaces the data products of assets by one, or by none.
func (m *mutation) BatchSetDataProduct(ctx context.Context, args gqltype.BatchSetDataProductArgs) (*bool, error) {
	var u urn.URN
	if args.Input.DataProductUrn != nil {
		var err error
		if u, err = m.api.entityURN("dataProductUrn", *args.Input.DataProductUrn, collection.DataProductType); err != nil {
			return nil, err
		}
	}
	return trueResult(m.api.DataProducts.Set(ctx, u, args.Input.ResourceUrns))
}

// BatchAddToDataProducts adds assets to data products.
func (m *mutation) BatchAddToDataProducts(ctx context.Context, args gqltype.BatchAddToDataProductsArgs) (*bool, error) {
	return trueResult(m.api.DataProducts.Add(ctx, args.Input.DataProductUrns, args.Input.ResourceUrns))
}

// BatchRemoveFromDataProducts removes assets from data products.
func (m *mutation) BatchRemoveFromDataProducts(ctx context.Context, args gqltype.BatchRemoveFromDataProductsArgs) (*bool, error) {
	return trueResult(m.api.DataProducts.Remove(ctx, args.Input.DataProductUrns, args.Input.ResourceUrns))
}

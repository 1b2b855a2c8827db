package rule

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// productsOfAsset is the aspect of an asset, and its member, that mirrors the data products with
// this asset. Filters and facets use it.
const productsOfAsset = "dataProducts"

// dataProductRules mirror the assets of a data product on these assets, and prevent cycles in the
// tree of data products.
func dataProductRules() []Rule {
	return []Rule{{
		Name: "tree of data products", Aspects: []string{"dataProductProperties"}, Validate: acyclicBy(parentProduct), ValidateRestored: true,
	}, {
		Name: "mirrors of data products", Aspects: []string{productsOfAsset},
		Causes: func(value model.Object) []urn.URN {
			var products []urn.URN
			for _, p := range jsontree.Children(value, productsOfAsset) {
				products = append(products, urn.URN(jsontree.Text(p, "destinationUrn")))
			}
			return products
		},
	}, {
		Name: "data products of assets", Aspects: []string{"dataProductProperties"}, Derive: mirrorAssets, Demands: demandAssets,
		Reads: func(_ urn.URN, value model.Object) []model.Key {
			var keys []model.Key
			for asset := range assetsOf(value) {
				keys = append(keys, model.Key{URN: urn.URN(asset), Aspect: productsOfAsset})
			}
			return keys
		},
	}}
}

func parentProduct(entityType string) (model.Parent, bool) {
	return model.Parent{Aspect: "dataProductProperties", Path: "/parentDataProduct"}, entityType == "dataProduct"
}

// demandAssets requires a right over each added or removed asset, or the right to manage the data
// products of one of the domains of the product. By the latter right the actor can add only assets
// that it may view, because a right over a domain is no right over assets that others put
// elsewhere. Assets that the batch creates are exempt, and so is the removal of the whole product,
// which requires the right to delete it.
func demandAssets(tx Tx, c *Change) ([]Demand, error) {
	before, after := assetList(c.Before), assetList(c.After)
	isOwn := func(asset urn.URN) bool { return tx.Created(asset) }
	changed := slices.DeleteFunc(symmetricDifference(before, after), isOwn)
	if len(changed) == 0 || c.WithEntity {
		return nil, nil
	}
	stored, err := tx.Value(c.URN, "domains")
	if err != nil {
		return nil, err
	}
	refusal := Refusal{"Unauthorized to modify dataProductProperties.assets on data product: ", c.URN}
	over := func(assets []urn.URN) auth.Check {
		return auth.Check{AnyOf: []auth.Privilege{auth.EditDataProducts, auth.EditEntity}, Entities: assets}
	}
	domains := domainsIn(stored)
	if len(domains) == 0 {
		return []Demand{{OneOf: []auth.Check{over(changed)}, Refusal: refusal}}, nil
	}
	manages := auth.Check{AnyOf: []auth.Privilege{auth.ManageDataProducts}, Entities: domains, AnyEntity: true}
	demands := []Demand{{OneOf: []auth.Check{manages, over(changed)}, Refusal: refusal}}
	had := set.Of(before)
	coming := slices.DeleteFunc(slices.Clone(changed), had.Has)
	if len(coming) > 0 {
		demands = append(demands, Demand{OneOf: []auth.Check{{Operation: auth.OpRead, Entities: coming}, over(coming)}, Refusal: refusal})
	}
	return demands, nil
}

func assetList(value model.Object) []urn.URN {
	var assets []urn.URN
	for _, text := range slices.Sorted(maps.Keys(assetsOf(value))) {
		assets = append(assets, urn.URN(text))
	}
	return assets
}

func assetsOf(value model.Object) map[string]bool {
	listed := map[string]bool{}
	for _, a := range jsontree.Children(value, "assets") {
		listed[jsontree.Text(a, "destinationUrn")] = true
	}
	return listed
}

// mirrorAssets updates the mirrors of assets that were added to a data product or removed from it.
func mirrorAssets(tx Effects, c *Change) error {
	if c.Awaited != "" {
		listed := slices.ContainsFunc(jsontree.Children(c.After, "assets"), func(a model.Object) bool {
			return jsontree.Text(a, "destinationUrn") == string(c.Awaited)
		})
		return putProduct(tx, c.URN, c.Awaited, listed)
	}
	had, has := assetsOf(c.Before), assetsOf(c.After)
	for _, asset := range slices.Sorted(maps.Keys(has)) {
		if !had[asset] {
			if err := putProduct(tx, c.URN, urn.URN(asset), true); err != nil {
				return err
			}
		}
	}
	for _, asset := range slices.Sorted(maps.Keys(had)) {
		if !has[asset] {
			if err := putProduct(tx, c.URN, urn.URN(asset), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// putProduct adds a data product to the mirror of an asset, or removes it.
func putProduct(tx Effects, product, asset urn.URN, in bool) error {
	mirror, err := tx.Value(asset, productsOfAsset)
	if err != nil || mirror == nil && !in {
		return err
	}
	kept, listed := []any{}, false
	for _, p := range jsontree.Children(mirror, productsOfAsset) {
		if jsontree.Text(p, "destinationUrn") == string(product) {
			listed = true
			continue
		}
		kept = append(kept, p)
	}
	if listed == in {
		return nil
	}
	if in {
		kept = append(kept, model.Object{"destinationUrn": string(product)})
	}
	return tx.Put(asset, productsOfAsset, model.Object{productsOfAsset: kept})
}

package collection

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	contains = "DataProductContains" // relationship from a data product to its assets
	maxPairs = 10 * edit.MaxTargets  // of data products and assets in one call
	maxIn    = 1000                  // data products read for one asset
)

// Membership is the membership of an asset in a data product.
type Membership struct {
	Product    urn.URN
	OutputPort bool // the asset is offered to consumers of the data product
}

// Of returns the data products of assets, in the order of the assets. It contains only data
// products that the actor may see.
func (s *DataProducts) Of(ctx context.Context, assets []urn.URN) ([][]Membership, error) {
	lists := map[urn.URN]map[urn.URN]bool{} // by data product: whether an asset is an output port
	out := make([][]Membership, len(assets))
	for i, asset := range assets {
		products, err := s.productsOf(ctx, asset, false)
		if err != nil {
			return nil, err
		}
		for _, p := range products {
			if lists[p] == nil {
				if lists[p], err = s.ports(ctx, p); err != nil {
					return nil, err
				}
			}
			out[i] = append(out[i], Membership{p, lists[p][asset]})
		}
	}
	return out, nil
}

// productsOf returns the data products that list an asset: those that the actor may see or, with
// deciding, all.
func (s *DataProducts) productsOf(ctx context.Context, asset urn.URN, deciding bool) ([]urn.URN, error) {
	found, err := s.edit.Discover.Relationships(ctx, discover.RelationshipQuery{
		URN: asset, Direction: graph.Incoming, Types: []string{contains}, Count: maxIn, IncludeSoftDeleted: true, Deciding: deciding,
	})
	if err != nil {
		return nil, err
	}
	out := make([]urn.URN, 0, len(found.Edges))
	for i := range found.Edges {
		if u := found.Edges[i].Source; u.Type() == DataProductType && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out, nil
}

func (s *DataProducts) ports(ctx context.Context, product urn.URN) (map[urn.URN]bool, error) {
	value, err := s.edit.Read(ctx, product, s.properties)
	if err != nil {
		return nil, err
	}
	out := map[urn.URN]bool{}
	list, _ := value["assets"].([]any)
	for _, e := range list {
		o, _ := e.(jsontree.Object)
		port, _ := o["outputPort"].(bool)
		out[destination(e)] = port
	}
	return out, nil
}

func destination(entry any) urn.URN {
	o, _ := entry.(jsontree.Object)
	text, _ := o["destinationUrn"].(string)
	return urn.URN(text)
}

// Assets lists the assets of a data product in the order of their addition.
func (s *DataProducts) Assets(ctx context.Context, product urn.URN) ([]urn.URN, error) {
	value, err := s.edit.Read(ctx, product, s.properties)
	if err != nil {
		return nil, err
	}
	list, _ := value["assets"].([]any)
	out := make([]urn.URN, 0, len(list))
	for _, e := range list {
		out = append(out, destination(e))
	}
	return out, nil
}

// Set assigns assets to a data product and removes them from all others; an empty URN only removes
// them. An assignment requires auth.ManageDataProducts on one of the domains of the data product
// or, for a data product without a domain, auth.EditEntity on it and auth.EditDataProducts on each
// asset. A removal without an assignment requires only auth.EditDataProducts on each asset. For
// each data product that assets leave, an assignment also requires auth.ManageDataProducts on one
// of its domains or auth.EditDataProducts on each asset.
func (s *DataProducts) Set(ctx context.Context, product urn.URN, assets []string) error {
	urns, err := s.edit.ParseAll("resourceUrns", assets)
	if err != nil {
		return err
	}
	decided, err := s.maySet(ctx, product, urns)
	if err != nil {
		return err
	}
	if product == "" {
		err = s.edit.MustExist(ctx, "resource", urns...)
	} else if err = s.edit.MustBeShown(ctx, "resource", urns...); err == nil {
		err = s.edit.MustExist(ctx, s.noun, product)
	}
	if err != nil {
		return err
	}
	leaving, order, err := s.productsLeft(ctx, product, urns)
	if err != nil {
		return err
	}
	var changes []edit.Change
	for _, p := range order {
		if product != "" {
			left, err := s.mayRemove(ctx, p, leaving[p])
			if err != nil {
				return err
			}
			decided = append(decided, left...)
		}
		changes = append(changes, s.listChanges(ctx, p, nil, leaving[p])...)
	}
	if product != "" {
		changes = append(changes, s.listChanges(ctx, product, urns, nil)...)
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// productsLeft returns the other data products that list some of the assets, with these assets.
func (s *DataProducts) productsLeft(ctx context.Context, product urn.URN, assets []urn.URN) (leaving map[urn.URN][]urn.URN, order []urn.URN, err error) {
	leaving = map[urn.URN][]urn.URN{}
	for _, asset := range assets {
		products, err := s.productsOf(ctx, asset, true)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range products {
			if p == product {
				continue
			}
			if leaving[p] == nil {
				order = append(order, p)
			}
			leaving[p] = append(leaving[p], asset)
		}
	}
	return leaving, order, nil
}

func (s *DataProducts) maySet(ctx context.Context, product urn.URN, assets []urn.URN) (auth.Decisions, error) {
	if product == "" {
		return s.edit.RequireEach(ctx, assets, s.membership, auth.EditEntity)
	}
	domains, err := s.domains(ctx, product)
	if err != nil {
		return nil, err
	}
	edit := auth.Over(product, auth.EditEntity)
	checks := manageChecks(domains)
	if len(checks) == 0 {
		checks = []auth.Check{edit, auth.OverEach(assets, auth.EditDataProducts, auth.EditEntity)}
	}
	decided, err := s.edit.Decide(ctx, checks...)
	return decided, s.edit.Refusal(ctx, product, err, edit)
}

func (s *DataProducts) mayRemove(ctx context.Context, product urn.URN, assets []urn.URN) (auth.Decisions, error) {
	domains, err := s.domains(ctx, product)
	if err != nil {
		return nil, err
	}
	return s.edit.DecideOne(ctx, append(manageChecks(domains), auth.OverEach(assets, auth.EditDataProducts, auth.EditEntity))...)
}

// Add adds assets to data products, in addition to their other ones. It requires
// auth.EditDataProducts on each asset.
func (s *DataProducts) Add(ctx context.Context, products, assets []string) error {
	return s.changeEach(ctx, products, assets, true)
}

// Remove removes assets from data products. It requires auth.EditDataProducts on each asset.
func (s *DataProducts) Remove(ctx context.Context, products, assets []string) error {
	return s.changeEach(ctx, products, assets, false)
}

func (s *DataProducts) changeEach(ctx context.Context, products, assets []string, adding bool) error {
	urns, decided, err := s.assets(ctx, assets)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
		return err
	}
	into, err := s.edit.ParseAll("dataProductUrns", products, DataProductType)
	if err != nil {
		return err
	}
	if len(into)*len(urns) > maxPairs {
		return fault.New(fault.TooLarge, "%d data products with %d assets; at most %d pairs are allowed", len(into), len(urns), maxPairs)
	}
	if err := s.edit.MustBeShown(ctx, s.noun, into...); err != nil {
		return err
	}
	var changes []edit.Change
	for _, p := range into {
		if adding {
			changes = append(changes, s.listChanges(ctx, p, urns, nil)...)
		} else {
			changes = append(changes, s.listChanges(ctx, p, nil, urns)...)
		}
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// listChanges returns the change of a data product that adds and removes assets. The catalog
// updates the mirror on the assets.
func (s *DataProducts) listChanges(ctx context.Context, product urn.URN, coming, going []urn.URN) []edit.Change {
	return []edit.Change{{URN: product, Aspect: s.properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		list, _ := value["assets"].([]any)
		next := removeMembers(list, going)
		for _, u := range newMembers(next, coming) {
			next = append(next, jsontree.Object{"destinationUrn": string(u), "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx)})
		}
		if len(next) == len(list) {
			return nil, nil
		}
		value["assets"] = next
		return value, nil
	}}}
}

func removeMembers(list []any, going []urn.URN) []any {
	gone := make(map[urn.URN]bool, len(going))
	for _, u := range going {
		gone[u] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(e any) bool { return gone[destination(e)] })
}

// newMembers returns the entities that a list lacks, without duplicates.
func newMembers(list []any, coming []urn.URN) []urn.URN {
	there := make(map[urn.URN]bool, len(list))
	for _, e := range list {
		there[destination(e)] = true
	}
	var out []urn.URN
	for _, u := range coming {
		if !there[u] {
			there[u] = true
			out = append(out, u)
		}
	}
	return out
}

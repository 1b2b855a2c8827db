package collection

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// DataProductType is the entity type of data products.
const DataProductType = "dataProduct"

const (
	productProperties = "dataProductProperties"
	productNoun       = "data product"
)

// DataProducts stores data products. It is safe for concurrent use.
type DataProducts struct{ edit *edit.Editor }

// NewDataProducts returns a DataProducts.
func NewDataProducts(e *edit.Editor) *DataProducts { return &DataProducts{e} }

// DataProductDraft describes a data product to create.
type DataProductDraft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Domain      string
	Parent      string // another data product, none when empty
}

// Create creates a data product with the actor as owner. It requires auth.ManageDataProducts on the
// domain; a privilege to edit the domain is not sufficient.
func (s *DataProducts) Create(ctx context.Context, d DataProductDraft) (urn.URN, error) {
	domain, err := s.edit.Parse("domainUrn", d.Domain, "domain")
	if err != nil {
		return "", err
	}
	decided, err := s.edit.RequireOver(ctx, domain, auth.ManageDataProducts)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustExist(ctx, "domain", domain); err != nil {
		return "", err
	}
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Data Product", DataProductType, d.ID)
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	if d.Parent != "" {
		parent, err := s.parent(ctx, u, d.Parent)
		if err != nil {
			return "", err
		}
		value["parentDataProduct"] = string(parent)
	}
	return u, s.edit.Create(ctx, decided, "Data Product", u, append(s.edit.Creator(ctx, u), edit.Set(u, productProperties, value), edit.Set(u, "domains", jsontree.Object{"domains": []any{string(domain)}}))...)
}

// maxDepth is the maximum depth of a hierarchy of data products.
const maxDepth = 50

// parent parses the parent of a data product and checks that the data product is not above it.
func (s *DataProducts) parent(ctx context.Context, of urn.URN, text string) (urn.URN, error) {
	parent, err := s.edit.Parse("parentDataProduct", text, DataProductType)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustBeShown(ctx, "parent "+productNoun, parent); err != nil {
		return "", err
	}
	at := parent
	for range maxDepth {
		if at == of {
			return "", fault.New(fault.Malformed, "parentDataProduct: %s is the data product itself or lies below it", parent)
		}
		value, err := s.edit.Read(ctx, at, productProperties)
		if err != nil {
			return "", err
		}
		above, _ := value["parentDataProduct"].(string)
		if at = urn.URN(above); at == "" {
			return parent, nil
		}
	}
	return "", fault.New(fault.Malformed, "parentDataProduct: %s lies %d levels deep already", parent, maxDepth)
}

// DataProductRevision changes a data product. Nil members stay unchanged.
type DataProductRevision struct {
	Name, Description *string
	Parent            *string // the URN of another data product, none when empty
}

// Update changes an existing data product. It requires auth.ManageDataProducts on its domain, or
// auth.EditEntity on it.
func (s *DataProducts) Update(ctx context.Context, u urn.URN, r DataProductRevision) error {
	decided, err := s.mayManage(ctx, u, auth.EditEntity)
	if err != nil {
		return err
	}
	if err := edit.NameAndDescription(r.Name, r.Description); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, productNoun, u); err != nil {
		return err
	}
	if r.Parent != nil && *r.Parent != "" {
		if _, err := s.parent(ctx, u, *r.Parent); err != nil {
			return err
		}
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: productProperties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		if r.Name != nil {
			value["name"] = *r.Name
		}
		if r.Description != nil {
			value["description"] = *r.Description
		}
		if r.Parent != nil {
			value["parentDataProduct"] = *r.Parent
			if *r.Parent == "" {
				delete(value, "parentDataProduct")
			}
		}
		return value, nil
	}})
	return err
}

// mayManage decides the privilege to manage the data products of a domain of a data product, or
// another privilege on the data product itself.
func (s *DataProducts) mayManage(ctx context.Context, u urn.URN, otherwise auth.Privilege) (auth.Decisions, error) {
	domains, err := s.domains(ctx, u)
	if err != nil {
		return nil, err
	}
	return s.edit.DecideOne(ctx, append([]auth.Check{auth.Over(u, otherwise)}, manageChecks(domains)...)...)
}

// manageChecks returns the check of auth.ManageDataProducts on one of some domains, or none without
// domains. A privilege to edit a domain is not sufficient, since every editor of its content has
// it.
func manageChecks(domains []urn.URN) []auth.Check {
	if len(domains) == 0 {
		return nil
	}
	return []auth.Check{auth.OverOne(domains, auth.ManageDataProducts)}
}

func (s *DataProducts) domains(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	value, err := s.edit.Stored(ctx, u, "domains")
	if err != nil {
		return nil, err
	}
	var domains []urn.URN
	for _, text := range jsontree.Texts(value, "domains") {
		if domain, err := urn.Parse(text); err == nil {
			domains = append(domains, domain)
		}
	}
	return domains, nil
}

// Delete deletes a data product permanently. Its assets stay, and data products below it become
// top-level. It requires auth.ManageDataProducts on its domain, or auth.DeleteEntity on it.
func (s *DataProducts) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.mayManage(ctx, u, auth.DeleteEntity)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, productNoun, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

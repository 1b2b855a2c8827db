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

// DataProducts stores data products. It is safe for concurrent use.
type DataProducts struct{ kind }

// NewDataProducts returns a DataProducts.
func NewDataProducts(e *edit.Editor) *DataProducts {
	return &DataProducts{kind{
		edit: e, entityType: DataProductType, noun: "data product", title: "Data Product",
		properties: "dataProductProperties", parentMember: "parentDataProduct", membership: auth.EditDataProducts,
	}}
}

// Create creates a data product with the actor as owner. It requires auth.ManageDataProducts on the
// domain; a privilege to edit the domain is not sufficient.
func (s *DataProducts) Create(ctx context.Context, d Draft) (urn.URN, error) {
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
	u, err := s.edit.NewURN(ctx, s.title, s.entityType, d.ID)
	if err != nil {
		return "", err
	}
	parent, err := s.parentOf(ctx, u, d.Parent)
	if err != nil {
		return "", err
	}
	d.Owned = true
	return u, s.create(ctx, decided, u, d, parent, domain)
}

// maxDepth is the maximum depth of a hierarchy of data products.
const maxDepth = 50

// parentOf parses the parent of a data product and checks that the data product is not above it.
func (s *DataProducts) parentOf(ctx context.Context, of urn.URN, text string) (urn.URN, error) {
	parent, err := s.parent(ctx, text)
	if err != nil || parent == "" {
		return "", err
	}
	at := parent
	for range maxDepth {
		if at == of {
			return "", fault.New(fault.Malformed, "parentDataProduct: %s is the data product itself or lies below it", parent)
		}
		value, err := s.edit.Read(ctx, at, s.properties)
		if err != nil {
			return "", err
		}
		above, _ := value[s.parentMember].(string)
		if at = urn.URN(above); at == "" {
			return parent, nil
		}
	}
	return "", fault.New(fault.Malformed, "parentDataProduct: %s lies %d levels deep already", parent, maxDepth)
}

// Update changes an existing data product. It requires auth.ManageDataProducts on its domain, or
// auth.EditEntity on it.
func (s *DataProducts) Update(ctx context.Context, u urn.URN, r Revision) error {
	decided, err := s.mayManage(ctx, u, auth.EditEntity)
	if err != nil {
		return err
	}
	return s.update(ctx, decided, u, r, func(text string) error { _, err := s.parentOf(ctx, u, text); return err })
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
	return s.delete(ctx, decided, u)
}

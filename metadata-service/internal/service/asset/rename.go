package asset

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rename sets the name of an entity. The privilege depends on the type: the one for the part of the
// glossary, auth.ManageDomains, edit.RequireIdentities for groups, auth.EditEntity on a data
// product or auth.ManageDataProducts on one of its domains, auth.ManageBusinessAttribute,
// auth.EditProperties for datasets. The name of a sibling is fault.Conflict, or fault.Malformed for
// terms.
func (s *Service) Rename(ctx context.Context, resource, name string) error {
	u, err := s.edit.Parse("urn", resource)
	if err != nil {
		return err
	}
	if u.Type() == domain {
		return s.domains.Rename(ctx, u, name)
	}
	at, ok := namePlace(u)
	if !ok {
		return fault.New(fault.Malformed, "Unsupported resource type: %s cannot be renamed", u)
	}
	decided, err := s.mayRename(ctx, u, at.aspect)
	if err != nil {
		return err
	}
	if err := edit.Text("name", name, edit.MaxName, true); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, s.write(ctx, u, at, func(value jsontree.Object) error {
		value[at.member] = name
		return nil
	}))
	return err
}

// namePlace returns the place of the name of an entity.
func namePlace(u urn.URN) (place, bool) {
	switch u.Type() {
	case group:
		return place{"corpGroupInfo", "displayName", jsontree.Object{"admins": []any{}, "members": []any{}, "groups": []any{}}, false}, true
	case dataset, term, node, dataProduct, "application", businessAttribute:
		at, ok := descriptionPlace(u)
		at.member = "name"
		return at, ok
	}
	return place{}, false
}

// mayRename decides whether the actor may write the aspect with the name of an entity.
func (s *Service) mayRename(ctx context.Context, u urn.URN, aspect string) (auth.Decisions, error) {
	switch u.Type() {
	case group:
		return s.edit.RequireIdentities(ctx)
	case businessAttribute:
		return s.edit.Require(ctx, auth.ManageBusinessAttribute)
	case dataset:
		return s.edit.RequireOver(ctx, u, auth.EditProperties, auth.EditEntity)
	case dataProduct:
		return s.mayManageProduct(ctx, u, aspect)
	}
	return s.mayWriteByType(ctx, u, aspect)
}

// mayManageProduct decides that the actor may edit a data product, or manage the data products of
// one of its domains.
func (s *Service) mayManageProduct(ctx context.Context, u urn.URN, aspect string) (auth.Decisions, error) {
	value, err := s.edit.Stored(ctx, u, "domains")
	if err != nil {
		return nil, err
	}
	alternatives := []auth.Check{auth.Over(u, auth.EditEntity).ToWrite(aspect)}
	var domains []urn.URN
	for _, text := range jsontree.Texts(value, "domains") {
		domains = append(domains, urn.URN(text))
	}
	if len(domains) > 0 {
		alternatives = append(alternatives, auth.OverOne(domains, auth.ManageDataProducts))
	}
	return s.edit.DecideOne(ctx, alternatives...)
}

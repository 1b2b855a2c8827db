// Package ownertype keeps the types of ownership: what it means that somebody
// owns something. Saying who does is the business of package owner.
package ownertype

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of types of ownership.
const EntityType = "ownershipType"

const (
	info = "ownershipTypeInfo"
)

// Service keeps types of ownership. All changes need auth.ManageOwnershipTypes.
// It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Create makes a type of ownership with a random id. Names may repeat.
func (s *Service) Create(ctx context.Context, name, description string) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return "", err
	}
	if err := check(&name, &description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Ownership Type", EntityType, "")
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided,
		edit.Set(u, info, jsontree.Object{"name": name, "description": description, "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx)}),
		edit.Set(u, "status", jsontree.Object{"removed": false}))
	return u, err
}

// Update changes name and description of a type that exists; nil ones stay.
func (s *Service) Update(ctx context.Context, u urn.URN, name, description *string) error {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return err
	}
	if err := check(name, description); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: info, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "ownership type does not exist: %s", u)
		}
		if name != nil {
			value["name"] = *name
		}
		if description != nil {
			value["description"] = *description
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		return value, nil
	}})
	return err
}

func check(name, description *string) error {
	if name != nil {
		if err := edit.Text("name", *name, edit.MaxName, true); err != nil {
			return err
		}
	}
	if description != nil {
		return edit.Text("description", *description, edit.MaxText, false)
	}
	return nil
}

// Delete removes a type of ownership, for good unless the product brought it
// along. With references, owners of this type stay owners, but of no type that
// is kept here.
func (s *Service) Delete(ctx context.Context, u urn.URN, references bool) error {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "ownership type", u); err != nil {
		return err
	}
	// They come back with the default data when they are gone for good, so they are only ever hidden.
	if strings.HasPrefix(u.Key(), model.BuiltInOwnershipType) {
		if _, err := s.edit.Apply(ctx, decided, edit.Set(u, "status", jsontree.Object{"removed": true})); err != nil {
			return err
		}
	} else if _, err := s.edit.Catalog.DeleteEntity(ctx, u, decided...); err != nil {
		return err
	}
	if !references {
		return nil
	}
	_, err = s.edit.Catalog.DeleteReferences(ctx, u, false, decided...)
	return err
}

package owner

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

// TypeEntity is the entity type of ownership types.
const TypeEntity = "ownershipType"

const typeInfo = "ownershipTypeInfo"

// Types stores ownership types, which define the kind of an ownership. All changes require auth.ManageOwnershipTypes. It is safe for
// concurrent use.
type Types struct{ edit *edit.Editor }

// NewTypes returns a Types.
func NewTypes(e *edit.Editor) *Types { return &Types{e} }

// Create creates an ownership type with a random id. Names need not be unique.
func (s *Types) Create(ctx context.Context, name, description string) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return "", err
	}
	if err := edit.NameAndDescription(&name, &description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Ownership Type", TypeEntity, "")
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided,
		edit.Set(u, typeInfo, jsontree.Object{"name": name, "description": description, "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx)}),
		edit.Set(u, "status", jsontree.Object{"removed": false}))
	return u, err
}

// Update changes name and description of an existing type; nil leaves them unchanged. A type that
// does not exist is fault.Malformed.
func (s *Types) Update(ctx context.Context, u urn.URN, name, description *string) error {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return err
	}
	if err := edit.NameAndDescription(name, description); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: typeInfo, Apply: func(value jsontree.Object) (jsontree.Object, error) {
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

// Delete deletes an ownership type: permanently, except for built-in types, which are soft-deleted.
// With references, it also removes the type from owners; they stay owners without a type of this
// catalog.
func (s *Types) Delete(ctx context.Context, u urn.URN, references bool) error {
	decided, err := s.edit.Require(ctx, auth.ManageOwnershipTypes)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "ownership type", u); err != nil {
		return err
	}
	// The default data restores built-in types after a permanent deletion, so they are only
	// soft-deleted.
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

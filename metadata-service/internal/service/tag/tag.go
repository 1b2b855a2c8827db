// Package tag stores tags: it creates, describes, colors and deletes them. Package label assigns
// them to assets.
package tag

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of tags.
const EntityType = "tag"

const properties = "tagProperties"

// Service stores tags. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	owners *owner.Service
}

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e, owner.New(e)} }

// Draft describes a tag to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
}

// Create creates a tag with the actor as owner. It requires auth.CreateTags or auth.ManageTags. An
// id that is in use is fault.Malformed; names need not be unique.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.CreateTags), auth.ForPlatform(auth.ManageTags))
	if err != nil {
		return "", err
	}
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Tag", EntityType, d.ID)
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	return u, s.edit.Create(ctx, decided, "Tag", u, append(s.edit.Creator(ctx, u), edit.Set(u, properties, value))...)
}

// Update holds the changes of a tag. Nil members stay unchanged.
type Update struct {
	Name        *string
	Description *string
	Owners      *[]owner.Owner // replace all owners
}

// Update changes an existing tag, all or nothing. It requires auth.EditEntity on the tag, or
// auth.EditOwners if only the owners change.
func (s *Service) Update(ctx context.Context, u urn.URN, to Update) error {
	stored, err := s.edit.Stored(ctx, u, properties)
	if err != nil {
		return err
	}
	described := differs(stored, "name", to.Name) || differs(stored, "description", to.Description)
	needed := auth.Over(u, auth.EditEntity).ToWrite(properties)
	if to.Owners != nil && !described {
		needed = auth.Over(u, auth.EditEntity, auth.EditOwners)
	}
	decided, err := s.edit.Decide(ctx, needed)
	if err != nil {
		return err
	}
	if err := edit.NameAndDescription(to.Name, to.Description); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "tag", u); err != nil {
		return err
	}
	var changes []edit.Change
	if described {
		changes = append(changes, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return to.apply(u, value), nil
		}})
	}
	if to.Owners != nil {
		change, more, err := s.owners.Replacement(ctx, u, *to.Owners)
		if err != nil {
			return err
		}
		decided = append(decided, more...)
		changes = append(changes, change)
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

func differs(value jsontree.Object, member string, to *string) bool {
	return to != nil && value[member] != *to
}

func (to Update) apply(u urn.URN, value jsontree.Object) jsontree.Object {
	if value == nil {
		value = jsontree.Object{"name": u.Key()}
	}
	if to.Name != nil {
		value["name"] = *to.Name
	}
	if to.Description != nil {
		value["description"] = *to.Description
	}
	return value
}

// SetColor sets the color of an existing tag: three, six or eight hex digits, with or without #. It
// requires auth.EditTagColor or auth.EditEntity on the tag.
func (s *Service) SetColor(ctx context.Context, u urn.URN, color string) error {
	decided, err := s.edit.RequireOver(ctx, u, auth.EditTagColor, auth.EditEntity)
	if err != nil {
		return err
	}
	if !isColor(color) {
		return fault.New(fault.Malformed, "colorHex: %.40q is no colour such as #1f77b4", color)
	}
	if err := s.edit.MustExist(ctx, "tag", u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"name": u.Key()}
		}
		value["colorHex"] = color
		return value, nil
	}})
	return err
}

func isColor(text string) bool {
	digits := strings.TrimPrefix(text, "#")
	if n := len(digits); n != 3 && n != 6 && n != 8 {
		return false
	}
	return strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// Delete deletes a tag permanently and removes it from all entities. It requires auth.ManageTags,
// or auth.DeleteEntity on the tag.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.DecideOne(ctx, auth.Over(u, auth.DeleteEntity), auth.ForPlatform(auth.ManageTags))
	if err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// Package tag keeps tags: creating, describing, colouring and deleting them.
// Putting them on assets is the business of package label.
package tag

import (
	"context"
	"errors"
	"regexp"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of tags.
const EntityType = "tag"

const properties = "tagProperties"

// Service keeps tags. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes a tag to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
}

// Create makes a tag, which the actor owns from then on. It needs
// auth.CreateTags or auth.ManageTags. An id that is taken is fault.Malformed;
// names may repeat.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	if err := s.requireOne(ctx, auth.CreateTags, auth.ManageTags); err != nil {
		return "", err
	}
	if err := check(d.Name, d.Description); err != nil {
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
	_, err = s.edit.Apply(ctx, append(s.edit.Creator(ctx, u), edit.Set(u, properties, value))...)
	return u, err
}

// Update changes name and description of a tag.
func (s *Service) Update(ctx context.Context, u urn.URN, name string, description *string) error {
	if err := s.edit.Privileges.Allow(ctx, u, auth.EditEntity); err != nil {
		return err
	}
	if err := check(name, description); err != nil {
		return err
	}
	_, err := s.edit.Apply(ctx, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		value["name"] = name
		if description != nil {
			value["description"] = *description
		}
		return value, nil
	}})
	return err
}

var hexColor = regexp.MustCompile(`^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)

// SetColor sets the colour of a tag that exists: three, six or eight hex
// digits, with or without #.
func (s *Service) SetColor(ctx context.Context, u urn.URN, color string) error {
	if err := s.edit.Privileges.Allow(ctx, u, auth.EditTagColor, auth.EditEntity); err != nil {
		return err
	}
	if !hexColor.MatchString(color) {
		return fault.New(fault.Malformed, "colorHex: %.40q is no colour such as #1f77b4", color)
	}
	if err := s.edit.MustExist(ctx, "tag", u); err != nil {
		return err
	}
	_, err := s.edit.Apply(ctx, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"name": u.Key()}
		}
		value["colorHex"] = color
		return value, nil
	}})
	return err
}

// Delete removes a tag for good and takes it off everything. It needs
// auth.ManageTags, or auth.DeleteEntity on the tag.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	if err := s.edit.Privileges.Require(ctx, auth.ManageTags); err != nil {
		if !errors.Is(err, fault.Forbidden) {
			return err
		}
		if err := s.edit.Privileges.Allow(ctx, u, auth.DeleteEntity); err != nil {
			return err
		}
	}
	return s.edit.Delete(ctx, u)
}

func (s *Service) requireOne(ctx context.Context, first, second auth.Privilege) error {
	err := s.edit.Privileges.Require(ctx, first)
	if err == nil || s.edit.Privileges.Require(ctx, second) == nil {
		return nil
	}
	return err
}

func check(name string, description *string) error {
	if err := edit.Text("name", name, edit.MaxName, true); err != nil {
		return err
	}
	if description != nil {
		return edit.Text("description", *description, edit.MaxText, false)
	}
	return nil
}

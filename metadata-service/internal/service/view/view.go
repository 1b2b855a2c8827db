// Package view stores views: named restrictions of searches to entity types and a filter. A
// personal view belongs to its creator. Global views are for all users; changes require
// auth.ManageGlobalViews.
package view

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of views.
const EntityType = "dataHubView"

const aspect = "dataHubViewInfo"

// Kinds of views.
const (
	Personal = "PERSONAL"
	Global   = "GLOBAL"
)

// Limits of a view.
const (
	maxFilters = 200
	maxValues  = 1000 // of a filter
	maxTypes   = 200
)

// Service stores views. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes a view to create.
type Draft struct {
	Kind        string // Personal or Global
	Name        string
	Description *string
	Definition  Definition
}

// Definition is the restriction of a view.
type Definition struct {
	Types   []string // entity types; empty for all
	Any     bool     // one matching filter suffices; otherwise all must match
	Filters []Filter
}

// Filter is a condition on a search field.
type Filter struct {
	Field, Condition string
	Values           []string
	Negated          bool
}

// Update holds the changes of a view; nil members stay unchanged.
type Update struct {
	Name, Description *string
	Definition        *Definition
}

// Create creates a view. A personal view belongs to the actor; a global one requires
// auth.ManageGlobalViews.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return "", err
	}
	var decided auth.Decisions
	var err error
	if d.Kind == Global {
		if decided, err = s.edit.Require(ctx, auth.ManageGlobalViews); err != nil {
			return "", err
		}
	}
	if err := check(&d.Name, d.Description, &d.Definition); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "View", EntityType, "")
	if err != nil {
		return "", err
	}
	if decided == nil {
		if decided, err = s.edit.RequireOwn(ctx, u); err != nil {
			return "", err
		}
	}
	value := jsontree.Object{
		"name": d.Name, "type": d.Kind, "definition": definition(d.Definition), "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx),
	}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, aspect, value))
	return u, err
}

// Update changes a view. A view that does not exist is fault.Malformed.
func (s *Service) Update(ctx context.Context, u urn.URN, up Update) error {
	there, decided, err := s.mayChange(ctx, u)
	if err != nil {
		return err
	}
	if !there {
		return fault.New(fault.Malformed, "view does not exist: %s", u)
	}
	if err := check(up.Name, up.Description, up.Definition); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "view does not exist: %s", u)
		}
		if up.Name != nil {
			value["name"] = *up.Name
		}
		if up.Description != nil {
			value["description"] = *up.Description
		}
		if up.Definition != nil {
			value["definition"] = definition(*up.Definition)
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		return value, nil
	}})
	return err
}

// Delete deletes a view permanently; it is no longer the default view of any user. A view that does
// not exist is not an error.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	there, decided, err := s.mayChange(ctx, u)
	if err != nil || !there {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// mayChange decides the privilege to change a view, and reports whether the view exists.
func (s *Service) mayChange(ctx context.Context, u urn.URN) (there bool, decided auth.Decisions, err error) {
	if _, err := edit.Actor(ctx); err != nil {
		return false, nil, err
	}
	globally := auth.ForPlatform(auth.ManageGlobalViews)
	value, err := s.edit.Stored(ctx, u, aspect)
	if err != nil {
		return false, nil, err
	}
	if value == nil {
		return false, nil, s.edit.RefuseHidden(ctx, u, globally)
	}
	if value["type"] == Global {
		decided, err = s.edit.Decide(ctx, globally)
		return true, decided, err
	}
	decided, err = s.edit.RequireOwn(ctx, u)
	return true, decided, s.edit.Refusal(ctx, u, err, globally)
}

func check(name, description *string, d *Definition) error {
	if err := edit.NameAndDescription(name, description); err != nil {
		return err
	}
	if d == nil {
		return nil
	}
	if len(d.Types) > maxTypes || len(d.Filters) > maxFilters {
		return fault.New(fault.TooLarge, "definition: at most %d entityTypes and %d filters are allowed", maxTypes, maxFilters)
	}
	for _, f := range d.Filters {
		if err := edit.Text("field", f.Field, edit.MaxName, true); err != nil {
			return err
		}
		if len(f.Values) > maxValues {
			return fault.New(fault.TooLarge, "values of %s: %d entries, at most %d are allowed", f.Field, len(f.Values), maxValues)
		}
	}
	return nil
}

// definition returns a definition in the form of the aspect: alternatives of criteria.
func definition(d Definition) jsontree.Object {
	types := make([]any, len(d.Types))
	for i, t := range d.Types {
		types[i] = t
	}
	alternatives, all := []any{}, []any{}
	for _, f := range d.Filters {
		values := make([]any, len(f.Values))
		for i, v := range f.Values {
			values[i] = v
		}
		criterion := jsontree.Object{"field": f.Field, "condition": f.Condition, "values": values, "negated": f.Negated}
		if d.Any {
			alternatives = append(alternatives, jsontree.Object{"and": []any{criterion}})
		} else {
			all = append(all, criterion)
		}
	}
	if len(all) > 0 {
		alternatives = []any{jsontree.Object{"and": all}}
	}
	return jsontree.Object{"entityTypes": types, "filter": jsontree.Object{"or": alternatives}}
}

// Package homepage stores page templates and their modules.
//
// Personal templates and modules belong to their creator. Global ones are visible to all users, and
// require auth.ManageHomePage to create, change and delete them.
package homepage

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types of this package.
const (
	TemplateType = "dataHubPageTemplate"
	ModuleType   = "dataHubPageModule"
)

const (
	templateAspect = "dataHubPageTemplateProperties"
	moduleAspect   = "dataHubPageModuleProperties"
	// settings that name the default template
	settingsURN    = urn.URN("urn:li:globalSettings:0")
	settingsAspect = "globalSettingsInfo"
)

// Scopes of templates and modules.
const (
	Personal = "PERSONAL"
	Global   = "GLOBAL"
)

// Limits of a template.
const (
	maxRows     = 100
	maxModules  = 50 // of a row
	maxElements = 100
)

// Service stores templates and modules. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Template is a page: rows of modules, and the summary of an asset.
type Template struct {
	URN     string // of the template to change or create; empty for a new one with a random id
	Scope   string
	Surface string     // HOME_PAGE or ASSET_SUMMARY
	Rows    [][]string // URNs of modules, which must exist
	Summary *[]Element // nil leaves it unchanged
}

// Element is one line of a summary. Property is the URN of the shown property, for lines of the
// type STRUCTURED_PROPERTY only.
type Element struct{ Kind, Property string }

// PutTemplate creates or replaces a template. A global template requires auth.ManageHomePage, a
// personal one belongs to its creator.
func (s *Service) PutTemplate(ctx context.Context, t Template) (urn.URN, error) {
	u, decided, err := s.writeTarget(ctx, TemplateType, templateAspect, t.URN, t.Scope)
	if err != nil {
		return "", err
	}
	rows, err := s.rows(ctx, t.Rows)
	if err != nil {
		return "", err
	}
	summary, err := s.summary(ctx, t.Summary)
	if err != nil {
		return "", err
	}
	return u, s.put(ctx, decided, u, templateAspect, func(value jsontree.Object) {
		value["rows"], value["surface"], value["visibility"] = rows, jsontree.Object{"surfaceType": t.Surface}, jsontree.Object{"scope": t.Scope}
		if summary != nil {
			value["assetSummary"] = jsontree.Object{"summaryElements": summary}
		}
	})
}

func (s *Service) rows(ctx context.Context, rows [][]string) ([]any, error) {
	if len(rows) > maxRows {
		return nil, fault.New(fault.TooLarge, "rows: %d entries, at most %d are allowed", len(rows), maxRows)
	}
	out := make([]any, 0, len(rows))
	for _, row := range rows {
		if len(row) > maxModules {
			return nil, fault.New(fault.TooLarge, "modules: %d entries in a row, at most %d are allowed", len(row), maxModules)
		}
		urns, err := s.edit.ParseAll("modules", row, ModuleType)
		if err != nil {
			return nil, err
		}
		modules := make([]any, 0, len(urns))
		for _, u := range urns {
			if err := s.edit.MustBeShown(ctx, "page module", u); err != nil {
				return nil, err
			}
			modules = append(modules, string(u))
		}
		out = append(out, jsontree.Object{"modules": modules})
	}
	return out, nil
}

func (s *Service) summary(ctx context.Context, elements *[]Element) ([]any, error) {
	if elements == nil {
		return nil, nil
	}
	if len(*elements) > maxElements {
		return nil, fault.New(fault.TooLarge, "summaryElements: %d entries, at most %d are allowed", len(*elements), maxElements)
	}
	out := make([]any, 0, len(*elements))
	for _, e := range *elements {
		element := jsontree.Object{"elementType": e.Kind}
		if (e.Kind == "STRUCTURED_PROPERTY") != (e.Property != "") {
			return nil, fault.New(fault.Malformed, "structuredPropertyUrn: goes with the elementType STRUCTURED_PROPERTY and with no other")
		}
		if e.Property != "" {
			u, err := s.edit.Parse("structuredPropertyUrn", e.Property, "structuredProperty")
			if err != nil {
				return nil, err
			}
			if err := s.edit.MustBeShown(ctx, "structured property", u); err != nil {
				return nil, err
			}
			element["structuredPropertyUrn"] = string(u)
		}
		out = append(out, element)
	}
	return out, nil
}

// DeleteTemplate deletes a template permanently; its users see the default template again. Deletion
// of the default template is fault.Invalid. A template that does not exist is not an error.
func (s *Service) DeleteTemplate(ctx context.Context, template string) error {
	u, err := s.edit.Parse("urn", template, TemplateType)
	if err != nil {
		return err
	}
	decided, err := s.mayDelete(ctx, u, templateAspect)
	if err != nil || decided == nil {
		return err
	}
	settings, err := s.edit.Stored(ctx, settingsURN, settingsAspect)
	if err != nil {
		return err
	}
	page, _ := settings["homePage"].(jsontree.Object)
	if page["defaultTemplate"] == string(u) {
		return fault.New(fault.Invalid, "%s is the home page of everybody and cannot be deleted", u)
	}
	return s.edit.Delete(ctx, decided, u)
}

// writeTarget returns the entity to write and decides whether the actor may write it.
func (s *Service) writeTarget(ctx context.Context, entityType, aspect, text, scope string) (urn.URN, auth.Decisions, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return "", nil, err
	}
	var decided auth.Decisions
	var err error
	if scope == Global {
		if decided, err = s.edit.Require(ctx, auth.ManageHomePage); err != nil {
			return "", nil, err
		}
	}
	u, value := urn.URN(""), jsontree.Object(nil)
	if text == "" {
		u, err = s.edit.NewURN(ctx, "page", entityType, "")
	} else if u, err = s.edit.Parse("urn", text, entityType); err == nil {
		value, err = s.edit.Stored(ctx, u, aspect)
	}
	switch {
	case err != nil:
		return "", nil, err
	case value != nil:
		decided, err = s.mayChange(ctx, u, value)
	case decided == nil:
		decided, err = s.edit.RequireOwn(ctx, u)
	}
	return u, decided, err
}

// mayChange decides the privilege to change a stored template or module.
func (s *Service) mayChange(ctx context.Context, u urn.URN, value jsontree.Object) (auth.Decisions, error) {
	if jsontree.Text(jsontree.Child(value, "visibility"), "scope") == Global {
		return s.edit.Require(ctx, auth.ManageHomePage)
	}
	decided, err := s.edit.RequireOwn(ctx, u)
	return decided, s.edit.Refusal(ctx, u, err, auth.ForPlatform(auth.ManageHomePage))
}

// mayDelete decides the privilege for a deletion. It returns no decision if there is nothing to
// delete.
func (s *Service) mayDelete(ctx context.Context, u urn.URN, aspect string) (auth.Decisions, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return nil, err
	}
	value, err := s.edit.Stored(ctx, u, aspect)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return nil, s.edit.RefuseHidden(ctx, u, auth.ForPlatform(auth.ManageHomePage))
	}
	return s.mayChange(ctx, u, value)
}

// put writes properties and keeps their creation stamp.
func (s *Service) put(ctx context.Context, decided auth.Decisions, u urn.URN, aspect string, fill func(value jsontree.Object)) error {
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"created": s.edit.Stamp(ctx)}
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		fill(value)
		return value, nil
	}})
	return err
}

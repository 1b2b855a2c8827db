package collection

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ApplicationType is the entity type of applications.
const ApplicationType = "application"

const (
	applicationProperties = "applicationProperties"
	applicationMembership = "applications"
	applicationNoun       = "application"

	parentApplication = "parentApplication"

	settingsURN    = urn.URN("urn:li:globalSettings:0")
	settingsAspect = "globalSettingsInfo"
)

// Applications stores applications. It is safe for concurrent use.
type Applications struct{ edit *edit.Editor }

// NewApplications returns an Applications.
func NewApplications(e *edit.Editor) *Applications { return &Applications{e} }

// ApplicationDraft describes an application to create.
type ApplicationDraft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Domain      string // none when empty
	Parent      string // another application, none when empty
	Owned       bool   // the actor becomes its owner
}

// Create creates an application. It requires auth.CreateEntity or auth.EditEntity on it. The domain
// and the parent must exist.
func (s *Applications) Create(ctx context.Context, d ApplicationDraft) (urn.URN, error) {
	if err := edit.Text("name", d.Name, edit.MaxName, true); err != nil {
		return "", err
	}
	if err := description(d.Description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Application", ApplicationType, d.ID)
	if err != nil {
		return "", err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.CreateEntity, auth.EditEntity)
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	if d.Parent != "" {
		parent, err := s.parent(ctx, d.Parent)
		if err != nil {
			return "", err
		}
		value[parentApplication] = string(parent)
	}
	changes := []edit.Change{edit.Set(u, applicationProperties, value)}
	if d.Domain != "" {
		domain, err := s.edit.Parse("domainUrn", d.Domain, "domain")
		if err != nil {
			return "", err
		}
		if err := s.edit.MustBeShown(ctx, "domain", domain); err != nil {
			return "", err
		}
		changes = append(changes, edit.Set(u, "domains", jsontree.Object{"domains": []any{string(domain)}}))
	}
	if d.Owned {
		changes = append(changes, s.edit.Creator(ctx, u)...)
	}
	return u, s.edit.Create(ctx, decided, "Application", u, changes...)
}

func description(text *string) error {
	if text == nil {
		return nil
	}
	return edit.Text("description", *text, edit.MaxText, false)
}

// parent parses the parent of an application. The catalog refuses a parent that is below the
// application.
func (s *Applications) parent(ctx context.Context, text string) (urn.URN, error) {
	parent, err := s.edit.Parse(parentApplication, text, ApplicationType)
	if err != nil {
		return "", err
	}
	return parent, s.edit.MustBeShown(ctx, "parent "+applicationNoun, parent)
}

// ApplicationRevision changes an application. Nil members stay unchanged. An empty Parent removes the parent.
type ApplicationRevision struct{ Name, Description, Parent *string }

// Update changes an existing application. It requires auth.EditEntity on it. A parent must exist
// and must not be below the application.
func (s *Applications) Update(ctx context.Context, u urn.URN, r ApplicationRevision) error {
	decided, err := s.edit.RequireOver(ctx, u, auth.EditEntity)
	if err != nil {
		return err
	}
	if r.Name != nil {
		if err := edit.Text("name", *r.Name, edit.MaxName, true); err != nil {
			return err
		}
	}
	if err := description(r.Description); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, applicationNoun, u); err != nil {
		return err
	}
	if r.Parent != nil && *r.Parent != "" {
		if _, err := s.parent(ctx, *r.Parent); err != nil {
			return err
		}
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: applicationProperties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		for member, text := range map[string]*string{"name": r.Name, "description": r.Description, parentApplication: r.Parent} {
			if text != nil {
				value[member] = *text
			}
		}
		if value[parentApplication] == "" {
			delete(value, parentApplication)
		}
		return value, nil
	}})
	return err
}

// Delete deletes an application permanently and removes its assets from it. It requires
// auth.DeleteEntity on it.
func (s *Applications) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.RequireOver(ctx, u, auth.DeleteEntity)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, applicationNoun, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// Add adds assets to an application, in addition to their other applications. It requires
// auth.EditApplications on each asset; all must exist.
func (s *Applications) Add(ctx context.Context, application urn.URN, assets []string) error {
	if err := s.edit.MustBeShown(ctx, applicationNoun, application); err != nil {
		return err
	}
	return s.change(ctx, assets, true, func(list []any) []any {
		if slices.Contains(list, any(string(application))) {
			return list
		}
		return append(list, string(application))
	})
}

// Remove removes assets from an application. It requires auth.EditApplications on each.
func (s *Applications) Remove(ctx context.Context, application urn.URN, assets []string) error {
	return s.change(ctx, assets, false, func(list []any) []any {
		return slices.DeleteFunc(list, func(v any) bool { return v == string(application) })
	})
}

// Clear removes assets from all their applications. It requires auth.EditApplications on each.
func (s *Applications) Clear(ctx context.Context, assets []string) error {
	return s.change(ctx, assets, false, func([]any) []any { return []any{} })
}

func (s *Applications) change(ctx context.Context, assets []string, adding bool, apply func([]any) []any) error {
	urns, err := s.edit.ParseAll("resourceUrns", assets)
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireEach(ctx, urns, auth.EditApplications, auth.EditEntity)
	if err != nil {
		return err
	}
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		if spec, _ := s.edit.Registry.Entity(u.Type()); spec != nil {
			if _, ok := spec.Aspect(applicationMembership); !ok {
				return fault.New(fault.Malformed, "resourceUrns: a %s cannot be in an application", u.Type())
			}
		}
		changes = append(changes, edit.Change{URN: u, Aspect: applicationMembership, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			list, _ := value["applications"].([]any)
			next := apply(slices.Clone(list))
			if len(next) == len(list) {
				return nil, nil
			}
			return jsontree.Object{"applications": next}, nil
		}})
	}
	if adding {
		if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
			return err
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// Enable switches the feature on or off for all users; nil changes nothing. It requires
// auth.ManageFeatures.
func (s *Applications) Enable(ctx context.Context, enabled *bool) error {
	decided, err := s.edit.Require(ctx, auth.ManageFeatures)
	if err != nil {
		return err
	}
	if enabled == nil {
		return nil
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: settingsURN, Aspect: settingsAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		settings, _ := value["applications"].(jsontree.Object)
		if settings == nil {
			settings = jsontree.Object{}
		}
		settings["enabled"] = *enabled
		value["applications"] = settings
		return value, nil
	}})
	return err
}

// Enabled reports whether the feature is on; it is off by default. It requires no privilege.
func (s *Applications) Enabled(ctx context.Context) (bool, error) {
	value, err := s.edit.Stored(ctx, settingsURN, settingsAspect)
	if err != nil {
		return false, err
	}
	settings, _ := value["applications"].(jsontree.Object)
	enabled, _ := settings["enabled"].(bool)
	return enabled, nil
}

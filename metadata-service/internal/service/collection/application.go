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
	applicationMembership = "applications"

	settingsURN    = urn.URN("urn:li:globalSettings:0")
	settingsAspect = "globalSettingsInfo"
)

// Applications stores applications. It is safe for concurrent use.
type Applications struct{ kind }

// NewApplications returns an Applications.
func NewApplications(e *edit.Editor) *Applications {
	return &Applications{kind{
		edit: e, entityType: ApplicationType, noun: "application", title: "Application",
		properties: "applicationProperties", parentMember: "parentApplication", membership: auth.EditApplications,
	}}
}

// Create creates an application. It requires auth.CreateEntity or auth.EditEntity on it. The domain
// and the parent must exist.
func (s *Applications) Create(ctx context.Context, d Draft) (urn.URN, error) {
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, s.title, s.entityType, d.ID)
	if err != nil {
		return "", err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.CreateEntity, auth.EditEntity)
	if err != nil {
		return "", err
	}
	parent, err := s.parent(ctx, d.Parent)
	if err != nil {
		return "", err
	}
	var domain urn.URN
	if d.Domain != "" {
		if domain, err = s.edit.Parse("domainUrn", d.Domain, "domain"); err != nil {
			return "", err
		}
		if err := s.edit.MustBeShown(ctx, "domain", domain); err != nil {
			return "", err
		}
	}
	return u, s.create(ctx, decided, u, d, parent, domain)
}

// Update changes an existing application. It requires auth.EditEntity on it. A parent must exist;
// the catalog refuses a parent that is below the application.
func (s *Applications) Update(ctx context.Context, u urn.URN, r Revision) error {
	decided, err := s.edit.RequireOver(ctx, u, auth.EditEntity)
	if err != nil {
		return err
	}
	return s.update(ctx, decided, u, r, func(text string) error { _, err := s.parent(ctx, text); return err })
}

// Delete deletes an application permanently and removes its assets from it. It requires
// auth.DeleteEntity on it.
func (s *Applications) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.RequireOver(ctx, u, auth.DeleteEntity)
	if err != nil {
		return err
	}
	return s.delete(ctx, decided, u)
}

// Add adds assets to an application, in addition to their other applications. It requires
// auth.EditApplications on each asset; all must exist.
func (s *Applications) Add(ctx context.Context, application urn.URN, assets []string) error {
	if err := s.edit.MustBeShown(ctx, s.noun, application); err != nil {
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
	urns, decided, err := s.assets(ctx, assets)
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

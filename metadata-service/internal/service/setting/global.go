// Package setting stores settings: global ones, those of single users, the progress of users in
// tours of the web UI, and those of single assets.
package setting

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Location of the global settings.
const (
	globalURN    = urn.URN("urn:li:globalSettings:0")
	globalAspect = "globalSettingsInfo"
)

const (
	viewType     = "dataHubView"
	viewInfo     = "dataHubViewInfo"
	templateType = "dataHubPageTemplate"
)

// Service stores settings. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Global are the global settings.
type Global struct {
	View        urn.URN // default view; empty for none
	Template    urn.URN // of the home page; empty for none
	Propagation bool    // descriptions of columns propagate along lineage
}

// Global returns the global settings. Every authenticated actor may read them.
func (s *Service) Global(ctx context.Context) (Global, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return Global{}, err
	}
	value, err := s.edit.Stored(ctx, globalURN, globalAspect)
	if err != nil {
		return Global{}, err
	}
	view, _ := jsontree.Child(value, "views")["defaultView"].(string)
	template, _ := jsontree.Child(value, "homePage")["defaultTemplate"].(string)
	spreads, stated := jsontree.Child(value, "docPropagation")["columnPropagationEnabled"].(bool)
	return Global{View: urn.URN(view), Template: urn.URN(template), Propagation: spreads || !stated}, nil
}

// SignOn returns the settings of single sign-on, with the decrypted secret of the identity
// provider, or nil if there are none. Only the service itself may call it: for other actors the
// error is fault.Forbidden, and other reads mask the secret.
func (s *Service) SignOn(ctx context.Context) (jsontree.Object, error) {
	value, err := s.edit.Catalog.Decrypted(ctx, globalURN, globalAspect)
	return jsontree.Child(value, "sso"), err
}

// SetDefaultView sets the default view of all users, or removes it if view is empty. It must be a
// global view. It requires auth.ManageGlobalViews.
func (s *Service) SetDefaultView(ctx context.Context, view string) error {
	decided, err := s.edit.Require(ctx, auth.ManageGlobalViews)
	if err != nil {
		return err
	}
	if view != "" {
		info, err := s.view(ctx, view)
		if err != nil {
			return err
		}
		if info["type"] != "GLOBAL" {
			return fault.New(fault.Malformed, "defaultView: %s is somebody's own view, not one for everybody", view)
		}
	}
	return s.change(ctx, decided, globalURN, globalAspect, func(value jsontree.Object) { putText(value, "views", "defaultView", view) })
}

// view returns an existing view that view authorization does not hide from the actor.
func (s *Service) view(ctx context.Context, text string) (jsontree.Object, error) {
	u, err := s.edit.Parse("defaultView", text, viewType)
	if err != nil {
		return nil, err
	}
	if err := s.edit.MustBeShown(ctx, "view", u); err != nil {
		return nil, err
	}
	info, err := s.edit.Stored(ctx, u, viewInfo)
	if err == nil && info == nil {
		err = fault.New(fault.Malformed, "view does not exist: %s", u)
	}
	return info, err
}

// SetPropagation sets whether descriptions of columns propagate along lineage; nil changes nothing.
// It requires auth.ManageFeatures.
func (s *Service) SetPropagation(ctx context.Context, on *bool) error {
	decided, err := s.edit.Require(ctx, auth.ManageFeatures)
	if err != nil {
		return err
	}
	if on == nil {
		return nil
	}
	return s.change(ctx, decided, globalURN, globalAspect, func(value jsontree.Object) {
		settings := jsontree.Child(value, "docPropagation")
		if settings == nil {
			settings = jsontree.Object{"enabled": true}
		}
		settings["columnPropagationEnabled"] = *on
		value["docPropagation"] = settings
	})
}

// change changes a settings aspect in place, starting from an empty one if it is absent.
func (s *Service) change(ctx context.Context, decided auth.Decisions, u urn.URN, aspect string, apply func(value jsontree.Object)) error {
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		apply(value)
		return value, nil
	}})
	return err
}

// putText sets a text in a group of settings, or removes it if it is empty.
func putText(value jsontree.Object, group, name, text string) {
	settings := jsontree.Child(value, group)
	if settings == nil {
		settings = jsontree.Object{}
	}
	if settings[name] = text; text == "" {
		delete(settings, name)
	}
	value[group] = settings
}

// Package setting keeps settings: those that hold for everybody, those of
// oneself, how far somebody got in steps of the interface, and those of single
// assets.
package setting

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Where settings that hold for everybody are kept.
const (
	globalURN    = urn.URN("urn:li:globalSettings:0")
	globalAspect = "globalSettingsInfo"
)

const (
	viewType     = "dataHubView"
	viewInfo     = "dataHubViewInfo"
	templateType = "dataHubPageTemplate"
)

// Service keeps settings. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Global are the settings that hold for everybody.
type Global struct {
	View        urn.URN // what everybody starts with; empty for none
	Template    urn.URN // of the home page; empty for none
	Propagation bool    // descriptions of columns spread along lineage
}

// Global gives the settings that hold for everybody. All who are signed in may
// see them.
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

// SignOn gives the settings of single sign-on with the secret of the identity
// provider in clear, nil when there are none. It is for the service itself:
// others, whatever they may do, are fault.Forbidden and read a mask elsewhere.
func (s *Service) SignOn(ctx context.Context) (jsontree.Object, error) {
	value, err := s.edit.Catalog.Decrypted(ctx, globalURN, globalAspect)
	return jsontree.Child(value, "sso"), err
}

// SetDefaultView sets the view everybody starts with, none when it is empty.
// It must be a view for everybody. It needs auth.ManageGlobalViews.
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
	return s.change(ctx, decided, globalURN, globalAspect, func(value jsontree.Object) { put(value, "views", "defaultView", view) })
}

// view reads a view that exists and that view authorization does not hide from the actor.
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

// SetPropagation decides whether descriptions of columns spread along lineage;
// nil leaves that as it is. It needs auth.ManageFeatures.
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

// change changes an aspect of settings in place; it begins empty.
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

// put sets a text within a group of settings; an empty one takes it away.
func put(value jsontree.Object, group, name, text string) {
	settings := jsontree.Child(value, group)
	if settings == nil {
		settings = jsontree.Object{}
	}
	if settings[name] = text; text == "" {
		delete(settings, name)
	}
	value[group] = settings
}

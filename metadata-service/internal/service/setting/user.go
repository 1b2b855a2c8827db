package setting

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const ownAspect = "corpUserSettings"

const (
	maxLanguage  = 100  // bytes
	maxDismissed = 1000 // announcements; the oldest are dropped
)

// Switch is a setting that users switch on and off for themselves.
type Switch string

// Switches.
const (
	SimplifiedHomepage Switch = "SHOW_SIMPLIFIED_HOMEPAGE"
	ThemeV2            Switch = "SHOW_THEME_V2"
)

// SetSwitch switches a setting of the actor on or off.
func (s *Service) SetSwitch(ctx context.Context, name Switch, on bool) error {
	where, ok := map[Switch]string{SimplifiedHomepage: "showSimplifiedHomepage", ThemeV2: "showThemeV2"}[name]
	if !ok {
		return fault.New(fault.Malformed, "name: there is no setting %.40q", name)
	}
	return s.changeOwn(ctx, func(value jsontree.Object) { jsontree.Child(value, "appearance")[where] = on })
}

// SetLanguage sets the language of the actor, or the default if it is empty.
func (s *Service) SetLanguage(ctx context.Context, language string) error {
	if err := edit.Text("language", language, maxLanguage, false); err != nil {
		return err
	}
	return s.changeOwn(ctx, func(value jsontree.Object) { putText(value, "locale", "language", language) })
}

// SetOwnView sets the default view of the actor, or removes it if view is empty. It must be a
// global view or one of the actor.
func (s *Service) SetOwnView(ctx context.Context, view string) error {
	who, err := edit.Actor(ctx)
	if err != nil {
		return err
	}
	if view != "" {
		info, err := s.view(ctx, view)
		if err != nil {
			return err
		}
		if info["type"] != "GLOBAL" && jsontree.Child(info, "created")["actor"] != string(who) {
			return fault.New(fault.Malformed, "defaultView: %s is the own view of somebody else", view)
		}
	}
	return s.changeOwn(ctx, func(value jsontree.Object) { putText(value, "views", "defaultView", view) })
}

// HomePage holds the changes of the home page of the actor.
type HomePage struct {
	Template  string // URN of a template; empty leaves it unchanged
	Reset     bool   // reset to the default template; Template is ignored
	Dismissed []string
}

// UpdateHomePage changes the home page of the actor. The template must exist. Dismissed posts are
// added to the stored ones.
func (s *Service) UpdateHomePage(ctx context.Context, h HomePage) error {
	posts, err := s.edit.ParseAll("newDismissedAnnouncements", h.Dismissed, "post")
	if err != nil {
		return err
	}
	if h.Template != "" && !h.Reset {
		u, err := s.edit.Parse("pageTemplate", h.Template, templateType)
		if err != nil {
			return err
		}
		if err := s.edit.MustBeShown(ctx, "page template", u); err != nil {
			return err
		}
	}
	return s.changeOwn(ctx, func(value jsontree.Object) {
		if h.Reset || h.Template != "" {
			template := h.Template
			if h.Reset {
				template = ""
			}
			putText(value, "homePage", "pageTemplate", template)
		}
		if len(posts) > 0 {
			page := jsontree.Child(value, "homePage")
			if page == nil {
				page = jsontree.Object{}
			}
			page["dismissedAnnouncements"] = dismiss(page["dismissedAnnouncements"], posts)
			value["homePage"] = page
		}
	})
}

func dismiss(before any, posts []urn.URN) []any {
	list, _ := before.([]any)
	for _, u := range posts {
		if !slices.Contains(list, any(string(u))) {
			list = append(list, string(u))
		}
	}
	return list[max(0, len(list)-maxDismissed):]
}

// changeOwn changes the settings of the actor.
func (s *Service) changeOwn(ctx context.Context, apply func(value jsontree.Object)) error {
	who, err := edit.Actor(ctx)
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireOwn(ctx, who)
	if err != nil {
		return err
	}
	return s.change(ctx, decided, who, ownAspect, func(value jsontree.Object) {
		if jsontree.Child(value, "appearance") == nil {
			value["appearance"] = jsontree.Object{}
		}
		apply(value)
	})
}

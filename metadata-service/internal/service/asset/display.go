package asset

import (
	"context"
	"errors"
	"net/url"
	"regexp"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxLink is the maximum length of a link in bytes.
const maxLink = 4000

// SetEmbed sets the address of a page that shows an asset; nil removes it. It requires
// auth.EditEmbed on the entity, which must exist. The address must use http or https, since the
// page is embedded in another one.
func (s *Service) SetEmbed(ctx context.Context, resource string, address *string) error {
	u, err := s.edit.Parse("urn", resource)
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.EditEmbed, auth.EditEntity)
	if err != nil {
		return err
	}
	if err := s.supports(u, "embed"); err != nil {
		return err
	}
	if address != nil && *address != "" {
		if err := checkLink("renderUrl", *address); err != nil {
			return err
		}
	}
	if err := s.edit.MustExist(ctx, "entity", u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, amend(u, "embed", jsontree.Object{}, func(value jsontree.Object) error {
		setOrDelete(value, "renderUrl", address)
		return nil
	}))
	return err
}

// checkLink returns an error unless a text is an http or https address with a host. The model
// itself does not require a host.
func checkLink(name, text string) error {
	if err := edit.Text(name, text, maxLink, true); err != nil {
		return err
	}
	link, err := url.Parse(text)
	if err == nil && link.Host != "" && (link.Scheme == "http" || link.Scheme == "https") {
		return nil
	}
	return fault.New(fault.Malformed, "%s: %.100q is no address such as https://example.com/page", name, text)
}

// Look describes the display of an entity. Nil members stay unchanged.
type Look struct {
	Color *string // three, six or eight hex digits, with or without #
	Icon  *Icon
}

// Icon is an icon of an icon library.
type Icon struct{ Library, Name, Style *string }

var hexColor = regexp.MustCompile(`^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)

// SetLook sets the display of an entity. It requires auth.EditEntity, or the privilege for domains
// or for the part of the glossary that contains the entity. The entity must exist.
func (s *Service) SetLook(ctx context.Context, resource string, look Look) error {
	u, err := s.edit.Parse("urn", resource)
	if err != nil {
		return err
	}
	const aspect = "displayProperties"
	decided, err := s.edit.Decide(ctx, auth.Over(u, auth.EditEntity).ToWrite(aspect))
	if errors.Is(err, fault.Forbidden) {
		decided, err = s.mayWriteByType(ctx, u, aspect)
	}
	if err != nil {
		return err
	}
	if err := s.supports(u, aspect); err != nil {
		return err
	}
	if look.Color != nil && !hexColor.MatchString(*look.Color) {
		return fault.New(fault.Malformed, "colorHex: %.40q is no colour such as #1f77b4", *look.Color)
	}
	if err := s.edit.MustExist(ctx, "entity", u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, amend(u, aspect, jsontree.Object{}, look.apply))
	return err
}

func (l Look) apply(value jsontree.Object) error {
	if l.Color != nil {
		value["colorHex"] = *l.Color
	}
	if l.Icon == nil {
		return nil
	}
	icon, _ := value["icon"].(jsontree.Object)
	if icon == nil {
		icon = jsontree.Object{"iconLibrary": "MATERIAL", "style": "Outlined"}
	}
	for member, v := range map[string]*string{"iconLibrary": l.Icon.Library, "name": l.Icon.Name, "style": l.Icon.Style} {
		if v == nil {
			continue
		}
		if err := edit.Text("icon."+member, *v, edit.MaxName, true); err != nil {
			return err
		}
		icon[member] = *v
	}
	if icon["name"] == nil {
		return fault.New(fault.Malformed, "icon.name: must be given")
	}
	value["icon"] = icon
	return nil
}

package homepage

import (
	"context"
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Module is a box on a page. The member for its kind among Link, Text, Collection and Hierarchy is
// required; modules of other kinds need none.
type Module struct {
	URN        string // of the module to change or create; empty for a new one with a random id
	Name, Kind string
	Scope      string
	Link       *Link
	Text       *string // rich text
	Collection *Collection
	Hierarchy  *Hierarchy
}

// Link is a link to another page.
type Link struct {
	URL         string
	Image       *string // URL of a picture
	Description *string
}

// Collection shows assets: the listed ones, or those that match a filter.
type Collection struct {
	Assets []string
	Filter *string // JSON in the format of the web UI
}

// Hierarchy shows the descendants of assets and, optionally, related entities.
type Hierarchy struct {
	Assets  []string
	Related bool
	Filter  *string // JSON in the format of the web UI
}

// PutModule creates or replaces a module. A global module requires auth.ManageHomePage, a personal
// one belongs to its creator.
func (s *Service) PutModule(ctx context.Context, m Module) (urn.URN, error) {
	u, decided, err := s.writeTarget(ctx, ModuleType, moduleAspect, m.URN, m.Scope)
	if err != nil {
		return "", err
	}
	if err := edit.Text("name", m.Name, edit.MaxName, true); err != nil {
		return "", err
	}
	params, err := s.params(m)
	if err != nil {
		return "", err
	}
	return u, s.put(ctx, decided, u, moduleAspect, func(value jsontree.Object) {
		value["name"], value["type"], value["visibility"], value["params"] = m.Name, m.Kind, jsontree.Object{"scope": m.Scope}, params
	})
}

// DeleteModule deletes a module permanently, and removes it from all pages. A module that does not
// exist is not an error.
func (s *Service) DeleteModule(ctx context.Context, module string) error {
	u, err := s.edit.Parse("urn", module, ModuleType)
	if err != nil {
		return err
	}
	decided, err := s.mayDelete(ctx, u, moduleAspect)
	if err != nil || decided == nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

func (s *Service) params(m Module) (out jsontree.Object, err error) {
	out = jsontree.Object{}
	if m.Link != nil {
		if out["linkParams"], err = link(*m.Link); err != nil {
			return nil, err
		}
	}
	if m.Text != nil {
		if err := edit.Text("content", *m.Text, edit.MaxText, false); err != nil {
			return nil, err
		}
		out["richTextParams"] = jsontree.Object{"content": *m.Text}
	}
	if m.Collection != nil {
		assets, err := s.assets(m.Collection.Assets, "dynamicFilterJson", m.Collection.Filter)
		if err != nil {
			return nil, err
		}
		out["assetCollectionParams"] = assets
	}
	if m.Hierarchy != nil {
		assets, err := s.assets(m.Hierarchy.Assets, "relatedEntitiesFilterJson", m.Hierarchy.Filter)
		if err != nil {
			return nil, err
		}
		assets["showRelatedEntities"] = m.Hierarchy.Related
		out["hierarchyViewParams"] = assets
	}
	if name := required(m.Kind); name != "" && out[name] == nil {
		return nil, fault.New(fault.Malformed, "params: a module of the type %s needs %s", m.Kind, name)
	}
	return out, nil
}

// required returns the name of the params that a kind requires, or an empty text.
func required(kind string) string {
	switch kind {
	case "LINK":
		return "linkParams"
	case "RICH_TEXT":
		return "richTextParams"
	case "ASSET_COLLECTION":
		return "assetCollectionParams"
	case "HIERARCHY":
		return "hierarchyViewParams"
	}
	return ""
}

func link(l Link) (jsontree.Object, error) {
	if err := edit.Text("linkUrl", l.URL, edit.MaxText, true); err != nil {
		return nil, err
	}
	out := jsontree.Object{"linkUrl": l.URL}
	for name, text := range map[string]*string{"imageUrl": l.Image, "description": l.Description} {
		if text == nil {
			continue
		}
		if err := edit.Text(name, *text, edit.MaxText, false); err != nil {
			return nil, err
		}
		out[name] = *text
	}
	return out, nil
}

func (s *Service) assets(list []string, name string, filter *string) (jsontree.Object, error) {
	urns, err := s.edit.ParseAll("assetUrns", list)
	if err != nil {
		return nil, err
	}
	assets := make([]any, len(urns))
	for i, u := range urns {
		assets[i] = string(u)
	}
	out := jsontree.Object{"assetUrns": assets}
	if filter != nil {
		if err := edit.Text(name, *filter, edit.MaxText, false); err != nil {
			return nil, err
		}
		if *filter != "" && !json.Valid([]byte(*filter)) {
			return nil, fault.New(fault.Malformed, "%s: is no JSON", name)
		}
		out[name] = *filter
	}
	return out, nil
}

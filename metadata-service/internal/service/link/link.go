// Package link stores links from entities to external pages: documents, wikis, runbooks. Address
// and label together identify a link; one page may have several labels.
package link

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const aspect = "institutionalMemory"

// Limits.
const (
	maxURL   = 8192 // bytes
	maxLinks = 1000 // per entity
)

// Glossary decides about terms and nodes, whose privileges depend on their place in the glossary.
type Glossary interface {
	// MayEdit decides whether the actor may change an entry of the glossary.
	MayEdit(ctx context.Context, u urn.URN) (auth.Decisions, error)
}

// Service stores links. It is safe for concurrent use.
type Service struct {
	edit     *edit.Editor
	glossary Glossary
}

// New returns a Service.
func New(e *edit.Editor, g Glossary) *Service { return &Service{e, g} }

// Link is a link of an entity.
type Link struct {
	URL, Label string
	// Preview states whether previews of the entity show the link; nil leaves it unspecified.
	Preview *bool
}

// Add adds a link. A link with the same address and label is fault.Malformed. Like Put and Update
// it requires auth.EditLinks on the entity, which must exist, or the privilege to change that entry
// of the glossary.
func (s *Service) Add(ctx context.Context, u urn.URN, l Link) error {
	return s.change(ctx, u, l, func(list []any) ([]any, error) {
		if findLink(list, l.URL, l.Label) >= 0 {
			return nil, errLinkExists(u, l)
		}
		return append(list, s.entry(ctx, l)), nil
	})
}

// Put adds a link, or replaces the one with the same address and label.
func (s *Service) Put(ctx context.Context, u urn.URN, l Link) error {
	return s.change(ctx, u, l, func(list []any) ([]any, error) {
		i := findLink(list, l.URL, l.Label)
		if i < 0 {
			return append(list, s.entry(ctx, l)), nil
		}
		list[i] = s.updated(ctx, list[i], l)
		return list, nil
	})
}

// Update replaces the existing link with an address and label by another one. A nil Preview keeps
// the previous setting.
func (s *Service) Update(ctx context.Context, u urn.URN, address, label string, to Link) error {
	return s.change(ctx, u, to, func(list []any) ([]any, error) {
		i := findLink(list, address, label)
		if i < 0 {
			return nil, fault.New(fault.Malformed, "%s has no link to %s labelled %q", u, address, label)
		}
		if at := findLink(list, to.URL, to.Label); at >= 0 && at != i {
			return nil, errLinkExists(u, to)
		}
		next := s.updated(ctx, list[i], to)
		if settings := jsontree.AsObject(list[i])["settings"]; to.Preview == nil && settings != nil {
			next["settings"] = settings
		}
		list[i] = next
		return list, nil
	})
}

// Remove removes the link with an address and label, or all links to the address without a label.
// An absent link is not an error. It requires the same privilege as Add.
func (s *Service) Remove(ctx context.Context, u urn.URN, address string, label *string) error {
	decided, err := s.may(ctx, u)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		list, _ := value["elements"].([]any)
		kept := make([]any, 0, len(list))
		for _, e := range list {
			if o := jsontree.AsObject(e); o["url"] != address || label != nil && o["description"] != *label {
				kept = append(kept, e)
			}
		}
		if len(kept) == len(list) {
			return nil, nil
		}
		value["elements"] = kept
		return value, nil
	}})
	return err
}

// change changes the links of an existing entity. It requires auth.EditLinks on it, or the
// privilege to change that entry of the glossary.
func (s *Service) change(ctx context.Context, u urn.URN, l Link, apply func(list []any) ([]any, error)) error {
	decided, err := s.may(ctx, u)
	if err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		list, _ := value["elements"].([]any)
		list, err := apply(list)
		if err != nil {
			return nil, err
		}
		if len(list) > maxLinks {
			return nil, fault.New(fault.TooLarge, "%s has %d links already, which is the most", u, maxLinks)
		}
		value["elements"] = list
		return value, nil
	}})
	return err
}

func (s *Service) may(ctx context.Context, u urn.URN) (auth.Decisions, error) {
	decided, err := s.edit.RequireOver(ctx, u, auth.EditLinks, auth.EditEntity)
	if !errors.Is(err, fault.Forbidden) || u.Type() != "glossaryTerm" && u.Type() != "glossaryNode" {
		return decided, err
	}
	return s.glossary.MayEdit(ctx, u)
}

// check refuses links without an address or a label. The model validates the form of the address.
func (l Link) check() error {
	if err := edit.Text("linkUrl", l.URL, maxURL, true); err != nil {
		return err
	}
	return edit.Text("label", l.Label, edit.MaxName, true)
}

func errLinkExists(u urn.URN, l Link) error {
	return fault.New(fault.Malformed, "%s has a link to %s labelled %q already", u, l.URL, l.Label)
}

func findLink(list []any, address, label string) int {
	for i, e := range list {
		if o := jsontree.AsObject(e); o["url"] == address && o["description"] == label {
			return i
		}
	}
	return -1
}

func (s *Service) entry(ctx context.Context, l Link) jsontree.Object {
	o := jsontree.Object{"url": l.URL, "description": l.Label, "createStamp": s.edit.Stamp(ctx)}
	if l.Preview != nil {
		o["settings"] = jsontree.Object{"showInAssetPreview": *l.Preview}
	}
	return o
}

// updated returns a link that replaces another: with its creation stamp, and updated now.
func (s *Service) updated(ctx context.Context, old any, l Link) jsontree.Object {
	o := s.entry(ctx, l)
	o["updateStamp"] = o["createStamp"]
	if created := jsontree.AsObject(old)["createStamp"]; created != nil {
		o["createStamp"] = created
	}
	return o
}

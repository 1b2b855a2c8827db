// Package domain keeps domains, the areas of an organisation that own data, and
// says which assets belong to them. Domains form a hierarchy; no two right
// below one parent share a name.
package domain

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of domains.
const EntityType = "domain"

const (
	properties   = "domainProperties"
	parentDomain = "parentDomain" // member of the properties, and field of the search index
)

// Service keeps domains. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	owners *owner.Service
	// moving is held while domains find their place: what must not be there twice, or below
	// itself, is seen in several entities.
	moving sync.Mutex
}

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{edit: e, owners: owner.New(e)} }

// Draft describes a domain to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Parent      string        // URN of a domain; empty for the root
	Owners      []owner.Owner // nobody owns it when empty
}

// Create makes a domain. It needs auth.CreateDomains or auth.ManageDomains. A
// name that a sibling has is fault.Conflict.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.CreateDomains), auth.ForPlatform(auth.ManageDomains))
	if err != nil {
		return "", err
	}
	parent, err := s.check(d)
	if err != nil {
		return "", err
	}
	s.moving.Lock()
	defer s.moving.Unlock()
	u, err := s.edit.NewURN(ctx, "Domain", EntityType, d.ID)
	if err != nil {
		return "", err
	}
	if err := s.checkPlace(ctx, u, parent, d.Name); err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name, "created": s.edit.Stamp(ctx)}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	if parent != "" {
		value[parentDomain] = string(parent)
	}
	changes := []edit.Change{edit.Set(u, properties, value)}
	if len(d.Owners) > 0 {
		ownership, err := s.owners.Aspect(ctx, d.Owners)
		if err != nil {
			return "", err
		}
		changes = append(changes, edit.Set(u, "ownership", ownership))
	}
	return u, s.edit.Create(ctx, decided, "Domain", u, changes...)
}

func (s *Service) check(d Draft) (parent urn.URN, err error) {
	if err := edit.Text("name", d.Name, edit.MaxName, true); err != nil {
		return "", err
	}
	if d.Description != nil {
		if err := edit.Text("description", *d.Description, edit.MaxText, false); err != nil {
			return "", err
		}
	}
	return s.parseParent(d.Parent)
}

func (s *Service) parseParent(text string) (urn.URN, error) {
	if text == "" {
		return "", nil
	}
	return s.edit.Parse(parentDomain, text, EntityType)
}

// checkPlace is an error when a domain cannot stand below a parent under a name.
func (s *Service) checkPlace(ctx context.Context, u, parent urn.URN, name string) error {
	if parent != "" {
		if err := s.edit.MustExist(ctx, parentDomain, parent); err != nil {
			return err
		}
	}
	taken, err := s.edit.NameTaken(ctx, level(parent), name, u)
	if err == nil && taken {
		err = fault.New(fault.Conflict, "%q already exists in this domain. Please pick a unique name.", name)
	}
	return err
}

func level(parent urn.URN) edit.Level {
	return edit.Level{Types: []string{EntityType}, Field: parentDomain, Parent: parent}
}

// Below is the condition that finds the domains right below one, those at the
// root when it is empty.
func Below(parent urn.URN) search.Criterion { return level(parent).Filter() }

// Move puts a domain below another, or at the root when the parent is empty. It
// needs auth.ManageDomains.
func (s *Service) Move(ctx context.Context, u urn.URN, to string) error {
	decided, err := s.edit.Require(ctx, auth.ManageDomains)
	if err != nil {
		return err
	}
	parent, err := s.parseParent(to)
	if err != nil {
		return err
	}
	return s.place(ctx, decided, u, func(value jsontree.Object) (urn.URN, error) {
		value[parentDomain] = string(parent)
		if parent == "" {
			delete(value, parentDomain)
			return parent, nil
		}
		return parent, s.edit.CheckMove(ctx, u, parent)
	})
}

// Rename gives a domain another name. It needs auth.ManageDomains.
func (s *Service) Rename(ctx context.Context, u urn.URN, name string) error {
	decided, err := s.edit.Require(ctx, auth.ManageDomains)
	if err != nil {
		return err
	}
	if err := edit.Text("name", name, edit.MaxName, true); err != nil {
		return err
	}
	return s.place(ctx, decided, u, func(value jsontree.Object) (urn.URN, error) {
		value["name"] = name
		return s.edit.ParentOf(ctx, u)
	})
}

// place changes where a domain stands or what it is called there. The change
// gives the parent that the domain has then.
func (s *Service) place(ctx context.Context, decided auth.Decisions, u urn.URN, change func(value jsontree.Object) (parent urn.URN, err error)) error {
	s.moving.Lock()
	defer s.moving.Unlock()
	if err := s.edit.MustExist(ctx, "domain", u); err != nil {
		return err
	}
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"name": u.Key()}
		}
		parent, err := change(value)
		if err != nil {
			return nil, err
		}
		name, _ := value["name"].(string)
		return value, s.checkPlace(ctx, u, parent, name)
	}})
	return err
}

// Delete removes a domain for good and takes everything out of it. It needs
// auth.ManageDomains, or auth.DeleteEntity on the domain, which must have
// nothing below it.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.DecideOne(ctx, auth.Over(u, auth.DeleteEntity), auth.ForPlatform(auth.ManageDomains))
	if err != nil {
		return err
	}
	s.moving.Lock()
	defer s.moving.Unlock()
	children, err := s.edit.Count(ctx, level(u))
	if err != nil {
		return err
	}
	if children > 0 {
		return fault.New(fault.Malformed, "%s has %d domains below it; move or delete them first", u, children)
	}
	return s.edit.Delete(ctx, decided, u)
}

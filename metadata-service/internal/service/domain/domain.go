// Package domain stores domains, the areas of an organization that own data, and the membership of
// assets in them. Domains form a hierarchy; siblings have different names.
package domain

import (
	"context"

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
	parentDomain = "parentDomain" // member of the properties, and search field
)

// Service stores domains. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	owners *owner.Service
}

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{edit: e, owners: owner.New(e)} }

// Draft describes a domain to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Parent      string        // URN of a domain; empty for the root
	Owners      []owner.Owner // no owner when empty
}

// Create creates a domain. It requires auth.CreateDomains or auth.ManageDomains. The name of a
// sibling is fault.Conflict.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.CreateDomains), auth.ForPlatform(auth.ManageDomains))
	if err != nil {
		return "", err
	}
	parent, err := s.check(d)
	if err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Domain", EntityType, d.ID)
	if err != nil {
		return "", err
	}
	if err := s.mustExist(ctx, parent); err != nil {
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
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	return s.parseParent(d.Parent)
}

func (s *Service) parseParent(text string) (urn.URN, error) {
	if text == "" {
		return "", nil
	}
	return s.edit.Parse(parentDomain, text, EntityType)
}

// mustExist returns an error if the parent does not exist.
func (s *Service) mustExist(ctx context.Context, parent urn.URN) error {
	if parent == "" {
		return nil
	}
	return s.edit.MustBeShown(ctx, parentDomain, parent)
}

func level(parent urn.URN) edit.Level {
	return edit.Level{Types: []string{EntityType}, Field: parentDomain, Parent: parent}
}

// Below returns the search condition for the domains directly below a parent, or for top-level
// domains if it is empty.
func Below(parent urn.URN) search.Criterion { return level(parent).Filter() }

// Move moves a domain below another one, or to the top level if the parent is empty. It requires
// auth.ManageDomains. A domain that view authorization hides counts as absent.
func (s *Service) Move(ctx context.Context, u urn.URN, to string) error {
	decided, err := s.edit.Require(ctx, auth.ManageDomains)
	if err != nil {
		return err
	}
	parent, err := s.parseParent(to)
	if err != nil {
		return err
	}
	// Actors that may view the new place may also view its content, so a hidden domain must not be
	// moved.
	if err := s.edit.MustBeShown(ctx, "domain", u); err != nil {
		return err
	}
	return s.change(ctx, decided, u, func(value jsontree.Object) error {
		value[parentDomain] = string(parent)
		if parent == "" {
			delete(value, parentDomain)
			return nil
		}
		return s.mustExist(ctx, parent)
	})
}

// Rename renames a domain. It requires auth.ManageDomains.
func (s *Service) Rename(ctx context.Context, u urn.URN, name string) error {
	decided, err := s.edit.Require(ctx, auth.ManageDomains)
	if err != nil {
		return err
	}
	if err := edit.Text("name", name, edit.MaxName, true); err != nil {
		return err
	}
	return s.change(ctx, decided, u, func(value jsontree.Object) error {
		value["name"] = name
		return nil
	})
}

// change changes the properties of an existing domain. Rules of the catalog refuse the name of a
// sibling, and a domain below itself.
func (s *Service) change(ctx context.Context, decided auth.Decisions, u urn.URN, apply func(value jsontree.Object) error) error {
	if err := s.edit.MustExist(ctx, "domain", u); err != nil {
		return err
	}
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"name": u.Key()}
		}
		return value, apply(value)
	}})
	return err
}

// Delete deletes a domain permanently and removes all members from it. It requires
// auth.ManageDomains, or auth.DeleteEntity on the domain. A domain with subdomains that the actor
// may see is fault.Malformed; subdomains that view authorization hides become top-level domains.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.DecideOne(ctx, auth.Over(u, auth.DeleteEntity), auth.ForPlatform(auth.ManageDomains))
	if err != nil {
		return err
	}
	children, err := s.edit.Count(ctx, level(u))
	if err != nil {
		return err
	}
	if children > 0 {
		return fault.New(fault.Malformed, "%s has %d domains below it; move or delete them first", u, children)
	}
	return s.edit.Delete(ctx, decided, u)
}

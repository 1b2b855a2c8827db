package domain

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const membershipAspect = "domains"

// Target is an entity to assign to a domain. Column must be empty: columns belong to the domain of
// their dataset.
type Target struct{ URN, Column string }

// Assign moves all targets into one domain and out of all others, or moves none of them on an
// error. The domain and the targets must exist. It requires auth.EditDomains on each target.
func (s *Service) Assign(ctx context.Context, domain string, targets []Target) error {
	to, err := s.edit.Parse("domainUrn", domain, EntityType)
	if err != nil {
		return err
	}
	urns, decided, err := s.targets(ctx, targets)
	if err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, "domain", to); err != nil {
		return err
	}
	return s.put(ctx, decided, urns, []any{string(to)})
}

// Clear removes all targets, which must exist, from their domains. It requires auth.EditDomains on
// each target.
func (s *Service) Clear(ctx context.Context, targets []Target) error {
	urns, decided, err := s.targets(ctx, targets)
	if err != nil {
		return err
	}
	return s.put(ctx, decided, urns, []any{})
}

func (s *Service) put(ctx context.Context, decided auth.Decisions, urns []urn.URN, domains []any) error {
	if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
		return err
	}
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		changes = append(changes, edit.Change{URN: u, Aspect: membershipAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			if value == nil && len(domains) == 0 {
				return nil, nil
			}
			return jsontree.Object{"domains": domains}, nil
		}})
	}
	_, err := s.edit.Apply(ctx, decided, changes...)
	return err
}

// targets parses targets and decides that the actor may change their domains.
func (s *Service) targets(ctx context.Context, targets []Target) ([]urn.URN, auth.Decisions, error) {
	if len(targets) > edit.MaxTargets {
		return nil, nil, fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	urns := make([]urn.URN, 0, len(targets))
	for _, t := range targets {
		if t.Column != "" {
			return nil, nil, fault.New(fault.Malformed, "subResource: columns have no domain of their own")
		}
		u, err := s.edit.Parse("resourceUrn", t.URN)
		if err != nil {
			return nil, nil, err
		}
		urns = append(urns, u)
	}
	decided, err := s.edit.RequireEach(ctx, urns, auth.EditDomains, auth.EditEntity)
	return urns, decided, err
}

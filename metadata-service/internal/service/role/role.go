// Package role assigns roles to users and groups. A role is a name in policies, which define the
// privileges of its holders.
package role

import (
	"context"
	"errors"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of roles. Membership is the aspect of users and groups with their
// roles.
const (
	EntityType = "dataHubRole"
	Membership = "roleMembership"
)

// Invitations returns the role that an invitation grants, or an empty URN. A text that is not an
// invitation is fault.NotFound. credentials.Service implements it.
type Invitations interface {
	InvitedTo(ctx context.Context, text config.Secret) (role urn.URN, err error)
}

// Service assigns roles. It is safe for concurrent use.
type Service struct {
	edit        *edit.Editor
	invitations Invitations
	guesses     *ratelimit.Attempts // of invitations, by actor
}

// guessDelays slow down an actor that tries invitations that do not exist.
var guessDelays = ratelimit.Delays{Free: 10, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: time.Hour}

// New returns a Service.
func New(e *edit.Editor, i Invitations) *Service {
	return &Service{e, i, ratelimit.NewAttempts(guessDelays, 0, e.Now)}
}

// Assign replaces the roles of users and groups by one role, or removes them if role is empty, all
// or nothing. It requires auth.ManagePolicies. It ignores actors that are not URNs of users or
// groups, or that do not exist.
func (s *Service) Assign(ctx context.Context, role urn.URN, actors []string) error {
	decided, err := s.edit.Require(ctx, auth.ManagePolicies)
	if err != nil {
		return err
	}
	if err := s.mustExist(ctx, role); err != nil {
		return err
	}
	there, err := s.existingActors(ctx, actors)
	if err != nil {
		return err
	}
	changes := make([]edit.Change, len(there))
	for i, actor := range there {
		changes[i] = replaceRoles(actor, role)
	}
	if len(changes) == 0 {
		return nil
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// Accept replaces the roles of the actor by the role of an invitation. An invitation without a role
// changes nothing. An invalid invitation is fault.Malformed. Repeated attempts with invalid
// invitations are throttled.
func (s *Service) Accept(ctx context.Context, invitation config.Secret) error {
	who, err := edit.Actor(ctx)
	if err != nil {
		return err
	}
	if wait := s.guesses.Begin(string(who)); wait > 0 {
		return ratelimit.NewWaitError(wait, "too many invitations that do not exist; try again later")
	}
	role, err := s.invitations.InvitedTo(ctx, invitation)
	if !errors.Is(err, fault.NotFound) {
		s.guesses.Refund(string(who))
	}
	switch {
	case errors.Is(err, fault.NotFound):
		return fault.Wrap(err, fault.Malformed, "Failed to accept role using invite token %.200s. Root cause: Invite token %.200s is invalid", invitation.Reveal(), invitation.Reveal())
	case err != nil || role == "":
		return err
	}
	if err := s.mustExist(ctx, role); err != nil {
		return err
	}
	decided, err := s.edit.RequireOver(ctx, who, auth.AcceptRole)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, replaceRoles(who, role))
	return err
}

func (s *Service) mustExist(ctx context.Context, role urn.URN) error {
	if role == "" {
		return nil
	}
	there, err := s.edit.Exists(ctx, role)
	if err == nil && !there {
		err = fault.New(fault.Malformed, "Failed to assign role. Root cause: Role %s does not exist", role)
	}
	return err
}

// existingActors returns the users and groups among some texts that exist, without duplicates.
func (s *Service) existingActors(ctx context.Context, texts []string) ([]urn.URN, error) {
	if len(texts) > edit.MaxTargets {
		return nil, fault.New(fault.TooLarge, "actors: %d entries, at most %d are allowed", len(texts), edit.MaxTargets)
	}
	var named []urn.URN
	seen := map[urn.URN]bool{}
	for _, text := range texts {
		u, err := s.edit.Parse("actors", text, account.EntityType, "corpGroup")
		if err == nil && !seen[u] {
			seen[u] = true
			named = append(named, u)
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	there, err := s.edit.Catalog.StoredEntities(ctx, named...)
	if err != nil {
		return nil, err
	}
	var out []urn.URN
	for i, u := range named {
		if there[i] {
			out = append(out, u)
		}
	}
	return out, nil
}

// replaceRoles returns the change that sets the only role of an actor, or removes all roles.
func replaceRoles(actor, role urn.URN) edit.Change {
	return edit.Change{URN: actor, Aspect: Membership, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		roles := []any{}
		if role != "" {
			roles = append(roles, string(role))
		}
		if len(roles) == 0 && len(jsontree.Texts(value, "roles")) == 0 {
			return nil, nil
		}
		return jsontree.Object{"roles": roles}, nil
	}}
}

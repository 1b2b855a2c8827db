package authtest

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rule is an authorizer that calls a function for each resource of a check: an entity, the prefix
// of the URNs of a type, or an empty URN for the platform. An error of kind fault.Forbidden refuses
// the check; any other error fails the decision.
type Rule func(c auth.Check, on urn.URN) error

// Decide implements catalog.Authorizer.
func (r Rule) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, _ := auth.ActorFrom(ctx)
	out := make([]auth.Decision, len(checks))
	for i, c := range checks {
		refused, err := r.refused(c)
		switch {
		case err != nil:
			return nil, err
		case refused != nil:
			out[i] = auth.Refuse(actor.URN, c, refused)
		default:
			out[i] = auth.Allow(actor.URN, c, first(c), privilege.Reaches)
		}
	}
	return out, nil
}

func first(c auth.Check) auth.Privilege {
	if len(c.AnyOf) > 0 {
		return c.AnyOf[0]
	}
	return ""
}

func (r Rule) refused(c auth.Check) (refused, failed error) {
	resources := c.Entities
	if len(resources) == 0 {
		resources = []urn.URN{""}
		if c.Type != "" {
			resources[0] = urn.URN(urn.TypePrefix(c.Type))
		}
	}
	met := 0
	for _, on := range resources {
		switch err := r(c, on); {
		case err == nil:
			met++
		case !errors.Is(err, fault.Forbidden):
			return nil, err
		case refused == nil:
			refused = err
		}
	}
	if c.AnyEntity && met > 0 {
		return nil, nil
	}
	return refused, nil
}

// Visible implements catalog.Authorizer: the actor sees the types, and the single entities, that
// the rule does not refuse.
func (r Rule) Visible(_ context.Context, reading auth.Reading) (auth.Visibility, error) {
	v := auth.Visibility{Each: func(_ context.Context, urns []urn.URN) ([]bool, error) {
		out := make([]bool, len(urns))
		for i, u := range urns {
			refused, err := r.refused(auth.On(auth.OpRead, u, ""))
			if err != nil {
				return nil, err
			}
			out[i] = refused == nil
		}
		return out, nil
	}}
	var refusal error
	for _, t := range reading.Types {
		refused, err := r.refused(auth.OfType(auth.OpRead, t))
		switch {
		case err != nil:
			return auth.Visibility{}, err
		case refused == nil:
			v.Types = append(v.Types, t)
		case refusal == nil:
			refusal = refused
		}
	}
	if len(v.Types) == 0 && refusal != nil {
		return auth.Visibility{}, refusal
	}
	return v, nil
}

// Measures implements catalog.Authorizer: no aspect needs a privilege of its own for reading.
func (Rule) Measures(string, string) bool { return false }

// ExcludesBy implements catalog.Authorizer: no policy excludes by URN.
func (Rule) ExcludesBy(context.Context, urn.URN) (bool, error) { return false, nil }

// Restricted implements catalog.Authorizer: there is no view authorization.
func (Rule) Restricted(context.Context) ([]string, error) { return nil, nil }

// Deciding implements catalog.Authorizer.
func (Rule) Deciding() []string { return nil }

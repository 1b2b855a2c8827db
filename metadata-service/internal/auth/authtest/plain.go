package authtest

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Plain is an authorizer without policies, for tests of code that depends on decisions. The system
// actor and the administrator may do everything. All other actors may read everything that needs no
// special privilege, create and change entities that describe data, and write their own profiles
// and reports.
type Plain struct{}

// Decide implements catalog.Authorizer.
func (Plain) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	out := make([]auth.Decision, len(checks))
	for i, c := range checks {
		by, err := checkPlainly(actor, c)
		if out[i] = auth.Allow(actor.URN, c, by, privilege.Reaches); err != nil {
			out[i] = auth.Refuse(actor.URN, c, err)
		}
	}
	return out, nil
}

func checkPlainly(actor auth.Actor, c auth.Check) (by auth.Privilege, refused error) {
	resources := c.Entities
	if len(resources) == 0 {
		resources = []urn.URN{""}
		if c.Type != "" {
			resources[0] = urn.URN(urn.TypePrefix(c.Type))
		}
	}
	met := 0
	for _, on := range resources {
		needed := c.AnyOf
		if len(needed) == 0 {
			needed = privilege.Needed(c.Operation, on, c.Aspect)
		}
		held := slices.DeleteFunc(slices.Clone(needed), func(p auth.Privilege) bool { return !heldPlainly(actor, p, &c, on) })
		at := slices.IndexFunc(held, func(p auth.Privilege) bool { return actor.Scope.Permits(p, c.Operation, factsOf(on)) })
		switch {
		case at >= 0:
			by = held[at]
			met++
		case refused == nil && len(held) > 0:
			refused = auth.BeyondScope(actor, c.Operation, held[0], on)
		case refused == nil:
			refused = auth.Lacking(actor.URN, c.Operation, needed, on, "%s is unauthorized: needs the privilege %s", actor.URN, needed[0])
		}
	}
	if met == len(resources) || c.AnyEntity && met > 0 {
		return by, nil
	}
	return "", refused
}

// factsOf returns the facts of a resource that its URN contains.
func factsOf(on urn.URN) auth.ResourceFacts {
	if on == "" {
		return nil
	}
	return func(field auth.ResourceField) ([]string, bool) {
		switch {
		case field == auth.FieldType:
			return []string{on.Type()}, true
		case field == auth.FieldURN && on.Key() != "":
			return []string{string(on)}, true
		}
		return nil, false
	}
}

func heldPlainly(actor auth.Actor, p auth.Privilege, c *auth.Check, on urn.URN) bool {
	switch {
	case actor.System, actor.URN == model.RootUser:
		return true
	case p == auth.Own:
		return len(c.AnyOf) > 0 || actor.URN == on || auth.Reports(on, c.Aspect)
	case p == auth.AcceptRole:
		return actor.URN == on
	case on == "":
		return slices.Contains(commonPrivileges, p)
	case p == auth.DeleteEntity:
		return false
	case p == auth.ViewPage, p == auth.ExistsEntity:
		return true
	}
	open := privilege.Needed(auth.OpUpdate, on, "")[0] == auth.EditEntity
	if len(c.AnyOf) > 0 {
		return open && on.Type() != "domain" && on.Type() != "glossaryNode"
	}
	return open && (p == auth.EditEntity || p == auth.CreateEntity)
}

// commonPrivileges lists the platform privileges that every actor has.
var commonPrivileges = []auth.Privilege{
	auth.ViewPage, auth.GenerateTokens, auth.CreateTags, auth.CreateDomains, auth.ManageGlossaries, auth.CreateBusinessAttribute,
	auth.ViewManageTags, auth.ViewProperties, auth.ViewTests, auth.ViewAnalytics, auth.GetCounts, auth.GetTimeseries,
}

// Measures implements catalog.Authorizer: no aspect needs a privilege of its own for reading.
func (Plain) Measures(string, string) bool { return false }

// ExcludesBy implements catalog.Authorizer: no policy excludes by URN.
func (Plain) ExcludesBy(context.Context, urn.URN) (bool, error) { return false, nil }

// Restricted implements catalog.Authorizer: there is no view authorization.
func (Plain) Restricted(context.Context) ([]string, error) { return nil, nil }

// Visible implements catalog.Authorizer: the actor sees all entities of a type, or none.
func (p Plain) Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error) {
	checks := make([]auth.Check, len(reading.Types))
	for i, name := range reading.Types {
		checks[i] = auth.OfType(auth.OpRead, name)
	}
	decisions, err := p.Decide(ctx, checks)
	if err != nil {
		return auth.Visibility{}, err
	}
	v := auth.Visibility{Each: func(ctx context.Context, urns []urn.URN) ([]bool, error) { return p.sees(ctx, urns) }}
	for i, d := range decisions {
		if d.Allowed() {
			v.Types = append(v.Types, reading.Types[i])
		}
	}
	if len(v.Types) == 0 && len(decisions) > 0 {
		return auth.Visibility{}, decisions[0].Err()
	}
	return v, nil
}

func (p Plain) sees(ctx context.Context, urns []urn.URN) ([]bool, error) {
	checks := make([]auth.Check, len(urns))
	for i, u := range urns {
		checks[i] = auth.On(auth.OpRead, u, "")
	}
	decisions, err := p.Decide(ctx, checks)
	out := make([]bool, len(urns))
	for i := range decisions {
		out[i] = decisions[i].Allowed()
	}
	return out, err
}

// Deciding implements catalog.Authorizer.
func (Plain) Deciding() []string { return nil }

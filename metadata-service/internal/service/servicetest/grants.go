package servicetest

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Grants are the only privileges of all actors, for tests of the privileges that a service
// requires. Ownership by the actor is decided as usual.
type Grants struct {
	Platform  []auth.Privilege
	Over      map[urn.URN][]auth.Privilege
	ownership auth.Decider // of World.Granting; nil permits all checks of auth.Own
}

var _ auth.Decider = Grants{}

// Decide implements auth.Decider.
func (g Grants) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	return authtest.Rule(func(c auth.Check, on urn.URN) error { return g.refused(ctx, c, on) }).Decide(ctx, checks)
}

func (g Grants) refused(ctx context.Context, c auth.Check, on urn.URN) error {
	held := g.Over[on]
	if on == "" {
		held = g.Platform
	}
	needed := c.AnyOf
	if len(needed) == 0 && c.Operation == auth.OpManage {
		needed = privilege.Needed(auth.OpUpdate, on, "")
	}
	for _, p := range needed {
		if p == auth.AcceptRole || slices.Contains(held, p) {
			return nil
		}
	}
	if slices.Contains(needed, auth.Own) {
		if g.ownership == nil {
			return nil
		}
		_, err := auth.Require(ctx, g.ownership, auth.Over(on, auth.Own))
		return err
	}
	if on == "" {
		return fault.New(fault.Forbidden, "needs %s", needed[0])
	}
	return fault.New(fault.Forbidden, "needs one of %v over %s", needed, on)
}

// Granting returns an editor of the World with which no actor has other privileges.
//
// Afterwards the catalog refuses all writes without a decision, so a service must pass its
// decisions on.
func (w *World) Granting(g Grants) *edit.Editor {
	w.granted.Store(true)
	g.ownership = w.Rights
	return &edit.Editor{Catalog: w.Edit.Catalog, Discover: w.Edit.Discover, Registry: w.Edit.Registry, Authorizer: g, Now: w.Edit.Now}
}

// switchedAuthorizer is the authorizer of the catalog of a World: that of the World, or after
// Granting one that refuses every write.
type switchedAuthorizer struct{ w *World }

func (s switchedAuthorizer) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	if !s.w.granted.Load() {
		return s.w.Rights.Decide(ctx, checks)
	}
	return authtest.Rule(func(c auth.Check, on urn.URN) error {
		if len(c.AnyOf) > 0 || c.Operation == auth.OpRead || c.Operation == auth.OpExists {
			return nil
		}
		return fault.New(fault.Forbidden, "no decision covers %s %s of %s", c.Operation, c.Aspect, on)
	}).Decide(ctx, checks)
}

func (s switchedAuthorizer) Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error) {
	return s.w.Rights.Visible(ctx, reading)
}

func (s switchedAuthorizer) ExcludesBy(ctx context.Context, u urn.URN) (bool, error) {
	return s.w.Rights.ExcludesBy(ctx, u)
}

func (s switchedAuthorizer) Restricted(ctx context.Context) ([]string, error) {
	return s.w.Rights.Restricted(ctx)
}

func (s switchedAuthorizer) Measures(entityType, aspect string) bool {
	return s.w.Rights.Measures(entityType, aspect)
}

func (switchedAuthorizer) Deciding() []string { return nil }

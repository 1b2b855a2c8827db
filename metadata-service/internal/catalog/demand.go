package catalog

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// meetDemands refuses a change that requires rights which the actor lacks in addition to those over
// its entity. Demands depend on the change, so they are checked inside the transaction against the
// data that is current at the commit.
func (t *txn) meetDemands(c *change, batch placing, by rule.Writing) error {
	if t.actor.System {
		return nil
	}
	for _, r := range c.rules {
		applies := by <= r.DemandedOf || by == rule.ByRollback && r.DemandsOfRollbacks
		if r.Demands == nil || !applies || c.WithEntity && !r.DemandsWithEntity {
			continue
		}
		demands, err := r.Demands(ruleTx{t}, &c.Change)
		if err != nil {
			return err
		}
		for i := range demands {
			if by == rule.ByService && t.waives(c, &demands[i]) {
				continue
			}
			if err := t.meetDemand(c.URN, batch, &demands[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// waives reports whether the write rests on a decision by a privilege that permits the change as a
// whole.
func (t *txn) waives(c *change, d *rule.Demand) bool {
	return slices.ContainsFunc(t.options.Decisions, func(decided auth.Decision) bool {
		return slices.Contains(d.WaivedBy, decided.Privilege()) && decided.Covers(t.actor.URN, auth.OpUpdate, c.URN, c.Aspect.Name)
	})
}

func (t *txn) meetDemand(u urn.URN, batch placing, d *rule.Demand) error {
	if d.PassesOn != nil {
		return t.meetPassingOn(d)
	}
	if d.Shown != nil {
		return t.meetShown(d)
	}
	var refused error
	ctx := auth.WithDecisionCache(t.ctx)
	for _, check := range d.OneOf { // one by one: most actors pass the first check, and others may concern many entities
		decisions, err := t.Authorizer.Decide(ctx, []auth.Check{batch.within(check, u)})
		if err != nil {
			return err
		}
		if decisions[0].Allowed() {
			return nil
		}
		if refused == nil {
			refused = decisions[0].Err()
		}
	}
	return t.refuseDemand(d, refused)
}

// within completes a check about the changed entity by what the batch does to it.
func (p placing) within(c auth.Check, u urn.URN) auth.Check {
	if slices.Contains(c.Entities, u) {
		c.Anew, c.WholeAnew = p.anew, p.wholeAnew
		if !c.DomainsAfter {
			c.Domains = p.domains
		}
	}
	return c
}

// meetPassingOn checks that the actor itself holds the platform privileges that a change gives to
// other actors. It ignores privileges over single assets: an actor that decides the members of a
// team also decides which assets they may work on.
func (t *txn) meetPassingOn(d *rule.Demand) error {
	var checks []auth.Check
	for _, p := range d.PassesOn {
		if auth.OfPlatform(p) {
			checks = append(checks, auth.ForPlatform(auth.ManagePolicies, p))
		}
	}
	if len(checks) == 0 {
		return nil
	}
	decisions, err := t.Authorizer.Decide(auth.WithDecisionCache(t.ctx), checks)
	if err != nil {
		return err
	}
	if err := auth.Decisions(decisions).Err(); err != nil {
		return t.refuseDemand(d, err)
	}
	return nil
}

// meetShown checks that view authorization hides none of the entities that the actor must be able
// to view.
func (t *txn) meetShown(d *rule.Demand) error {
	ctx := auth.WithDecisionCache(t.ctx)
	hidden, err := t.Hidden(ctx, d.Shown)
	if err != nil {
		return err
	}
	var checks []auth.Check
	for i, u := range d.Shown {
		if hidden[i] {
			checks = append(checks, auth.On(auth.OpRead, u, ""))
		}
	}
	if len(checks) == 0 {
		return nil
	}
	decisions, err := t.Authorizer.Decide(ctx, checks)
	if err != nil {
		return err
	}
	if err := auth.Decisions(decisions).Err(); err != nil {
		return t.refuseDemand(d, err)
	}
	return nil
}

// refuseDemand returns the refusal of a change for an unmet demand. Its text names no entity that
// view authorization hides from the actor.
func (t *txn) refuseDemand(d *rule.Demand, cause error) error {
	named := d.Refusal.URNs()
	hidden, err := t.Hidden(auth.WithDecisionCache(t.ctx), named)
	if err != nil {
		return err
	}
	concealed := map[urn.URN]bool{}
	for i, u := range named {
		concealed[u] = hidden[i] && u != t.actor.URN
	}
	text := d.Refusal.Text(func(u urn.URN) string {
		if concealed[u] {
			return auth.HiddenEntity
		}
		return string(u)
	})
	refused := fault.Refuse(fault.RefusalOf(cause), "%s", text)
	refused.Cause = cause
	return refused
}

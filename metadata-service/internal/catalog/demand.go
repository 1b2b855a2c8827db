package catalog

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/pkg/fault"
)

// meetDemands refuses a change that takes rights which the actor lacks beyond those
// over its entity. It is asked in the transaction, since demands depend on what
// changes; what is stored about other entities is read as it is committed.
func (t *txn) meetDemands(it *item, c *change) error {
	for _, r := range c.rules {
		if r.Demands == nil {
			continue
		}
		demands, err := r.Demands(ruleTx{t}, &c.Change)
		if err != nil {
			return err
		}
		for i := range demands {
			if err := t.meet(it, &demands[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *txn) meet(it *item, d *rule.Demand) error {
	checks := make([]auth.Check, len(d.Rights))
	for i, r := range d.Rights {
		checks[i] = auth.Check{
			Operation: auth.Operation(r.Operation), Entities: r.On, AnyEntity: r.One, Tags: r.Tags, Domains: r.Domains, DomainsAfter: r.DomainsAfter,
		}
		if !r.DomainsAfter && slices.Contains(r.On, it.urn) {
			checks[i].Domains = it.domains
		}
		for _, p := range r.Privileges {
			checks[i].AnyOf = append(checks[i].AnyOf, auth.Privilege(p))
		}
	}
	decisions, err := t.Authorizer.Decide(auth.WithDecisionCache(t.ctx), checks)
	if err != nil {
		return err
	}
	first := auth.Decisions(decisions).First()
	switch {
	case first.Allowed():
		return nil
	case d.Invalid:
		return fault.New(fault.Invalid, "%s", d.Refusal)
	}
	refused := fault.Refuse(fault.RefusalOf(first.Err()), "%s", d.Refusal)
	refused.Cause = first.Err()
	return refused
}

package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// DeleteEntity permanently removes an entity: all versions of its aspects and its time-series
// documents. References to it remain, except those that rules remove. For an absent entity the
// counts are zero. An entity of a managed type, such as an access token, is revoked, see
// Managed.Revoke. The deletion is not authorized again if one of the decisions covers it.
func (s *Service) DeleteEntity(ctx context.Context, u urn.URN, decisions ...auth.Decision) (Deleted, error) {
	entity, err := s.mayDeleteAny(ctx, u, decisions)
	if err != nil {
		return Deleted{}, err
	}
	if entity.Key.Managed {
		return s.revoke(ctx, u, entity)
	}
	documents, err := s.countDocuments(ctx, u, entity)
	if err != nil {
		return Deleted{}, err
	}
	out := Deleted{TimeseriesRows: documents}
	by := rule.ByTable
	if len(decisions) > 0 {
		by = rule.ByService
	}
	err = s.transact(ctx, WriteOptions{Decisions: decisions}, func(t *txn) error {
		out.Rows, err = t.removeEntity(u, entity, removalOptions{writing: &by})
		return err
	})
	return out, err
}

func (s *Service) countDocuments(ctx context.Context, u urn.URN, entity *model.EntitySpec) (int64, error) {
	total := int64(0)
	for _, a := range entity.Timeseries {
		n, err := s.Documents.Count(ctx, timeseries.IndexName(entity.Name, a.Name), timeseries.Query{URNs: []urn.URN{u}})
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// removalOptions qualify the removal of an entity.
type removalOptions struct {
	run   string // run ID to note in the log
	depth int    // number of derived changes that led to the removal
	// allowed is set when the rules have already been asked, or do not apply, as for a revocation.
	allowed bool
	// writing is the way in which a caller requests the removal: the actor must have the rights that
	// the changes require in addition to those over the entity. It is nil for a removal that
	// follows from another change.
	writing *rule.Writing
}

// removeEntity applies the rules and removes all rows of an entity. It returns the number of rows
// removed.
func (t *txn) removeEntity(u urn.URN, entity *model.EntitySpec, o removalOptions) (int, error) {
	if err := t.checkNotRevoked(u, entity); err != nil {
		return 0, err
	}
	changes, err := t.removals(u, entity, o)
	if err != nil || len(changes) == 0 {
		return 0, err
	}
	if o.writing != nil {
		for _, c := range changes {
			if err := t.meetDemands(c, placing{}, *o.writing); err != nil {
				return 0, err
			}
		}
	}
	if !o.allowed {
		if err := t.allowRemovals(changes); err != nil {
			return 0, err
		}
	}
	rows, err := store.DeleteEntity(t.ctx, t.tx, u, entity.Key.Name, t.removal(o.run))
	if err != nil || rows == 0 {
		// Without a key there are no time-series documents, since the first document would have
		// created the key.
		return 0, err
	}
	t.rows.forget(u, entity)
	delete(t.created, u)
	for _, a := range entity.Timeseries {
		if err := t.eraseDocuments(u, a.Name, LoggedErasure{}, o.run); err != nil {
			return 0, err
		}
	}
	for _, c := range changes {
		if err := t.settle(c); err != nil {
			return 0, err
		}
		if err := t.awaitAgain(c); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// removals returns the changes that the removal of an entity consists of, the key last.
func (t *txn) removals(u urn.URN, entity *model.EntitySpec, o removalOptions) ([]*change, error) {
	latest, err := t.tx.Aspects(t.ctx, []urn.URN{u})
	if err != nil {
		return nil, err
	}
	var changes []*change
	for i := range latest[0] {
		rec := &latest[0][i]
		spec, known := entity.Aspect(rec.Aspect)
		if !known {
			spec = &model.AspectSpec{Name: rec.Aspect} // stored under another model; no rule concerns it
		}
		c := &change{
			Change: rule.Change{URN: u, Entity: entity, Aspect: spec, WithEntity: true, Derived: o.depth > 0},
			rules:  t.Rules.For(entity, spec), old: rec, depth: o.depth,
		}
		if err := c.decode(); err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b *change) int {
		switch {
		case a.Aspect.IsKey == b.Aspect.IsKey:
			return 0
		case a.Aspect.IsKey:
			return 1
		}
		return -1
	})
	return changes, nil
}

func (t *txn) allowRemovals(changes []*change) error {
	for _, c := range changes {
		for _, r := range c.rules {
			if r.AllowRemoval == nil {
				continue
			}
			if err := r.AllowRemoval(ruleTx{t}, &c.Change); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeAspect applies the rules and removes all versions of an aspect; the entity remains. It is
// for removals that follow from other changes, so it checks no rights.
func (t *txn) removeAspect(entity *model.EntitySpec, key store.Key, system model.SystemMetadata) (store.Stored, error) {
	c, err := t.newChange(entity, key, nil)
	if err != nil || c.old == nil {
		return store.Stored{}, err
	}
	return t.remove(c, system)
}

// removeAspectBy is removeAspect for a removal that a caller requests: the actor must have the
// rights that the change requires in addition to those over the entity.
func (t *txn) removeAspectBy(by rule.Writing, entity *model.EntitySpec, key store.Key, system model.SystemMetadata) (store.Stored, error) {
	c, err := t.newChange(entity, key, nil)
	if err != nil || c.old == nil {
		return store.Stored{}, err
	}
	if permitted, err := t.permitRemoval(by, c); err != nil || !permitted {
		return store.Stored{}, err
	}
	return t.remove(c, system)
}

// permitRemoval reports whether the actor may see the entity of the removed aspect. It fails if the
// actor lacks the rights that the change requires in addition to those over the entity.
func (t *txn) permitRemoval(by rule.Writing, c *change) (bool, error) {
	if by == rule.ByTable && !t.actor.System {
		// The actor can get here only by a right over an entity that the aspect names. A refusal
		// would disclose that the hidden entity exists.
		hidden, err := t.Hidden(auth.WithDecisionCache(t.ctx), []urn.URN{c.URN})
		if err != nil || hidden[0] {
			return false, err
		}
	}
	return true, t.meetDemands(c, placing{}, by)
}

func (t *txn) remove(c *change, system model.SystemMetadata) (store.Stored, error) {
	if err := t.allowRemovals([]*change{c}); err != nil {
		return store.Stored{}, err
	}
	return t.carryRemoval(c, system)
}

func (t *txn) carryRemoval(c *change, system model.SystemMetadata) (store.Stored, error) {
	c.system, c.run = system, system.RunID
	return t.carry(c)
}

// DeleteAspects removes all versions of the named aspects (ignoring case), and the newest document
// of time-series aspects. If the key aspect is among them, it removes the entity. Absent aspects
// are no error; unknown ones are fault.Malformed.
func (s *Service) DeleteAspects(ctx context.Context, u urn.URN, aspects ...string) (Deleted, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Deleted{}, err
	}
	specs := make([]*model.AspectSpec, len(aspects))
	for i, name := range aspects {
		spec, ok := entity.AspectFold(name)
		if !ok {
			return Deleted{}, fault.New(fault.Malformed, "%s has no aspect %q", entity.Name, name)
		}
		specs[i] = spec
	}
	if slices.Contains(specs, entity.Key) {
		return s.DeleteEntity(ctx, u)
	}
	return s.deleteAspects(ctx, u, auth.OpDelete, specs)
}

// UnsetAspect removes an aspect whose absence is equivalent to an empty value, such as a link to
// another entity. It requires the right to update the entity, as writing an empty value would, not
// the right to delete it. An absent aspect is no error.
func (s *Service) UnsetAspect(ctx context.Context, u urn.URN, aspect string) (Deleted, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Deleted{}, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || spec.IsKey || spec.Timeseries {
		return Deleted{}, fault.New(fault.Malformed, "%s has no aspect %q that can be unset", entity.Name, aspect)
	}
	return s.deleteAspects(ctx, u, auth.OpUpdate, []*model.AspectSpec{spec})
}

// ClearEntity removes all versioned aspects except the key and managed aspects.
func (s *Service) ClearEntity(ctx context.Context, u urn.URN) (Deleted, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Deleted{}, err
	}
	specs := slices.DeleteFunc(slices.Clone(entity.Aspects), func(a *model.AspectSpec) bool { return a.IsKey || a.Managed })
	return s.deleteAspects(ctx, u, auth.OpDelete, specs)
}

// deleteAspects removes aspects; by is the operation whose right it requires.
func (s *Service) deleteAspects(ctx context.Context, u urn.URN, by auth.Operation, specs []*model.AspectSpec) (Deleted, error) {
	var out Deleted
	for _, spec := range specs {
		if spec.Managed {
			return out, fault.New(fault.Forbidden, "%s is managed by the service: it is not deleted through this interface", spec.Name)
		}
	}
	names := make([]string, len(specs))
	for i, spec := range specs {
		names[i] = spec.Name
	}
	entity, err := s.mayRemove(ctx, u, by, nil, names...)
	if err == nil {
		err = notManaged(entity)
	}
	if err != nil || len(specs) == 0 {
		return out, err
	}
	newest := map[string]string{}
	for _, spec := range specs {
		if !spec.Timeseries {
			continue
		}
		latest, err := s.Documents.Latest(ctx, timeseries.IndexName(entity.Name, spec.Name), []urn.URN{u})
		if err != nil {
			return out, err
		}
		if doc, ok := latest[u]; ok {
			newest[spec.Name] = doc.ID
		}
	}
	err = s.transact(ctx, WriteOptions{}, func(t *txn) error {
		out = Deleted{}
		permitted, err := t.permitRemovals(u, entity, specs)
		if err != nil {
			return err
		}
		for _, spec := range permitted {
			if err := t.deleteAspect(u, entity, spec, newest, &out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// permitRemovals checks the rights over all aspects that a caller removes together, and then the
// rules, before it removes the first aspect: a rule may read one of them. It omits absent aspects.
func (t *txn) permitRemovals(u urn.URN, entity *model.EntitySpec, specs []*model.AspectSpec) ([]*model.AspectSpec, error) {
	var permitted []*model.AspectSpec
	var changes []*change
	for _, spec := range specs {
		if spec.Timeseries {
			permitted = append(permitted, spec)
			continue
		}
		c, err := t.newChange(entity, store.Key{URN: u, Aspect: spec.Name}, nil)
		if err != nil {
			return nil, err
		}
		if c.old == nil {
			continue
		}
		switch visible, err := t.permitRemoval(rule.ByTable, c); {
		case err != nil:
			return nil, err
		case visible:
			permitted, changes = append(permitted, spec), append(changes, c)
		}
	}
	return permitted, t.allowRemovals(changes)
}

// deleteAspect removes an aspect whose removal is already permitted.
func (t *txn) deleteAspect(u urn.URN, entity *model.EntitySpec, spec *model.AspectSpec, newest map[string]string, out *Deleted) error {
	if !spec.Timeseries {
		c, err := t.newChange(entity, store.Key{URN: u, Aspect: spec.Name}, nil)
		if err != nil || c.old == nil {
			return err
		}
		stored, err := t.carryRemoval(c, model.SystemMetadata{})
		out.Rows += stored.Rows
		return err
	}
	id, ok := newest[spec.Name]
	if !ok {
		return nil
	}
	out.TimeseriesRows++
	return t.eraseDocuments(u, spec.Name, LoggedErasure{IDs: []string{id}}, "")
}

// DeleteTimeseries removes the documents of one time-series aspect of an entity in an inclusive
// time range in epoch ms; nil leaves an end open. It returns the number of plain documents removed.
func (s *Service) DeleteTimeseries(ctx context.Context, u urn.URN, aspect string, from, to *int64) (int64, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return 0, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || !spec.Timeseries {
		return 0, fault.New(fault.Malformed, "%s has no time-series aspect %q", entity.Name, aspect)
	}
	if _, err := s.mayDelete(ctx, u, nil, spec.Name); err != nil {
		return 0, err
	}
	if err := s.Writable(ctx); err != nil {
		return 0, err
	}
	count, err := s.Documents.Count(ctx, timeseries.IndexName(entity.Name, spec.Name), timeseries.Query{URNs: []urn.URN{u}, From: from, To: to})
	if err != nil || count == 0 {
		return 0, err
	}
	return count, s.transact(ctx, WriteOptions{}, func(t *txn) error {
		return t.eraseDocuments(u, spec.Name, LoggedErasure{From: from, To: to}, "")
	})
}

// deleteItem carries out a proposal to delete an aspect, or the entity if the aspect is the key.
func (t *txn) deleteItem(it *item) error {
	if it.Spec.Timeseries {
		return fault.New(fault.Invalid, "%s is a time series: its change type must be UPSERT, not DELETE", it.Spec.Name)
	}
	old, err := t.rows.get(t.ctx, it.Key())
	if err != nil {
		return err
	}
	seen, err := t.visibleRow(it, old)
	if err != nil {
		return err
	}
	if err := it.Conditions.Check(seen); err != nil {
		return err
	}
	if seen != old {
		t.report(it, Removed, nil) // same result as for an absent aspect
		return nil
	}
	if it.Spec.IsKey {
		by := it.writing()
		_, err = t.removeEntity(it.URN, it.Entity, removalOptions{run: it.System.RunID, writing: &by})
	} else {
		_, err = t.removeAspectBy(it.writing(), it.Entity, it.Key(), it.System)
	}
	if err != nil {
		return err
	}
	t.report(it, Removed, nil)
	return nil
}

// mayDelete authorizes a hard deletion, of an entity if no aspects are named. It refuses managed
// entities.
func (s *Service) mayDelete(ctx context.Context, u urn.URN, decisions auth.Decisions, aspects ...string) (*model.EntitySpec, error) {
	entity, err := s.mayDeleteAny(ctx, u, decisions, aspects...)
	if err == nil {
		err = notManaged(entity)
	}
	return entity, err
}

func notManaged(entity *model.EntitySpec) error {
	if !entity.Key.Managed {
		return nil
	}
	return fault.New(fault.Forbidden, "%s is managed by the service: it is not deleted through this interface", entity.Name)
}

func (s *Service) mayDeleteAny(ctx context.Context, u urn.URN, decisions auth.Decisions, aspects ...string) (*model.EntitySpec, error) {
	return s.mayRemove(ctx, u, auth.OpDelete, decisions, aspects...)
}

// mayRemove authorizes a removal; by is the operation whose right it requires.
func (s *Service) mayRemove(ctx context.Context, u urn.URN, by auth.Operation, decisions auth.Decisions, aspects ...string) (*model.EntitySpec, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return nil, err
	}
	if len(aspects) == 0 {
		aspects = []string{""}
	}
	var checks []auth.Check
	for _, aspect := range aspects {
		if !decisions.Cover(actor.URN, by, u, aspect) {
			check := auth.On(by, u, aspect)
			check.Named = len(decisions) == 0 // a service may remove aspects that the client has not named
			checks = append(checks, check)
		}
	}
	return entity, s.Permit(ctx, checks...)
}

package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// References are the aspects that name an entity, without those of entities that view authorization
// hides from the actor.
type References struct {
	// Total counts pairs of aspect and relationship; Related holds the first 1000 of them.
	Total   int
	Related []RelatedAspect
}

// RelatedAspect is an aspect that names an entity by a relationship.
type RelatedAspect struct {
	URN          urn.URN
	Aspect       string
	Relationship string
}

// Limits of a deletion of references.
const (
	maxRelated     = 1000 // listed in References.Related
	referenceBatch = 200  // aspects changed in one transaction
)

// DeleteReferences removes an entity from all aspects that name it, whether or not the entity
// exists. It removes list elements and optional members, and the whole aspect if the aspect
// requires the reference. A dry run only reports the references. References written during the call
// remain. Aspects that the actor may not edit stay unchanged if the entity exists and no decisions
// are given, or if Authorizer.ExcludesBy reports that policies or the access token depend on the
// entity. Otherwise they are changed without a check of the right to edit them.
func (s *Service) DeleteReferences(ctx context.Context, u urn.URN, dryRun bool, decisions ...auth.Decision) (References, error) {
	if _, err := s.mayDelete(ctx, u, decisions); err != nil {
		return References{}, err
	}
	found, keys, err := s.referrers(ctx, u)
	if err != nil {
		return References{}, err
	}
	out, err := s.shownReferences(ctx, found)
	if err != nil || dryRun {
		return out, err
	}
	checksRights, err := s.Authorizer.ExcludesBy(ctx, u)
	if err != nil {
		return References{}, err
	}
	if len(decisions) == 0 && !checksRights {
		there, err := s.StoredEntities(ctx, u)
		if err != nil {
			return References{}, err
		}
		checksRights = there[0]
	}
	if checksRights {
		if keys, err = s.editableKeys(ctx, keys); err != nil {
			return References{}, err
		}
	}
	for len(keys) > 0 {
		batch := keys[:min(referenceBatch, len(keys))]
		keys = keys[len(batch):]
		if err := s.transact(ctx, WriteOptions{}, func(t *txn) error { return t.takeOut(u, batch, checksRights) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// referrers returns the aspects that name an entity.
func (s *Service) referrers(ctx context.Context, u urn.URN) (related []RelatedAspect, order []store.Key, err error) {
	seen := map[RelatedAspect]bool{}
	keys := map[store.Key]bool{}
	// Find all referrers before the first change, because changes would shift the listing.
	for after := (*model.EdgeKey)(nil); ; {
		found, next, err := graph.Referrers(ctx, s.Graph, s.Registry, u, after, 0)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range found {
			spec, ok := s.Registry.Aspect(r.Key.Aspect)
			ref := RelatedAspect{URN: r.Key.URN, Aspect: r.Key.Aspect, Relationship: r.Relationship}
			if !ok || spec.IsKey || spec.Confidential() || seen[ref] {
				continue
			}
			seen[ref] = true
			related = append(related, ref)
			if !keys[r.Key] {
				keys[r.Key] = true
				order = append(order, r.Key)
			}
		}
		if next == nil {
			return related, order, nil
		}
		after = next
	}
}

// shownReferences counts and lists the aspects of entities that are not hidden from the actor.
func (s *Service) shownReferences(ctx context.Context, found []RelatedAspect) (out References, err error) {
	urns := make([]urn.URN, len(found))
	for i := range found {
		urns[i] = found[i].URN
	}
	hidden, err := s.Hidden(ctx, urns)
	if err != nil {
		return out, err
	}
	for i := range found {
		if hidden[i] {
			continue
		}
		if out.Total++; len(out.Related) < maxRelated {
			out.Related = append(out.Related, found[i])
		}
	}
	return out, nil
}

// editableKeys returns the aspects that the actor may edit.
func (s *Service) editableKeys(ctx context.Context, keys []store.Key) (kept []store.Key, err error) {
	for part := range slices.Chunk(keys, authorizedAtOnce) {
		checks := make([]auth.Check, len(part))
		for i, key := range part {
			checks[i] = auth.On(auth.OpUpdate, key.URN, key.Aspect)
		}
		refused, err := s.Refusals(ctx, checks...)
		if err != nil {
			return nil, err
		}
		for i, key := range part {
			if refused[i] == nil {
				kept = append(kept, key)
			}
		}
	}
	return kept, nil
}

// takeOut removes an entity from some aspects. If checksRights is set, it leaves an aspect
// unchanged when the actor lacks a right that the change requires.
func (t *txn) takeOut(u urn.URN, keys []store.Key, checksRights bool) error {
	if err := t.rows.load(t.ctx, keys); err != nil {
		return err
	}
	for _, key := range keys {
		if err := t.takeOutOf(u, key, checksRights); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) takeOutOf(u urn.URN, key store.Key, checksRights bool) error {
	rec, err := t.rows.get(t.ctx, key)
	if err != nil || rec == nil {
		return err
	}
	entity, known := t.Service.Registry.Entity(key.URN.Type())
	if !known {
		return nil
	}
	spec, known := entity.Aspect(key.Aspect)
	if !known {
		return nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return err
	}
	without, removed, kept := spec.RemoveReference(value, u)
	switch {
	case len(kept) > 0:
		c, err := t.newChange(entity, key, nil)
		if may, err := t.mayTakeOut(c, auth.OpDelete, checksRights, err); !may {
			return err
		}
		_, err = t.remove(c, model.SystemMetadata{})
		return err
	case removed == 0:
		return nil
	}
	c, err := t.newChange(entity, key, proposal.Normalize(t.Rules.For(entity, spec), jsontree.With(without, nil)))
	if may, err := t.mayTakeOut(c, auth.OpUpdate, checksRights, err); !may {
		return err
	}
	c.system, c.Derived = model.SystemMetadata{RunID: rec.System.RunID}, true
	if err := t.applyRules(c); err != nil {
		return err
	}
	_, err = t.carry(c)
	return err
}

// mayTakeOut reports whether the change may be made. If checksRights is set, the actor must have
// the right over the changed entity and those that the change requires in addition.
func (t *txn) mayTakeOut(c *change, op auth.Operation, checksRights bool, err error) (bool, error) {
	if err != nil || !checksRights {
		return err == nil, err
	}
	decisions, err := t.Authorizer.Decide(auth.WithDecisionCache(t.ctx), []auth.Check{auth.On(op, c.URN, c.Aspect.Name)})
	if err != nil || !decisions[0].Allowed() {
		return false, err
	}
	if c.Before, err = c.before(); err != nil {
		return false, err
	}
	c.By = decisions[0].Privilege()
	err = t.meetDemands(c, placing{}, rule.ByTable)
	if fault.KindOf(err) == fault.Forbidden {
		return false, nil
	}
	return err == nil, err
}

package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// DeleteEntity removes an entity for good: all versions of its aspects and its
// time-series documents. What refers to it stays. An absent entity gives zero
// counts. Managed entity types are refused. It is not decided again when one of
// the decisions covers it.
func (s *Service) DeleteEntity(ctx context.Context, u urn.URN, decisions ...auth.Decision) (Deleted, error) {
	entity, by, err := s.mayDelete(ctx, u, "", decisions...)
	if err != nil {
		return Deleted{}, err
	}
	documents, err := s.countDocuments(ctx, u, entity)
	if err != nil {
		return Deleted{}, err
	}
	out := Deleted{TimeseriesRows: documents}
	err = s.change(ctx, func(tx store.Tx) error {
		out.Rows, err = removeEntity(ctx, tx, u, entity, by)
		return err
	})
	if err != nil {
		return out, err
	}
	return out, s.afterDeletion(ctx, u, by)
}

// mayDelete authorizes a hard deletion and says on whose behalf it is logged.
func (s *Service) mayDelete(ctx context.Context, u urn.URN, aspect string, decisions ...auth.Decision) (*model.EntitySpec, store.Removal, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return nil, store.Removal{}, fault.New(fault.Unauthenticated, "who deletes is not known")
	}
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return nil, store.Removal{}, err
	}
	if entity.Key.Managed {
		return nil, store.Removal{}, fault.New(fault.Forbidden, "%s is managed by the service: it is not deleted through this interface", entity.Name)
	}
	if !auth.Decisions(decisions).Cover(actor.URN, auth.OpDelete, u, aspect) {
		if err := s.permit(ctx, auth.On(auth.OpDelete, u, aspect)); err != nil {
			return nil, store.Removal{}, err
		}
	}
	if err := s.writable(); err != nil {
		return nil, store.Removal{}, err
	}
	return entity, s.removal(actor), nil
}

func (s *Service) removal(actor auth.Actor) store.Removal {
	return store.Removal{Actor: actor.URN, Now: s.Now().UnixMilli(), Edges: s.restoredEdges}
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

// removeEntity refuses what must not go and removes the rest of the entity.
func removeEntity(ctx context.Context, tx store.Tx, u urn.URN, entity *model.EntitySpec, by store.Removal) (int, error) {
	t := &txn{ctx: ctx, tx: tx}
	if err := t.checkNotBuried(u, entity); err != nil {
		return 0, err
	}
	for _, aspect := range []string{userInfo, policyInfo} {
		if err := t.checkRemovable(store.Key{URN: u, Aspect: aspect}); err != nil {
			return 0, err
		}
	}
	rows, err := store.DeleteEntity(ctx, tx, u, entity.Key.Name, by)
	if err != nil || rows == 0 {
		// Without a key there are no documents: the first one would have made it.
		return 0, err
	}
	if entity.Name == userEntity {
		if err := buryTokens(ctx, tx, u, by); err != nil {
			return 0, err
		}
	}
	for _, a := range entity.Timeseries {
		if err := eraseDocuments(ctx, tx, u, a.Name, loggedErasure{}, by); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// checkRemovable keeps what marks users and policies as parts of the system:
// without it nothing would protect them any more.
func (t *txn) checkRemovable(key store.Key) error {
	switch key.Aspect {
	case userInfo:
		info, err := t.read(key.URN, userInfo)
		if err == nil && jsontree.Bool(info, "system") {
			return fault.New(fault.Invalid, "%s is a system user and cannot be deleted", key.URN)
		}
		return err
	case policyInfo:
		info, err := t.read(key.URN, policyInfo)
		if editable, stated := info["editable"].(bool); err == nil && stated && !editable {
			return fault.New(fault.Invalid, "%s is a policy of the system and cannot be deleted", key.URN)
		}
		return err
	}
	return nil
}

// removeAspect removes all versions of an aspect while its entity stays.
func removeAspect(ctx context.Context, tx store.Tx, key store.Key, by store.Removal) (store.Stored, error) {
	t := &txn{ctx: ctx, tx: tx}
	if err := t.checkRemovable(key); err != nil {
		return store.Stored{}, err
	}
	if key.Aspect == structuredProperties {
		values, err := t.read(key.URN, structuredProperties)
		if err != nil {
			return store.Stored{}, err
		}
		if err := t.checkImmutableKept(byProperty(values)); err != nil {
			return store.Stored{}, err
		}
	}
	latest, err := store.Latest(ctx, tx, key)
	if err != nil {
		return store.Stored{}, err
	}
	return store.Delete(ctx, tx, latest, nil, by)
}

// DeleteAspects removes all versions of the named aspects (ignoring case), and
// of time-series aspects the newest document. With the key aspect among them the
// entity goes. Absent aspects are no error; unknown ones are fault.Malformed.
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
	return s.deleteAspects(ctx, u, specs)
}

// ClearEntity removes all versioned aspects but the key.
func (s *Service) ClearEntity(ctx context.Context, u urn.URN) (Deleted, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Deleted{}, err
	}
	specs := slices.DeleteFunc(slices.Clone(entity.Aspects), func(a *model.AspectSpec) bool { return a.IsKey || a.Managed })
	return s.deleteAspects(ctx, u, specs)
}

func (s *Service) deleteAspects(ctx context.Context, u urn.URN, specs []*model.AspectSpec, decisions ...auth.Decision) (Deleted, error) {
	var out Deleted
	if len(specs) == 0 {
		_, _, err := s.mayDelete(ctx, u, "")
		return out, err
	}
	var by store.Removal
	newest := map[string]string{}
	for _, spec := range specs {
		if spec.Managed {
			return out, fault.New(fault.Forbidden, "%s is managed by the service: it is not deleted through this interface", spec.Name)
		}
		entity, removal, err := s.mayDelete(ctx, u, spec.Name, decisions...)
		if err != nil {
			return out, err
		}
		by = removal
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
	err := s.change(ctx, func(tx store.Tx) error {
		out = Deleted{}
		for _, spec := range specs {
			if err := deleteAspect(ctx, tx, u, spec, newest, by, &out); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && u.Type() == propertyEntity && slices.ContainsFunc(specs, func(a *model.AspectSpec) bool { return a.Name == propertyDefinition }) {
		err = s.afterDeletion(ctx, u, by)
	}
	return out, err
}

func deleteAspect(ctx context.Context, tx store.Tx, u urn.URN, spec *model.AspectSpec, newest map[string]string, by store.Removal, out *Deleted) error {
	if !spec.Timeseries {
		stored, err := removeAspect(ctx, tx, store.Key{URN: u, Aspect: spec.Name}, by)
		out.Rows += stored.Rows
		return err
	}
	id, ok := newest[spec.Name]
	if !ok {
		return nil
	}
	out.TimeseriesRows++
	return eraseDocuments(ctx, tx, u, spec.Name, loggedErasure{IDs: []string{id}}, by)
}

// DeleteTimeseries removes the documents of one time-series aspect of an entity
// in an inclusive range of time, nil bounds being open, and returns how many
// plain documents went.
func (s *Service) DeleteTimeseries(ctx context.Context, u urn.URN, aspect string, from, to *int64) (int64, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return 0, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || !spec.Timeseries {
		return 0, fault.New(fault.Malformed, "%s has no time-series aspect %q", entity.Name, aspect)
	}
	_, by, err := s.mayDelete(ctx, u, spec.Name)
	if err != nil {
		return 0, err
	}
	count, err := s.Documents.Count(ctx, timeseries.IndexName(entity.Name, spec.Name), timeseries.Query{URNs: []urn.URN{u}, From: from, To: to})
	if err != nil || count == 0 {
		return 0, err
	}
	return count, s.change(ctx, func(tx store.Tx) error {
		return eraseDocuments(ctx, tx, u, spec.Name, loggedErasure{From: from, To: to}, by)
	})
}

// deleteItem carries out a proposal to delete: of an aspect, or with the key
// aspect of the entity.
func (t *txn) deleteItem(it *item) error {
	by := store.Removal{Actor: t.actor, Now: t.now, RunID: it.system.RunID, TraceID: t.options.TraceID, Edges: t.restoredEdges}
	old, err := store.Latest(t.ctx, t.tx, it.key())
	if err != nil {
		return err
	}
	if err := it.conditions.check(old); err != nil {
		return err
	}
	switch {
	case it.spec.IsKey:
		if _, err := removeEntity(t.ctx, t.tx, it.urn, it.entity, by); err != nil {
			return err
		}
		delete(t.fresh, it.urn)
	case it.spec.Timeseries:
		return fault.New(fault.Invalid, "%s is a time series: its change type must be UPSERT, not DELETE", it.spec.Name)
	default:
		if _, err := removeAspect(t.ctx, t.tx, it.key(), by); err != nil {
			return err
		}
	}
	t.report(it, Removed, nil)
	return nil
}

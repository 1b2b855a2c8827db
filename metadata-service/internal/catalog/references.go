package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// References are the places that name an entity.
type References struct {
	// Total counts aspects and relationships; Related are the first of them.
	Total   int
	Related []RelatedAspect
}

// RelatedAspect is an aspect that names an entity.
type RelatedAspect struct {
	URN          urn.URN
	Aspect       string
	Relationship string
}

// Limits of a deletion of references.
const (
	maxRelated     = 1000 // listed
	referenceBatch = 200  // aspects changed in one transaction
)

// DeleteReferences takes an entity out of all aspects that name it, whether it
// still exists or not: elements of lists and optional members go, and an aspect
// that cannot do without it goes as a whole. A dry run tells what would go.
// What is written meanwhile and names it again stays.
func (s *Service) DeleteReferences(ctx context.Context, u urn.URN, dryRun bool, decisions ...auth.Decision) (References, error) {
	if _, err := s.mayDelete(ctx, u, decisions); err != nil {
		return References{}, err
	}
	out, keys, err := s.referrers(ctx, u)
	if err != nil || dryRun {
		return out, err
	}
	for len(keys) > 0 {
		batch := keys[:min(referenceBatch, len(keys))]
		keys = keys[len(batch):]
		if err := s.transact(ctx, WriteOptions{}, func(t *txn) error { return t.takeOut(u, batch) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// referrers finds the aspects that name an entity.
func (s *Service) referrers(ctx context.Context, u urn.URN) (References, []store.Key, error) {
	var out References
	seen := map[RelatedAspect]bool{}
	keys := map[store.Key]bool{}
	var order []store.Key
	// All referrers are found before any is changed: changes would move the listing.
	for after := (*model.EdgeKey)(nil); ; {
		found, next, err := graph.Referrers(ctx, s.Graph, s.Registry, u, after, 0)
		if err != nil {
			return out, nil, err
		}
		for _, r := range found {
			spec, ok := s.Registry.Aspect(r.Key.Aspect)
			related := RelatedAspect{URN: r.Key.URN, Aspect: r.Key.Aspect, Relationship: r.Relationship}
			if !ok || spec.IsKey || spec.Secret || spec.Managed || seen[related] {
				continue
			}
			seen[related] = true
			if out.Total++; len(out.Related) < maxRelated {
				out.Related = append(out.Related, related)
			}
			if !keys[r.Key] {
				keys[r.Key] = true
				order = append(order, r.Key)
			}
		}
		if next == nil {
			break
		}
		after = next
	}
	return out, order, nil
}

// takeOut removes an entity from some aspects.
func (t *txn) takeOut(u urn.URN, keys []store.Key) error {
	if err := t.rows.load(t.ctx, keys); err != nil {
		return err
	}
	for _, key := range keys {
		if err := t.takeOutOf(u, key); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) takeOutOf(u urn.URN, key store.Key) error {
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
		_, err := t.removeAspect(entity, key, model.SystemMetadata{})
		return err
	case removed == 0:
		return nil
	}
	c, err := t.newChange(entity, key, proposal.Normalize(t.Rules.For(entity, spec), jsontree.With(without, nil)))
	if err != nil {
		return err
	}
	c.system, c.Derived = model.SystemMetadata{RunID: rec.System.RunID}, true
	if err := t.ask(c); err != nil {
		return err
	}
	_, err = t.carry(c)
	return err
}

package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
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
	_, by, err := s.mayDelete(ctx, u, "", decisions...)
	if err != nil {
		return References{}, err
	}
	return s.references(ctx, u, dryRun, by)
}

// references finds, and without dryRun removes, what names an entity in some
// aspects, in all when none are named.
func (s *Service) references(ctx context.Context, u urn.URN, dryRun bool, by store.Removal, aspects ...string) (References, error) {
	var out References
	seen := map[RelatedAspect]bool{}
	keys := map[store.Key]bool{}
	var order []store.Key
	// All referrers are found before any is changed: changes would move the listing.
	for after := (*model.EdgeKey)(nil); ; {
		found, next, err := graph.Referrers(ctx, s.Graph, s.Registry, u, after, 0)
		if err != nil {
			return out, err
		}
		for _, r := range found {
			spec, ok := s.Registry.Aspect(r.Key.Aspect)
			related := RelatedAspect{URN: r.Key.URN, Aspect: r.Key.Aspect, Relationship: r.Relationship}
			if !ok || spec.IsKey || spec.Secret || spec.Managed || seen[related] || len(aspects) > 0 && !slices.Contains(aspects, r.Key.Aspect) {
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
	if dryRun {
		return out, nil
	}
	for len(order) > 0 {
		batch := order[:min(referenceBatch, len(order))]
		order = order[len(batch):]
		if err := s.change(ctx, func(tx store.Tx) error { return s.takeOut(ctx, tx, u, batch, by) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// takeOut removes an entity from some aspects.
func (s *Service) takeOut(ctx context.Context, tx store.Tx, u urn.URN, keys []store.Key, by store.Removal) error {
	for _, key := range keys {
		rec, err := store.Latest(ctx, tx, key)
		if err != nil {
			return err
		}
		spec, ok := s.Registry.Aspect(key.Aspect)
		if rec == nil || !ok {
			continue
		}
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return err
		}
		without, removed, kept := spec.RemoveReference(value, u)
		without = consistent(key.Aspect, without, u)
		switch {
		case len(kept) > 0:
			_, err = store.Delete(ctx, tx, rec, nil, by)
		case removed > 0:
			_, err = store.Put(ctx, tx, rec, withEdges(store.Write{
				Key: key, Value: jsontree.Encode(without), SchemaVersion: spec.SchemaVersion, Actor: by.Actor, Now: by.Now,
				System:    model.SystemMetadata{RunID: rec.System.RunID},
				Retention: s.retention.of(key.URN.Type(), key.Aspect),
			}, spec, without))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// consistent brings what an aspect says twice in line again, after an entity was
// taken out of it.
func consistent(aspect string, value model.Object, gone urn.URN) model.Object {
	switch aspect {
	case "ownership":
		value = jsontree.With(value, nil)
		delete(value, "ownerTypes")
		groupOwners(value)
	case "domains":
		kept := []any{}
		for _, a := range jsontree.Children(value, "domainAssociations") {
			if jsontree.Text(a, "domain") != string(gone) {
				kept = append(kept, a)
			}
		}
		if value["domainAssociations"] != nil {
			value = jsontree.With(value, model.Object{"domainAssociations": kept})
		}
	}
	return value
}

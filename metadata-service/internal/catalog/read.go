package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspect reads one version of a versioned aspect. Version 0 is the latest, k > 0
// the k-th logical version, k < 0 counts back: -1 is the newest history row.
// What is absent or secret is fault.NotFound.
func (s *Service) Aspect(ctx context.Context, u urn.URN, aspect string, version int64) (Aspect, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Aspect{}, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || spec.Timeseries {
		return Aspect{}, fault.New(fault.NotFound, "%s has no versioned aspect %q", entity.Name, aspect)
	}
	if err := s.mayRead(ctx, u, spec.Name); err != nil {
		return Aspect{}, err
	}
	if spec.Secret {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s is not readable", spec.Name, u)
	}
	rec, err := s.version(ctx, store.Key{URN: u, Aspect: spec.Name}, version)
	if err != nil {
		return Aspect{}, err
	}
	if rec == nil {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s does not exist", spec.Name, u)
	}
	found := []Aspect{{Spec: spec, Record: *rec}}
	if err := s.dress(ctx, found); err != nil {
		return Aspect{}, err
	}
	return found[0], nil
}

func (s *Service) version(ctx context.Context, key store.Key, version int64) (*model.Record, error) {
	if version < 0 {
		rows, err := s.Store.Rows(ctx, key)
		if err != nil {
			return nil, err
		}
		highest := int64(0)
		if len(rows) > 0 {
			highest = rows[len(rows)-1]
		}
		version = max(highest+version+1, 0)
	}
	if version > 0 {
		rec, err := s.Store.Row(ctx, key, version)
		if err != nil || rec != nil {
			return rec, err
		}
	}
	rec, err := s.Store.Row(ctx, key, 0)
	if rec != nil && version > 0 && store.LogicalVersion(rec) != version {
		return nil, err
	}
	return rec, err
}

// mayRead asks the authorizer; the service itself may.
func (s *Service) mayRead(ctx context.Context, u urn.URN, aspect string) error {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "who reads is not known")
	}
	if actor.System {
		return nil
	}
	return s.Authorizer.Authorize(ctx, auth.OpRead, u, aspect)
}

// Entities reads entities in the order asked. URNs must be ones that
// model.Registry.Resolve gave. Secret aspects are left out. Authorization is all
// or nothing.
func (s *Service) Entities(ctx context.Context, urns []urn.URN, q EntityQuery) ([]Entity, error) {
	out := make([]Entity, len(urns))
	for i, u := range urns {
		entity, ok := s.Registry.Entity(u.Type())
		if !ok {
			return nil, fault.New(fault.Malformed, "Invalid urn!: %s", u)
		}
		if err := s.mayRead(ctx, u, ""); err != nil {
			return nil, err
		}
		out[i] = Entity{URN: u, Spec: entity}
	}
	names, err := s.names(out, q)
	if err != nil {
		return nil, err
	}
	stored, err := s.Store.Aspects(ctx, urns, names...)
	if err != nil {
		return nil, err
	}
	for i := range out {
		s.fill(&out[i], stored[i], q)
		if err := s.dress(ctx, out[i].Aspects); err != nil {
			return nil, err
		}
	}
	if q.Timeseries {
		return out, s.addNewest(ctx, out, q)
	}
	return out, nil
}

// names are the aspects to read from the store: none means all. The key is
// always among them, since it tells whether the entity exists.
func (s *Service) names(entities []Entity, q EntityQuery) ([]string, error) {
	if len(q.Aspects) == 0 {
		return nil, nil
	}
	var names []string
	for _, e := range entities {
		for _, name := range append([]string{e.Spec.Key.Name}, q.Aspects...) {
			if spec, ok := e.Spec.AspectFold(name); ok && !spec.Timeseries && !slices.Contains(names, spec.Name) {
				names = append(names, spec.Name)
			}
		}
	}
	return names, nil
}

// wants reports whether the query asks for an aspect.
func (q EntityQuery) wants(spec *model.AspectSpec) bool {
	if len(q.Aspects) == 0 || q.AlwaysKey && spec.IsKey {
		return true
	}
	return slices.ContainsFunc(q.Aspects, func(name string) bool { return strings.EqualFold(name, spec.Name) })
}

func (s *Service) fill(e *Entity, stored []model.Record, q EntityQuery) {
	for _, spec := range e.Spec.Aspects {
		i := slices.IndexFunc(stored, func(r model.Record) bool { return r.Aspect == spec.Name })
		if spec.IsKey {
			e.Exists = i >= 0
		}
		switch {
		case spec.Secret || !q.wants(spec):
		case i >= 0:
			e.Aspects = append(e.Aspects, Aspect{Spec: spec, Record: stored[i]})
		case spec.IsKey && q.AlwaysKey:
			e.Aspects = append(e.Aspects, Aspect{Spec: spec, Record: model.Record{
				URN: e.URN, Aspect: spec.Name, Value: jsontree.Encode(e.Spec.KeyValue(e.URN)), CreatedBy: model.SystemActor,
			}})
		}
	}
}

// dress applies the mutators of reads.
func (s *Service) dress(ctx context.Context, aspects []Aspect) error {
	for i := range aspects {
		a := &aspects[i]
		switch a.Spec.Name {
		case "schemaMetadata", "editableSchemaMetadata", structuredProperties:
		default:
			continue
		}
		value, err := jsontree.DecodeObject(a.Value)
		if err != nil {
			return err
		}
		var failed error
		changed := s.forReading(a.Spec.Name, value, func(property string) bool {
			hidden, err := s.removed(ctx, urn.URN(property))
			if err != nil {
				failed = err
			}
			return hidden
		})
		if failed != nil {
			return failed
		}
		if changed {
			a.Value = jsontree.Encode(value)
		}
	}
	return nil
}

func (s *Service) removed(ctx context.Context, urns ...urn.URN) (bool, error) {
	removed, err := s.removedOf(ctx, urns)
	return len(removed) > 0 && removed[0], err
}

// removedOf tells which entities are soft-deleted.
func (s *Service) removedOf(ctx context.Context, urns []urn.URN) ([]bool, error) {
	keys := make([]store.Key, len(urns))
	for i, u := range urns {
		keys[i] = store.Key{URN: u, Aspect: status}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	removed := make([]bool, len(urns))
	for i, rec := range records {
		if rec == nil {
			continue
		}
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, err
		}
		removed[i] = flag(value, "removed")
	}
	return removed, nil
}

// addNewest adds the newest document of each time-series aspect that is asked for.
func (s *Service) addNewest(ctx context.Context, entities []Entity, q EntityQuery) error {
	for i := range entities {
		e := &entities[i]
		for _, spec := range e.Spec.Timeseries {
			if !q.wants(spec) {
				continue
			}
			latest, err := s.Documents.Latest(ctx, timeseries.IndexName(e.Spec.Name, spec.Name), []urn.URN{e.URN})
			if err != nil {
				return err
			}
			if doc, ok := latest[e.URN]; ok {
				e.Aspects = append(e.Aspects, Aspect{Spec: spec, Record: model.Record{
					URN: e.URN, Aspect: spec.Name, Value: doc.Event, CreatedOn: doc.Time, System: doc.System,
				}})
			}
		}
	}
	return nil
}

// Exists tells for each URN whether its entity is stored. Soft-deleted ones
// count only when asked for.
func (s *Service) Exists(ctx context.Context, urns []urn.URN, includeSoftDeleted bool) ([]bool, error) {
	keys := make([]store.Key, len(urns))
	for i, u := range urns {
		if err := s.mayRead(ctx, u, ""); err != nil {
			return nil, err
		}
		entity, ok := s.Registry.Entity(u.Type())
		if !ok {
			return nil, fault.New(fault.Malformed, "Invalid urn!: %s", u)
		}
		keys[i] = store.Key{URN: u, Aspect: entity.Key.Name}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	exists := make([]bool, len(urns))
	for i, rec := range records {
		exists[i] = rec != nil
	}
	if includeSoftDeleted {
		return exists, nil
	}
	removed, err := s.removedOf(ctx, urns)
	for i := range exists {
		exists[i] = exists[i] && err == nil && !removed[i]
	}
	return exists, err
}

// Timeseries lists documents of a time-series aspect, newest first unless
// Ascending. Document.Event is the aspect.
func (s *Service) Timeseries(ctx context.Context, q TimeseriesQuery) ([]timeseries.Document, error) {
	entity, ok := s.Registry.Entity(q.EntityType)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity type %q is not known", q.EntityType)
	}
	spec, ok := entity.AspectFold(q.Aspect)
	if !ok || !spec.Timeseries {
		return nil, fault.New(fault.Malformed, "%s has no time-series aspect %q", entity.Name, q.Aspect)
	}
	query := timeseries.Query{From: q.From, To: q.To, Filter: q.Filter, Ascending: q.Ascending, After: q.After, Limit: max(q.Limit, 1)}
	if q.URN != "" {
		query.URNs = []urn.URN{q.URN}
	}
	if err := s.mayRead(ctx, q.URN, spec.Name); err != nil {
		return nil, err
	}
	return s.Documents.Find(ctx, timeseries.IndexName(entity.Name, spec.Name), query)
}

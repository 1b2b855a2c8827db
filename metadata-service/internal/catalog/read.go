package catalog

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxPage bounds the number of documents that one listing returns.
const maxPage = 10_000

// Aspect reads one version of a versioned aspect. Version 0 is the latest, k > 0 the k-th logical
// version, k < 0 counts back: -1 is the newest history row. An absent or withheld aspect is
// fault.NotFound.
func (s *Service) Aspect(ctx context.Context, u urn.URN, aspect string, version int64, form Disclosure) (found Aspect, err error) {
	ctx, span := tracing.Start(ctx, "catalog read aspect")
	defer func() { span.End(err) }()
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Aspect{}, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || spec.Timeseries {
		return Aspect{}, fault.New(fault.NotFound, "%s has no versioned aspect %q", entity.Name, aspect)
	}
	withheld, err := s.mayReadAspect(ctx, u, spec)
	if err != nil {
		return Aspect{}, err
	}
	if withheld {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s is not readable", spec.Name, u)
	}
	rec, err := s.version(ctx, store.Key{URN: u, Aspect: spec.Name}, version)
	if err != nil {
		return Aspect{}, err
	}
	if rec == nil {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s does not exist", spec.Name, u)
	}
	found = Aspect{Spec: spec, Record: *rec}
	if found.Value, err = Masked(spec, found.Value); err != nil {
		return Aspect{}, err
	}
	if err := s.hide(ctx, entity, spec, []*Aspect{&found}); err != nil {
		return Aspect{}, err
	}
	d, err := s.discloser(ctx)
	if err != nil {
		return Aspect{}, err
	}
	shown, err := d.aspect(ctx, &found, form)
	if err == nil && !shown {
		err = fault.New(fault.NotFound, "%s of %s does not exist", spec.Name, u)
	}
	return found, err
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
	if err := s.reserveRows(ctx, key, version, 0); err != nil {
		return nil, err
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

// Entities reads entities in the order of urns, which must be URNs returned by
// model.Registry.Resolve. It leaves out withheld aspects. Authorization is all or nothing unless
// the query sets Visible. An entity requested several times is read once: its places in the result
// share their aspects, and each of them counts towards MaxBytes.
func (s *Service) Entities(ctx context.Context, urns []urn.URN, q EntityQuery) (out []Entity, err error) {
	ctx, span := tracing.Start(ctx, "catalog read entities")
	defer func() { span.End(err) }()
	span.Count("cartulary.asked", len(urns))
	times := make(map[urn.URN]int, len(urns))
	distinct := make([]urn.URN, 0, len(urns))
	for _, u := range urns {
		if times[u]++; times[u] == 1 {
			distinct = append(distinct, u)
		}
	}
	found, err := s.entities(ctx, distinct, times, q)
	if err != nil || len(distinct) == len(urns) {
		return found, err
	}
	at := make(map[urn.URN]Entity, len(found))
	for _, e := range found {
		at[e.URN] = e
	}
	out = make([]Entity, 0, len(urns))
	for _, u := range urns {
		if e, ok := at[u]; ok {
			out = append(out, e)
		}
	}
	return out, nil
}

// entities reads distinct entities; times is the number of places of each in the result.
func (s *Service) entities(ctx context.Context, urns []urn.URN, times map[urn.URN]int, q EntityQuery) ([]Entity, error) {
	out := make([]Entity, 0, len(urns))
	checks := make([]auth.Check, len(urns))
	for i := range urns {
		checks[i] = auth.Check{Operation: auth.OpRead, Entities: urns[i : i+1]}
	}
	refused, err := s.Refusals(ctx, checks...)
	if err != nil {
		return nil, err
	}
	for i, u := range urns {
		entity, ok := s.Registry.Entity(u.Type())
		if !ok {
			return nil, fault.New(fault.Malformed, "Invalid urn!: %s", u)
		}
		if refused[i] != nil && q.Visible {
			continue
		}
		if refused[i] != nil {
			return nil, refused[i]
		}
		out = append(out, Entity{URN: u, Spec: entity})
	}
	if len(out) < len(urns) {
		urns = make([]urn.URN, len(out))
		for i := range out {
			urns[i] = out[i].URN
		}
	}
	asked := aspectsToRead(out, q)
	if err := s.reserveAspects(ctx, urns, times, asked, q.MaxBytes); err != nil {
		return nil, err
	}
	stored, err := s.Store.Aspects(ctx, urns, asked...)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].fill(stored[i], q)
	}
	if err := s.withhold(ctx, out); err != nil {
		return nil, err
	}
	hiding := map[*model.AspectSpec][]*Aspect{}
	for i := range out {
		if i%entitiesPerYield == 0 {
			idle.Yield(ctx)
		}
		for j := range out[i].Aspects {
			a := &out[i].Aspects[j]
			if a.Value, err = Masked(a.Spec, a.Value); err != nil {
				return nil, err
			}
			if s.hides(out[i].Spec, a.Spec) {
				hiding[a.Spec] = append(hiding[a.Spec], a)
			}
		}
	}
	for spec, aspects := range hiding {
		if err := s.hide(ctx, out[0].Spec, spec, aspects); err != nil {
			return nil, err
		}
	}
	if q.Timeseries {
		if err := s.addNewest(ctx, out, q); err != nil {
			return nil, err
		}
	}
	d, err := s.discloser(ctx)
	if err != nil {
		return nil, err
	}
	return out, d.entities(ctx, out, q.Disclosure)
}

// entitiesPerYield is the number of entities prepared between two points at which other requests
// get a turn.
const entitiesPerYield = 32

// aspectsToRead returns the aspects to read from the store; none means all. The key is always among
// them, because its presence means that the entity exists.
func aspectsToRead(entities []Entity, q EntityQuery) []string {
	if len(q.Aspects) == 0 {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	var last *model.EntitySpec
	for _, e := range entities {
		if e.Spec == last {
			continue // a page usually has entities of one type
		}
		last = e.Spec
		for _, name := range append([]string{e.Spec.Key.Name}, q.Aspects...) {
			if spec, ok := e.Spec.AspectFold(name); ok && !spec.Timeseries && !seen[spec.Name] {
				seen[spec.Name] = true
				names = append(names, spec.Name)
			}
		}
	}
	return names
}

// wants reports whether the query selects an aspect.
func (q EntityQuery) wants(spec *model.AspectSpec) bool {
	if len(q.Aspects) == 0 || q.AlwaysKey && spec.IsKey {
		return true
	}
	return slices.ContainsFunc(q.Aspects, func(name string) bool { return strings.EqualFold(name, spec.Name) })
}

func (e *Entity) fill(stored []model.Record, q EntityQuery) {
	specs := make([]*model.AspectSpec, len(stored))
	for i := range stored {
		specs[i], _ = e.Spec.Aspect(stored[i].Aspect)
	}
	for _, spec := range e.Spec.Aspects {
		i := slices.Index(specs, spec)
		if spec.IsKey {
			e.Exists = i >= 0 && !spec.Secret
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

// hides reports whether a rule hides parts of an aspect from readers.
func (s *Service) hides(entity *model.EntitySpec, spec *model.AspectSpec) bool {
	return slices.ContainsFunc(s.Rules.For(entity, spec), func(r *rule.Rule) bool { return r.Hide != nil })
}

// hide removes from aspects the parts that rules hide, for all aspects of a page at once.
func (s *Service) hide(ctx context.Context, entity *model.EntitySpec, spec *model.AspectSpec, aspects []*Aspect) error {
	for _, r := range s.Rules.For(entity, spec) {
		if r.Hide == nil {
			continue
		}
		values, shown := make([]model.Object, len(aspects)), make([]model.Object, len(aspects))
		for i, a := range aspects {
			value, err := jsontree.DecodeObject(a.Value)
			if err != nil {
				return err
			}
			values[i], shown[i] = value, value
		}
		err := r.Hide(shown, func(urns []urn.URN) ([]bool, error) { return s.SoftDeleted(ctx, urns) })
		if err != nil {
			return err
		}
		for i, a := range aspects {
			if !sameObject(values[i], shown[i]) {
				a.Value = jsontree.Encode(shown[i])
			}
		}
	}
	return nil
}

// addNewest adds the newest document of each selected time-series aspect.
func (s *Service) addNewest(ctx context.Context, entities []Entity, q EntityQuery) error {
	for i := range entities {
		e := &entities[i]
		for _, spec := range e.Spec.Timeseries {
			if !q.wants(spec) {
				continue
			}
			if readable, err := s.MayReadEach(ctx, []urn.URN{e.URN}, spec.Name); err != nil || !readable[0] {
				if err != nil {
					return err
				}
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

// Timeseries lists documents of a time-series aspect, newest first unless Ascending, at most
// 10,000. Document.Event is the aspect. It leaves out documents of entities that view authorization
// hides from the actor. It discloses documents that name hidden entities, but leaves them out if
// the query is Summed or the filter has conditions on fields of the aspect, because sums and
// matches would reveal the hidden values.
func (s *Service) Timeseries(ctx context.Context, q TimeseriesQuery) (list []timeseries.Document, err error) {
	ctx, span := tracing.Start(ctx, "catalog read time series")
	defer func() { span.End(err) }()
	entity, ok := s.Registry.Entity(q.EntityType)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity type %q is not known", q.EntityType)
	}
	spec, ok := entity.AspectFold(q.Aspect)
	if !ok || !spec.Timeseries || spec.Secret {
		return nil, fault.New(fault.Malformed, "%s has no time-series aspect %q", entity.Name, q.Aspect)
	}
	query := timeseries.Query{
		URNs: q.Among, From: q.From, To: q.To, Filter: q.Filter, Exploded: q.Exploded, Ascending: q.Ascending, After: q.After, Limit: min(max(q.Limit, 1), maxPage),
	}
	if q.URN != "" {
		query.URNs = []urn.URN{q.URN}
	}
	if err := s.mayReadSeries(ctx, &q, entity.Name, spec.Name); err != nil {
		return nil, err
	}
	d, err := s.discloser(ctx)
	if err != nil {
		return nil, err
	}
	var out []timeseries.Document
	for limit := query.Limit; ; query.Limit = limit - len(out) {
		list, err = s.Documents.Find(ctx, timeseries.IndexName(entity.Name, spec.Name), query)
		if err != nil || q.Summed && d == nil {
			return list, err
		}
		if len(list) == 0 {
			return out, nil
		}
		last, isEnd := list[len(list)-1], len(list) < query.Limit
		if list, err = d.withoutHidden(ctx, list, q.Summed || isOnAspect(q.Filter)); err != nil {
			return nil, err
		}
		if !q.Summed {
			if q.URN == "" {
				if err := s.mayReadDocuments(ctx, spec.Name, list); err != nil {
					return nil, err
				}
			}
			if list, err = d.documents(ctx, spec, list, q.Disclosure); err != nil {
				return nil, err
			}
		}
		// Callers take a short page for the end, so further documents replace those that cannot be
		// shown.
		if out = append(out, list...); isEnd || len(out) == limit {
			return out, nil
		}
		query.After = &timeseries.Position{Time: last.Time, ID: last.ID}
	}
}

// mayReadDocuments authorizes reading the series of each entity that has a document in a list.
func (s *Service) mayReadDocuments(ctx context.Context, aspect string, list []timeseries.Document) error {
	seen := map[urn.URN]bool{}
	var urns []urn.URN
	for i := range list {
		if u := list[i].URN; !seen[u] {
			seen[u] = true
			urns = append(urns, u)
		}
	}
	return s.mayReadSeriesOf(ctx, aspect, urns...)
}

func (s *Service) mayReadSeries(ctx context.Context, q *TimeseriesQuery, entityType, aspect string) error {
	switch {
	case q.PartOfEntity:
		return s.MayRead(ctx, q.URN, aspect)
	case q.URN != "":
		return s.mayReadSeriesOf(ctx, aspect, q.URN)
	case q.Summed && len(q.Among) > 0:
		return s.mayReadSeriesOf(ctx, aspect, q.Among...)
	}
	if err := s.Permit(ctx, auth.ForPlatform(auth.ToReadTimeseries...).ToRead(), auth.OfType(auth.OpRead, entityType)); err != nil || !q.Summed {
		return err
	}
	return s.mayAggregate(ctx, entityType, aspect)
}

// mayReadSeriesOf authorizes reading the series of each of the entities, and the aspect.
func (s *Service) mayReadSeriesOf(ctx context.Context, aspect string, urns ...urn.URN) error {
	checks := make([]auth.Check, 0, 2*len(urns))
	for _, u := range urns {
		checks = append(checks, auth.Over(u, auth.ToReadTimeseries...).ToRead(), auth.On(auth.OpRead, u, aspect))
	}
	return s.Permit(ctx, checks...)
}

// mayAggregate refuses to aggregate documents of all entities of a type if the actor may not read
// all of them, or if reading them requires a privilege over the single entity.
func (s *Service) mayAggregate(ctx context.Context, entityType, aspect string) error {
	actor, _ := auth.ActorFrom(ctx)
	if actor.System {
		return nil
	}
	d, err := s.discloser(ctx)
	if err != nil {
		return err
	}
	if s.Authorizer.Measures(entityType, aspect) || d != nil && d.restricted[entityType] {
		return fault.New(fault.Forbidden, "%s is unauthorized to read %s of all entities of the type %s: name them with a condition EQUAL on urn", actor.URN, aspect, entityType)
	}
	return nil
}

// Newest returns the newest document of a time-series aspect for each of some entities of one type.
// It leaves out entities without a document and those that the actor may not read.
func (s *Service) Newest(ctx context.Context, entityType, aspect string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	entity, ok := s.Registry.Entity(entityType)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity type %q is not known", entityType)
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || !spec.Timeseries || spec.Secret {
		return nil, fault.New(fault.Malformed, "%s has no time-series aspect %q", entity.Name, aspect)
	}
	readable, err := s.MayReadEach(ctx, urns, spec.Name)
	if err != nil {
		return nil, err
	}
	visible := make([]urn.URN, 0, len(urns))
	for i, u := range urns {
		if readable[i] {
			visible = append(visible, u)
		}
	}
	newest, err := s.Documents.Latest(ctx, timeseries.IndexName(entity.Name, spec.Name), visible)
	if err != nil {
		return nil, err
	}
	d, err := s.discloser(ctx)
	if d == nil || err != nil {
		return newest, err
	}
	shown, err := d.documents(ctx, spec, slices.Collect(maps.Values(newest)), Omitted)
	clear(newest)
	for _, doc := range shown {
		newest[doc.URN] = doc
	}
	return newest, err
}

package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Disclosure is the form in which values of aspects show entities that view authorization hides
// from the actor. Every read of the kernel applies one of these forms, so no interface returns the
// URN of a hidden entity.
type Disclosure int

const (
	// Concealed replaces the URN of a hidden entity with that of a restricted entity. Programs that
	// write back a value they have read thus keep the hidden URN: see Service.restore. If the
	// Service has no Names, the form is Omitted.
	Concealed Disclosure = iota
	// Omitted leaves out the smallest removable part of the value that contains a hidden URN: an
	// entry of a list, an optional member, or the whole aspect.
	Omitted
	// Located is Omitted, except for the aspects that give the place of an entity. These show
	// restricted containers as Concealed does, so the place of an entity is the same as in the
	// browse tree.
	Located
)

// disclosedValue is a value of an aspect that is about to be shown.
type disclosedValue struct {
	spec *model.AspectSpec
	// entity is the entity that has the aspect.
	entity urn.URN
	// text is the value. After disclosure it is nil if no part of it can be shown.
	text []byte
	tree model.Object
}

// discloser removes URNs hidden from one actor from values. It caches its decisions about URNs, so
// it serves a single request. A nil discloser discloses everything. It is not safe for concurrent
// use.
type discloser struct {
	*Service
	restricted map[string]bool // entity types of which some entities are hidden
	hidden     map[urn.URN]bool
}

// discloser returns a discloser for the actor in ctx, nil if nothing is hidden from it.
func (s *Service) discloser(ctx context.Context) (*discloser, error) {
	if actor, ok := auth.ActorFrom(ctx); ok && actor.System {
		return nil, nil
	}
	types, err := s.Authorizer.Restricted(ctx)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	restricted := make(map[string]bool, len(types))
	for _, name := range types {
		restricted[name] = true
	}
	return &discloser{s, restricted, map[urn.URN]bool{}}, nil
}

// disclose removes hidden URNs from values. It decides about all URNs of all values in one call.
func (d *discloser) disclose(ctx context.Context, values []disclosedValue, form Disclosure) error {
	if d == nil {
		return nil
	}
	var named []urn.URN
	for i := range values {
		v := &values[i]
		if !redact.Mentions(v.text) {
			continue
		}
		var err error
		if v.tree, err = jsontree.DecodeObject(v.text); err != nil {
			return err
		}
		redact.URNs(v.tree, func(u urn.URN) { named = append(named, u) })
	}
	if err := d.decide(ctx, named); err != nil {
		return err
	}
	for i := range values {
		d.redact(&values[i], form)
	}
	return nil
}

// decide determines which of the named URNs are hidden.
func (d *discloser) decide(ctx context.Context, named []urn.URN) error {
	var open []urn.URN
	for _, u := range named {
		if _, known := d.hidden[u]; !known && d.restricted[u.Type()] {
			d.hidden[u] = false
			open = append(open, u)
		}
	}
	if len(open) == 0 {
		return nil
	}
	readable, err := d.MayReadEach(ctx, open, "")
	for i := range readable {
		d.hidden[open[i]] = !readable[i]
	}
	return err
}

// redact removes hidden URNs from one value.
func (d *discloser) redact(v *disclosedValue, form Disclosure) {
	if v.tree == nil {
		return
	}
	isHidden := func(u urn.URN) bool { return d.hidden[u] }
	found := false
	redact.URNs(v.tree, func(u urn.URN) { found = found || isHidden(u) })
	switch {
	case !found:
	case d.Names != nil && (form == Concealed || form == Located && model.TellsPlace(v.spec.Name)):
		v.text = jsontree.Encode(redact.Replace(v.spec.Record, v.tree, func(u urn.URN) (urn.URN, bool) {
			if !isHidden(u) {
				return "", false
			}
			return Restrict(d.Names, WithinAspect(v.entity, v.spec.Name), u), true
		}))
	default:
		v.text = nil
		if shown := redact.Omit(v.spec, v.tree, isHidden); shown != nil {
			v.text = jsontree.Encode(shown)
		}
	}
}

// entities discloses the aspects of entities. It removes aspects of which no part can be shown.
func (d *discloser) entities(ctx context.Context, entities []Entity, form Disclosure) error {
	if d == nil {
		return nil
	}
	var values []disclosedValue
	for i := range entities {
		for _, a := range entities[i].Aspects {
			values = append(values, disclosedValue{spec: a.Spec, entity: entities[i].URN, text: a.Value})
		}
	}
	if err := d.disclose(ctx, values, form); err != nil {
		return err
	}
	for i := range entities {
		kept := entities[i].Aspects[:0]
		for _, a := range entities[i].Aspects {
			if a.Value, values = values[0].text, values[1:]; a.Value != nil {
				kept = append(kept, a)
			}
		}
		entities[i].Aspects = kept
	}
	return nil
}

// aspect discloses one aspect and reports whether any part of it can be shown.
func (d *discloser) aspect(ctx context.Context, a *Aspect, form Disclosure) (bool, error) {
	values := []disclosedValue{{spec: a.Spec, entity: a.URN, text: a.Value}}
	err := d.disclose(ctx, values, form)
	a.Value = values[0].text
	return a.Value != nil, err
}

// DiscloseWritten returns the results of a batch as the actor may see them. The stored values can
// name entities that the proposals did not name, because a patch keeps existing URNs and the URN of
// a restricted entity stands for a hidden one. Record is nil if no part of it can be shown, and for
// aspects that the actor may not read: an actor with a right to write may change nothing, and the
// stored value is then that of another actor. It does not change the slice written.
func (s *Service) DiscloseWritten(ctx context.Context, written []Written, form Disclosure) ([]Written, error) {
	out, err := s.readableOf(ctx, written)
	if err != nil {
		return nil, err
	}
	d, err := s.discloser(ctx)
	if d == nil || err != nil {
		return out, err
	}
	values := make([]disclosedValue, len(out))
	for i := range out {
		if values[i].spec, values[i].entity = out[i].Spec, out[i].URN; out[i].Record != nil {
			values[i].text = out[i].Record.Value
		}
	}
	if err := d.disclose(ctx, values, form); err != nil {
		return nil, err
	}
	for i := range out {
		if values[i].text == nil {
			out[i].Record = nil
			continue
		}
		shown := *out[i].Record
		shown.Value = values[i].text
		out[i].Record = &shown
	}
	return out, nil
}

// readableOf returns a copy of the results of a batch without the records that the actor may not
// read.
func (s *Service) readableOf(ctx context.Context, written []Written) ([]Written, error) {
	out := slices.Clone(written)
	for part := range slices.Chunk(out, authorizedAtOnce) {
		checks := make([]auth.Check, len(part))
		for i := range part {
			checks[i] = auth.On(auth.OpRead, part[i].URN, part[i].Spec.Name)
		}
		refused, err := s.Refusals(ctx, checks...)
		if err != nil {
			return nil, err
		}
		for i := range part {
			if refused[i] != nil {
				part[i].Record = nil
			}
		}
	}
	return out, nil
}

// documents discloses time-series documents. It removes documents of which no part can be shown.
func (d *discloser) documents(ctx context.Context, spec *model.AspectSpec, list []timeseries.Document, form Disclosure) ([]timeseries.Document, error) {
	if d == nil {
		return list, nil
	}
	values := make([]disclosedValue, len(list))
	for i := range list {
		values[i] = disclosedValue{spec: spec, entity: list[i].URN, text: list[i].Event}
	}
	if err := d.disclose(ctx, values, form); err != nil {
		return nil, err
	}
	kept := make([]timeseries.Document, 0, len(list))
	for i := range list {
		if list[i].Event = values[i].text; list[i].Event != nil {
			kept = append(kept, list[i])
		}
	}
	return kept, nil
}

// withoutHidden removes the documents of hidden entities and, with naming, also those that name a
// hidden entity.
func (d *discloser) withoutHidden(ctx context.Context, list []timeseries.Document, naming bool) ([]timeseries.Document, error) {
	if d == nil {
		return list, nil
	}
	names := make([][]urn.URN, len(list))
	var all []urn.URN
	for i := range list {
		names[i] = []urn.URN{list[i].URN}
		if naming {
			found, err := namesOf(&list[i])
			if err != nil {
				return nil, err
			}
			names[i] = append(names[i], found...)
		}
		all = append(all, names[i]...)
	}
	if err := d.decide(ctx, all); err != nil {
		return nil, err
	}
	kept := make([]timeseries.Document, 0, len(list))
	for i := range list {
		if !slices.ContainsFunc(names[i], func(u urn.URN) bool { return d.hidden[u] }) {
			kept = append(kept, list[i])
		}
	}
	return kept, nil
}

// namesOf lists the URNs in a time-series document. Documents of list elements have only columns.
func namesOf(doc *timeseries.Document) (names []urn.URN, err error) {
	add := func(u urn.URN) { names = append(names, u) }
	for _, value := range doc.Columns {
		redact.URNs(value, add)
	}
	if !redact.Mentions(doc.Event) {
		return names, nil
	}
	tree, err := jsontree.DecodeObject(doc.Event)
	if err != nil {
		return nil, err
	}
	redact.URNs(tree, add)
	return names, nil
}

// isOnAspect reports whether a filter of time-series documents has a condition on a field of the
// aspect.
func isOnAspect(f timeseries.Filter) bool {
	var document timeseries.Document
	return slices.ContainsFunc(f, func(all []timeseries.Condition) bool {
		return slices.ContainsFunc(all, func(c timeseries.Condition) bool {
			_, fixed := document.Fixed(strings.TrimSuffix(c.Field, ".keyword"))
			return !fixed
		})
	})
}

// Hidden reports for each URN whether view authorization hides its entity from the actor. It is for
// URNs that leave the service outside of aspects, such as values of facets.
func (s *Service) Hidden(ctx context.Context, urns []urn.URN) ([]bool, error) {
	hidden := make([]bool, len(urns))
	d, err := s.discloser(ctx)
	if d == nil || err != nil {
		return hidden, err
	}
	if err := d.decide(ctx, urns); err != nil {
		return nil, err
	}
	for i, u := range urns {
		hidden[i] = d.hidden[u]
	}
	return hidden, nil
}

// Shown decides which values one actor may see, for values that leave the service outside of reads,
// such as events. It caches its decisions about URNs, so it serves a single request. It is not safe
// for concurrent use.
type Shown struct{ d *discloser }

// Shown returns a Shown for the actor in ctx.
func (s *Service) Shown(ctx context.Context) (*Shown, error) {
	d, err := s.discloser(ctx)
	return &Shown{d}, err
}

// Value returns the visible part of a value of an aspect in the form Omitted, nil if there is none.
// It changes the value in place.
func (s *Shown) Value(ctx context.Context, spec *model.AspectSpec, value model.Object) (model.Object, error) {
	if s.d == nil || value == nil {
		return value, nil
	}
	var named []urn.URN
	redact.URNs(value, func(u urn.URN) { named = append(named, u) })
	if err := s.d.decide(ctx, named); err != nil {
		return nil, err
	}
	return redact.Omit(spec, value, func(u urn.URN) bool { return s.d.hidden[u] }), nil
}

// Actor returns the URN u of an actor, or model.UnknownActor if that actor is hidden.
func (s *Shown) Actor(ctx context.Context, u urn.URN) (urn.URN, error) {
	if s.d == nil {
		return u, nil
	}
	if err := s.d.decide(ctx, []urn.URN{u}); err != nil {
		return "", err
	}
	if s.d.hidden[u] {
		return model.UnknownActor, nil
	}
	return u, nil
}

// Nothing reports whether the list is not empty and all of its entities are hidden.
func (s *Shown) Nothing(ctx context.Context, of []urn.URN) (bool, error) {
	if s.d == nil || len(of) == 0 {
		return false, nil
	}
	if err := s.d.decide(ctx, of); err != nil {
		return false, err
	}
	return !slices.ContainsFunc(of, func(u urn.URN) bool { return !s.d.hidden[u] }), nil
}

// RestrictedTypes returns the entity types of which view authorization may hide entities from the
// actor, nil if nothing is hidden. The caller owns the map.
func (s *Service) RestrictedTypes(ctx context.Context) (map[string]bool, error) {
	d, err := s.discloser(ctx)
	if d == nil || err != nil {
		return nil, err
	}
	return d.restricted, nil
}

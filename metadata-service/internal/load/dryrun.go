package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Changes counts the aspects that a load would change, each compared with the state of the catalog
// before the load.
type Changes struct {
	Created   int // aspects that do not exist
	Changed   int // aspects with a different value
	Same      int // aspects with the same value, for which nothing would be written
	Deleted   int // existing aspects that would be deleted
	Documents int // time-series documents, which are not compared
}

// dryRun validates items against the model and compares them with the catalog. It does not evaluate
// privileges or rules that depend on other entities: the catalog checks these at the time of a
// write.
type dryRun struct {
	registry *model.Registry
	client   *client
	mu       sync.Mutex
	found    Changes
}

// changes returns the result; call it only between files.
func (s *sender) changes() *Changes { return &s.dry.found }

// plannedWrite is an aspect that an item would write.
type plannedWrite struct {
	spec   *model.AspectSpec
	entity *model.EntitySpec
	urn    urn.URN
	change model.ChangeType
	value  model.Object // nil for patches and deletions
	patch  *patch.Document
}

// validItem is a valid item.
type validItem struct {
	outgoing
	parts []plannedWrite
}

// rehearse determines the effect of a batch.
func (l *connection) rehearse(ctx context.Context, batch []outgoing) error {
	var valid []validItem
	for _, p := range batch {
		parts, err := l.sender.dry.parts(p.source)
		if err != nil {
			if err = l.sender.refuse(&Refusal{File: l.path, Item: p.item, URN: p.urn, Aspect: p.aspect, What: p.name, Cause: err}); err != nil {
				return err
			}
			continue
		}
		valid = append(valid, validItem{p, parts})
	}
	if len(valid) == 0 {
		return nil
	}
	return l.compare(ctx, valid)
}

// compare counts the effect of the items of a batch on the stored aspects. The catalog answers for
// a batch as a whole, so after an error the items are read one by one.
func (l *connection) compare(ctx context.Context, batch []validItem) error {
	var all []plannedWrite
	for _, i := range batch {
		all = append(all, i.parts...)
	}
	stored, err := l.sender.dry.stored(ctx, all)
	var refused *answer
	switch {
	case err == nil:
	case len(batch) > 1 && errors.As(err, &refused) && refused.aboutItems():
		for i := range batch {
			if err := l.compare(ctx, batch[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	default:
		return l.fail(batch[0].outgoing, err)
	}
	for _, r := range all {
		l.sender.dry.note(r, stored[model.Key{URN: r.urn, Aspect: r.spec.Name}])
	}
	for _, i := range batch {
		l.accept([]outgoing{i.outgoing})
	}
	return nil
}

// parts returns the aspects of an item, validated against the model.
func (d *dryRun) parts(it *item) ([]plannedWrite, error) {
	u, entity, err := d.registry.Resolve(it.urn)
	if err != nil {
		return nil, err
	}
	if err := model.CheckWritable(u, entity); err != nil {
		return nil, err
	}
	if it.class == "" {
		spec, carries := entity.AspectFold(it.aspectName)
		if !carries {
			return nil, fault.New(fault.Invalid, "Unknown aspect %s for entity %s", printable(it.aspectName), entity.Name)
		}
		part, err := d.part(plannedWrite{spec: spec, entity: entity, urn: u, change: model.ChangeType(it.changeType)}, it.aspect.data)
		return []plannedWrite{part}, err
	}
	var all []plannedWrite
	for _, raw := range it.aspects {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil || len(members) != 1 {
			return nil, fault.New(fault.Invalid, "aspects: want objects of one member, named after the record of the aspect")
		}
		for record, value := range members {
			spec, known := d.registry.AspectByRecord(plainName(record))
			if known {
				_, known = entity.Aspect(spec.Name)
			}
			if !known {
				return nil, fault.New(fault.Invalid, "Unknown aspect record %s for entity %s", printable(record), entity.Name)
			}
			plain, err := rewriteSnapshot(value, 0)
			if err != nil {
				return nil, err
			}
			part, err := d.part(plannedWrite{spec: spec, entity: entity, urn: u, change: model.Upsert}, plain)
			if err != nil {
				return nil, err
			}
			all = append(all, part)
		}
	}
	return all, nil
}

// part validates the value of an aspect against its record.
func (d *dryRun) part(r plannedWrite, text json.RawMessage) (plannedWrite, error) {
	switch {
	case !r.change.Valid():
		return r, fault.New(fault.Malformed, "changeType %q is not known", printable(string(r.change)))
	case r.spec.OwnerOnly(r.change) || r.entity.Key.Managed:
		return r, fault.New(fault.Forbidden, "%s is managed by the service: it is not written through this interface", r.spec.Name)
	case r.change == model.Delete:
		return r, nil
	case r.change == model.Patch:
		doc, err := patch.Parse(text)
		r.patch = &doc
		return r, err
	case r.spec.IsKey:
		r.value = r.entity.KeyValue(r.urn) // the key follows from the URN
		return r, nil
	}
	plain, err := rewrite(text, 0)
	if err != nil {
		return r, err
	}
	_, r.value, _, err = d.registry.ConformText(r.spec, plain)
	return r, err
}

// stored reads the current aspects from the catalog.
func (d *dryRun) stored(ctx context.Context, all []plannedWrite) (map[model.Key]model.Object, error) {
	asked := map[string]map[urn.URN]map[string]any{}
	for _, r := range all {
		if r.spec.Timeseries {
			continue
		}
		if asked[r.entity.Name] == nil {
			asked[r.entity.Name] = map[urn.URN]map[string]any{}
		}
		if asked[r.entity.Name][r.urn] == nil {
			asked[r.entity.Name][r.urn] = map[string]any{"urn": r.urn}
		}
		asked[r.entity.Name][r.urn][r.spec.Name] = struct{}{}
	}
	found := map[model.Key]model.Object{}
	for entityType, entities := range asked {
		var request []map[string]any
		for _, e := range entities {
			request = append(request, e)
		}
		body, err := encode(request)
		if err != nil {
			return nil, err
		}
		answer, err := d.client.read(ctx, "/openapi/v3/entity/"+entityType+"/batchGet", body)
		if err != nil {
			return nil, fmt.Errorf("compare with the catalog: %w", err)
		}
		var read []map[string]json.RawMessage
		if err := json.Unmarshal(answer, &read); err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "compare with the catalog: its answer cannot be read")
		}
		for _, e := range read {
			if err := collect(e, found); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// collect extracts the aspects of an entity from a response.
func collect(entity map[string]json.RawMessage, into map[model.Key]model.Object) error {
	var u urn.URN
	if err := json.Unmarshal(entity["urn"], &u); err != nil {
		return fault.Wrap(err, fault.Unavailable, "compare with the catalog: an entity of its answer has no urn")
	}
	for name, text := range entity {
		if name == "urn" {
			continue
		}
		var aspect struct{ Value json.RawMessage }
		if err := json.Unmarshal(text, &aspect); err != nil || aspect.Value == nil {
			continue // not an aspect
		}
		value, err := jsontree.DecodeObject(aspect.Value)
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "compare with the catalog: %s of its answer cannot be read", name)
		}
		into[model.Key{URN: u, Aspect: name}] = value
	}
	return nil
}

func (d *dryRun) note(r plannedWrite, stored model.Object) {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := r.value
	if r.patch != nil {
		stamp := model.Object{"time": jsontree.Number(0), "actor": string(model.SystemActor)}
		if applied, err := r.patch.Apply(r.spec, stored, stamp); err == nil {
			after = applied
		}
	}
	switch {
	case r.change == model.Delete && stored != nil:
		d.found.Deleted++
	case r.change == model.Delete:
		d.found.Same++
	case r.spec.Timeseries:
		d.found.Documents++
	case stored == nil:
		d.found.Created++
	case jsontree.Equal(stored, after):
		d.found.Same++
	default:
		d.found.Changed++
	}
}

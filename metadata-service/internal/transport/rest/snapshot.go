package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// snapshotEnvelope is an entity in the older form: {"value": {"<snapshot record>": {...}}}.
type snapshotEnvelope struct {
	Value taggedValue `json:"value"`
}

type snapshotBody struct {
	URN     string                   `json:"urn"`
	Aspects boundedList[taggedValue] `json:"aspects"`
}

type ingestInput struct {
	Entity *snapshotEnvelope `json:"entity" param:"required"`
	System systemMetadata    `json:"systemMetadata"`
}

func (s *handlers) ingestSnapshot(ctx context.Context, in ingestInput) (any, error) {
	proposals, err := s.snapshotProposals(nil, "entity", in.Entity, model.SystemMetadata(in.System))
	if err != nil {
		return nil, err
	}
	_, err = s.Catalog.Write(ctx, proposals, s.writeOptions(false))
	return noValue{}, err
}

type batchIngestInput struct {
	Entities boundedList[*snapshotEnvelope] `json:"entities" param:"required"`
	System   boundedList[systemMetadata]    `json:"systemMetadata"`
}

func (s *handlers) ingestSnapshots(ctx context.Context, in batchIngestInput) (any, error) {
	if in.System != nil && len(in.System) != len(in.Entities) {
		return nil, &statusError{
			status: http.StatusPreconditionFailed,
			cause:  fault.New(fault.Malformed, "entities has %d items and systemMetadata %d; give as many or leave systemMetadata out", len(in.Entities), len(in.System)),
		}
	}
	var proposals []catalog.Proposal
	for i, entity := range in.Entities {
		var system model.SystemMetadata
		if in.System != nil {
			system = model.SystemMetadata(in.System[i])
		}
		var err error
		if proposals, err = s.snapshotProposals(proposals, fmt.Sprintf("entities.%d", i), entity, system); err != nil {
			return nil, err
		}
	}
	_, err := s.Catalog.Write(ctx, proposals, s.writeOptions(false))
	return noValue{}, err
}

// snapshotProposals appends one upsert for each aspect of a snapshot.
func (s *handlers) snapshotProposals(proposals []catalog.Proposal, at string, e *snapshotEnvelope, system model.SystemMetadata) ([]catalog.Proposal, error) {
	if e == nil || e.Value.Name == "" {
		return nil, fault.New(fault.Malformed, "%s.value must be an object with one member, named after a snapshot record", at)
	}
	spec, ok := s.registry.Snapshot(e.Value.Name)
	if !ok {
		return nil, fault.New(fault.Malformed, "%s.value: %q is no snapshot record", at, truncate(e.Value.Name))
	}
	var body snapshotBody
	if err := json.Unmarshal(e.Value.Value, &body); err != nil {
		return nil, decodeError(at+".value", err)
	}
	if body.URN == "" {
		return nil, fault.New(fault.Malformed, "%s.value: urn is required", at)
	}
	if len(body.Aspects) == 0 {
		return s.keyProposal(proposals, spec, body.URN, system)
	}
	for i, aspect := range body.Aspects {
		if aspect.Name == "" {
			return nil, fault.New(fault.Malformed, "%s.value.aspects.%d must be an object with one member, named after the record of an aspect", at, i)
		}
		a, ok := s.registry.AspectByRecord(aspect.Name)
		if !ok {
			return nil, fault.New(fault.Malformed, "%s.value.aspects.%d: no aspect has the record %q", at, i, truncate(aspect.Name))
		}
		proposals = append(proposals, catalog.Proposal{
			EntityType: spec.Name, URN: body.URN, Change: model.Upsert, Aspect: a.Name, Value: aspect.Value, System: system,
		})
	}
	if len(proposals) > maxProposals {
		return nil, fault.New(fault.TooLarge, "the entities have more than %d aspects together; send several batches", maxProposals)
	}
	return proposals, nil
}

// keyProposal appends the upsert for a snapshot without aspects, which states that the entity
// exists.
func (s *handlers) keyProposal(proposals []catalog.Proposal, spec *model.EntitySpec, text string, system model.SystemMetadata) ([]catalog.Proposal, error) {
	u, bound, err := s.registry.Resolve(text)
	if err != nil {
		return nil, err
	}
	value := jsontree.Encode(bound.KeyValue(u))
	return append(proposals, catalog.Proposal{
		EntityType: spec.Name, URN: text, Change: model.Upsert, Aspect: bound.Key.Name, Value: value, System: system,
	}), nil
}

func (s *handlers) getSnapshot(c echo.Context) error {
	u, _, err := s.pathKey(c)
	if err != nil {
		return err
	}
	snapshots, err := s.readSnapshots(c, []urn.URN{u})
	if err != nil {
		return err
	}
	return writeTree(c, snapshots[string(u)])
}

func (s *handlers) getSnapshots(c echo.Context) error {
	urns, err := s.idsParam(c)
	if err != nil {
		return err
	}
	snapshots, err := s.readSnapshots(c, urns)
	if err != nil {
		return err
	}
	return writeBatch(c, snapshots)
}

// readSnapshots returns the snapshot of each URN. An absent entity has only its key aspect, for
// compatibility. An entity of a type without snapshots has the form of entityTree.
func (s *handlers) readSnapshots(c echo.Context, urns []urn.URN) (object, error) {
	names, err := aspectsParam(c)
	if err != nil {
		return nil, err
	}
	entities, err := s.read(c.Request().Context(), new(int64), urns, catalog.EntityQuery{Aspects: s.aspectNames(names), AlwaysKey: true})
	if err != nil {
		return nil, err
	}
	trees := make(object, len(entities))
	for _, e := range entities {
		tree := snapshotTree
		if e.Spec.Snapshot == nil {
			tree = entityTree
		}
		trees[string(e.URN)] = tree(e)
	}
	return trees, nil
}

// aspectNames converts the names of records, which clients may use as in responses, to names of
// aspects.
func (s *handlers) aspectNames(names []string) []string {
	for i, name := range names {
		if a, ok := s.registry.AspectByRecord(name); ok {
			names[i] = a.Name
		}
	}
	return names
}

func snapshotTree(e catalog.Entity) object {
	aspects := []any{}
	for _, a := range e.Aspects {
		if slices.Contains(e.Spec.Snapshot.Aspects, a.Spec.Name) {
			aspects = append(aspects, object{a.Spec.Record.Name: a.Value})
		}
	}
	body := object{"urn": string(e.URN), "aspects": aspects}
	return object{"value": object{e.Spec.Snapshot.Record: body}}
}

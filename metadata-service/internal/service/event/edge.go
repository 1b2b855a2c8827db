package event

import (
	"context"
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// edgeChange is an added or removed relationship.
type edgeChange struct {
	source, destination, owner, via urn.URN
	kind                            string
	properties                      json.RawMessage
	operation                       string
}

// payload returns the record RelationshipChangeEvent without its stamp. It includes the owner of an
// edge if that differs from the source, as for edges between columns.
func (c *edgeChange) payload() jsontree.Object {
	payload := jsontree.Object{
		"sourceUrn": string(c.source), "destinationUrn": string(c.destination), "operation": c.operation, "relationshipType": c.kind,
	}
	if c.owner != c.source {
		payload["lifecycleOwner"] = string(c.owner)
	}
	if c.via != "" {
		payload["via"] = string(c.via)
	}
	if properties := textMembers(c.properties); len(properties) > 0 {
		payload["properties"] = properties
	}
	return payload
}

// textMembers returns the text members of an object. The record takes only texts.
func textMembers(object json.RawMessage) jsontree.Object {
	if len(object) == 0 {
		return nil
	}
	all, err := jsontree.DecodeObject(object)
	if err != nil {
		return nil // edges derive from decoded values
	}
	out := jsontree.Object{}
	for name, value := range all {
		if text, ok := value.(string); ok {
			out[name] = text
		}
	}
	return out
}

// edgeChanges compares the relationships of an aspect before and after an entry. It returns removed
// ones first, each group in the order of the value. For a deleted entity it returns all
// relationships that its own aspects gave, not those of other entities that lead to it.
func (r *reading) edgeChanges(ctx context.Context, e *store.Entry, v versions) ([]edgeChange, error) {
	if e.Kind == store.EntityDeleted {
		return r.deletedEdges(ctx, e)
	}
	if !v.known || !v.spec.MakesEdges() {
		return nil, nil
	}
	before, err := r.edges(ctx, e, v.spec, v.before, 0)
	if err != nil {
		return nil, err
	}
	after, err := r.edges(ctx, e, v.spec, v.after, len(before))
	if err != nil {
		return nil, err
	}
	return append(edgeDifference(before, after, removed), edgeDifference(after, before, added)...), nil
}

// deletedEdges returns the relationships of a deleted entity, derived from the aspects in its log
// entry.
func (r *reading) deletedEdges(ctx context.Context, e *store.Entry) (all []edgeChange, err error) {
	gone, err := e.AspectsGone()
	if err != nil {
		return nil, err
	}
	for _, aspect := range gone {
		spec := r.aspect(aspect.Name)
		if spec == nil {
			continue // from a model with an aspect that this program lacks
		}
		value, err := jsontree.DecodeObject(aspect.Value)
		if err != nil {
			return nil, err
		}
		edges, err := r.edges(ctx, e, spec, value, len(all))
		if err != nil {
			return nil, err
		}
		all = append(all, edgeDifference(edges, nil, removed)...)
	}
	return all, nil
}

// edgeBytes is the memory reserved for an edge during a comparison.
const edgeBytes = 400

// edges derives the relationships of a value. beside counts the other edges of the entry. Memory is
// reserved for the largest number of edges of one entry; later entries reuse it.
func (r *reading) edges(ctx context.Context, e *store.Entry, spec *model.AspectSpec, value jsontree.Object, beside int) ([]model.Edge, error) {
	if value == nil {
		return nil, nil
	}
	edges := store.EdgesOf(spec, e.URN, value, model.AuditStamp{Time: e.Time, Actor: e.Actor})
	if more := beside + len(edges) - r.reservedEdges; more > 0 {
		if err := r.reserve(ctx, edgeBytes*int64(more)); err != nil {
			return nil, err
		}
		r.reservedEdges += more
	}
	return edges, nil
}

// edgeDifference returns the edges that others lack.
func edgeDifference(edges, others []model.Edge, operation string) (out []edgeChange) {
	if len(edges) == 0 {
		return nil
	}
	known := make(map[model.EdgeKey]bool, len(others))
	for i := range others {
		known[others[i].Key()] = true
	}
	for i := range edges {
		if e := &edges[i]; !known[e.Key()] {
			out = append(out, edgeChange{e.Source, e.Destination, e.Owner, e.Via, e.Type, e.Properties, operation})
		}
	}
	return out
}

package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that list relationships and paths.

// FlowJobs returns the jobs of a data flow, in the oldest form of the schema.
func (a *api) FlowJobs(ctx context.Context, l *loader, at place, w *set) (*gqltype.DataFlowDataJobsRelationships, error) {
	found, err := a.relationshipPage(ctx, discover.RelationshipQuery{URN: at.URN, Direction: graph.Incoming, Types: []string{"IsPartOf"}, Count: maxCount})
	if err != nil {
		return nil, err
	}
	want := w.Of("DataFlowDataJobsRelationships")["entities"].Of("EntityRelationshipLegacy")["entity"]
	entities := []*gqltype.EntityRelationshipLegacy{}
	for i := range found.Edges {
		if e := l.EntityWithRelationships(found.Edges[i].Source, want); e != nil {
			entities = append(entities, &gqltype.EntityRelationshipLegacy{Entity: e, Created: auditStamp(found.Edges[i].Created)})
		}
	}
	return &gqltype.DataFlowDataJobsRelationships{Entities: &entities}, nil
}

func auditStamp(s model.AuditStamp) *gqltype.AuditStamp {
	return &gqltype.AuditStamp{Time: gqltype.Long(s.Time), Actor: nilIfZero(string(s.Actor))}
}

// Relationships returns the relationships of an entity.
func (a *api) Relationships(at place, w *set) func(context.Context, gqltype.RelationshipsArgs) (*gqltype.EntityRelationshipsResult, error) {
	return func(ctx context.Context, args gqltype.RelationshipsArgs) (*gqltype.EntityRelationshipsResult, error) {
		return a.relationships(ctx, at.URN, args.Input, w)
	}
}

const defaultRelationships = 10

func (a *api) relationships(ctx context.Context, u urn.URN, in gqltype.RelationshipsInput, w *set) (*gqltype.EntityRelationshipsResult, error) {
	from, size, err := page(in.Start, in.Count, defaultRelationships)
	if err != nil {
		return nil, err
	}
	direction := graph.Direction(in.Direction)
	found, err := a.relationshipPage(ctx, discover.RelationshipQuery{
		URN: u, Direction: direction, Types: in.Types, NeighborTypes: namesOfTypes(value(in.RelatedEntityTypes)), Start: from, Count: size,
		IncludeSoftDeleted: in.IncludeSoftDelete,
	})
	if err != nil {
		return nil, err
	}
	want := w.Of("EntityRelationshipsResult")["relationships"].Of("EntityRelationship")["entity"]
	return build(ctx, a, func(l *loader) *gqltype.EntityRelationshipsResult {
		out := &gqltype.EntityRelationshipsResult{
			Start: ptr(int32(from)), Count: ptr(int32(len(found.Edges))), Total: ptr(int32(found.Total)), Relationships: []*gqltype.EntityRelationship{},
		}
		for i := range found.Edges {
			e := &found.Edges[i]
			out.Relationships = append(out.Relationships, &gqltype.EntityRelationship{
				Type: e.Type, Direction: in.Direction, Entity: l.Entity(graph.Neighbor(e, direction), want), Created: auditStamp(e.Created),
			})
		}
		return out
	})
}

// namesOfTypes converts EntityType values to names of entity types. Other strings remain
// unchanged: they are such names already, or match nothing.
func namesOfTypes(values []string) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v
		if name, ok := gqltype.TypeName(v); ok {
			names[i] = name
		}
	}
	return names
}

// ApplicationEdges returns the applications of an asset as relationships.
func (a *api) ApplicationEdges(ctx context.Context, _ *loader, at place, w *set) (*gqltype.EntityRelationshipsResult, error) {
	return a.relationships(ctx, at.URN, gqltype.RelationshipsInput{Types: []string{"AssociatedWith"}, Direction: string(graph.Outgoing), IncludeSoftDelete: true}, w)
}

const defaultLineage = 100

// Lineage returns the lineage of an entity, one hop upstream or downstream.
func (a *api) Lineage(at place, w *set) func(context.Context, gqltype.LineageArgs) (*gqltype.EntityLineageResult, error) {
	return func(ctx context.Context, args gqltype.LineageArgs) (*gqltype.EntityLineageResult, error) {
		in := args.Input
		from, size, err := page(in.Start, in.Count, defaultLineage)
		if err != nil {
			return nil, err
		}
		found, err := readWithinBudget(ctx, searchCost, func(r discover.LineageRows) int { return len(r.Rows) }, func() (discover.LineageRows, error) {
			return a.Discover.Lineage(ctx, discover.LineageListing{
				URN: at.URN, Direction: lineage.Direction(in.Direction), Start: from, Count: size, StartTime: millis(in.StartTimeMillis), EndTime: millis(in.EndTimeMillis),
				SeparateSiblings: value(in.SeparateSiblings), IncludeGhosts: in.IncludeGhostEntities,
			})
		})
		if err != nil {
			return nil, err
		}
		want := w.Of("EntityLineageResult")["relationships"].Of("LineageRelationship")
		return build(ctx, a, func(l *loader) *gqltype.EntityLineageResult {
			out := &gqltype.EntityLineageResult{
				Start: ptr(int32(from)), Count: ptr(int32(len(found.Rows))), Total: ptr(int32(found.Total)), Filtered: ptr(int32(found.Filtered)),
				Relationships: make([]*gqltype.LineageRelationship, 0, len(found.Rows)),
			}
			for _, row := range found.Rows {
				out.Relationships = append(out.Relationships, &gqltype.LineageRelationship{
					Type: row.Type, Entity: entityOrRestricted(l, row.URN, want["entity"]), Degree: int32(row.Degree), IsManual: ptr(row.Manual),
					CreatedOn: nilIfZero(gqltype.Long(row.Created.Time)), UpdatedOn: nilIfZero(gqltype.Long(row.Updated.Time)),
					CreatedActor: entityOf(l, row.Created.Actor, want["createdActor"]), UpdatedActor: entityOf(l, row.Updated.Actor, want["updatedActor"]),
				})
			}
			return out
		})
	}
}

func entityOf(l *loader, u urn.URN, w *set) *gqltype.Entity {
	if u == "" || w == nil {
		return nil
	}
	return l.Entity(u, w)
}

// BrowsePaths returns the paths of an asset in the older browse tree.
func (a *api) BrowsePaths(ctx context.Context, _ *loader, at place, _ *set) (*[]*gqltype.BrowsePath, error) {
	paths, err := a.paths(ctx, at.URN)
	if err != nil {
		return nil, err
	}
	return ptr(browsePaths(paths)), nil
}

func browsePaths(paths []string) []*gqltype.BrowsePath {
	out := make([]*gqltype.BrowsePath, 0, len(paths))
	for _, p := range paths {
		out = append(out, &gqltype.BrowsePath{Path: strings.FieldsFunc(p, func(r rune) bool { return r == '/' })})
	}
	return out
}

package graphql

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that lead to other entities.

// maxParents is how far up a hierarchy is followed.
const maxParents = 50

// ancestors hands over what lies above an entity, nearest first. The levels of
// all entities of an answer are read together, one level in each round. A cycle
// ends it.
func (a *api) ancestors(l *loader, at place, parent func(urn.URN) (aspect, path string), found func(urn.URN)) {
	seen := map[urn.URN]bool{at.URN: true}
	var climb func(name, path string, stored *gqltype.Stored)
	climb = func(name, path string, stored *gqltype.Stored) {
		above := reach(stored.Aspects[name], path)
		if above == "" || seen[above] || len(seen) > maxParents {
			return
		}
		if _, _, err := a.Registry.Resolve(string(above)); err != nil {
			return
		}
		seen[above] = true
		found(above)
		name, path = parent(above)
		l.Later(above, []string{name}, func(_ context.Context, stored *gqltype.Stored) { climb(name, path, stored) })
	}
	name, path := parent(at.URN)
	if at.Aspect(name) != nil {
		climb(name, path, at.Entity)
		return
	}
	l.Later(at.URN, []string{name}, func(_ context.Context, stored *gqltype.Stored) { climb(name, path, stored) })
}

// reach follows a path of members to a URN.
func reach(aspect jsontree.Object, path string) urn.URN {
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		aspect = object(aspect[step])
	}
	return urn.URN(text(aspect, steps[len(steps)-1]))
}

func always(aspect, path string) func(urn.URN) (string, string) {
	return func(urn.URN) (string, string) { return aspect, path }
}

func glossaryParent(u urn.URN) (string, string) {
	if u.Type() == "glossaryTerm" {
		return "glossaryTermInfo", "parentNode"
	}
	return "glossaryNodeInfo", "parentNode"
}

// ParentContainers are the containers around an entity.
func (a *api) ParentContainers(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentContainersResult, error) {
	out, want := &gqltype.ParentContainersResult{Containers: []*gqltype.Container{}}, w.Of("ParentContainersResult")["containers"]
	a.ancestors(l, at, always("container", "container"), func(u urn.URN) {
		out.Count++
		out.Containers = append(out.Containers, l.Container(u, want))
	})
	return out, nil
}

// ParentDomains are the domains above a domain.
func (a *api) ParentDomains(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentDomainsResult, error) {
	out, want := &gqltype.ParentDomainsResult{Domains: []*gqltype.Entity{}}, w.Of("ParentDomainsResult")["domains"]
	a.ancestors(l, at, always("domainProperties", "parentDomain"), func(u urn.URN) {
		if domain := l.Entity(u, want); domain != nil {
			out.Count++
			out.Domains = append(out.Domains, domain)
		}
	})
	return out, nil
}

// ParentNodes are the glossary nodes above a term or node.
func (a *api) ParentNodes(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentNodesResult, error) {
	out, want := &gqltype.ParentNodesResult{Nodes: []*gqltype.GlossaryNode{}}, w.Of("ParentNodesResult")["nodes"]
	a.ancestors(l, at, glossaryParent, func(u urn.URN) {
		out.Count++
		out.Nodes = append(out.Nodes, l.GlossaryNode(u, want))
	})
	return out, nil
}

// ParentDocuments are the documents above a document.
func (a *api) ParentDocuments(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentDocumentsResult, error) {
	out, want := &gqltype.ParentDocumentsResult{Documents: []*gqltype.Document{}}, w.Of("ParentDocumentsResult")["documents"]
	a.ancestors(l, at, always("documentInfo", "parentDocument.document"), func(u urn.URN) {
		out.Count++
		out.Documents = append(out.Documents, l.Document(u, want))
	})
	return out, nil
}

// ParentDataProducts are the data products above one. The list is no pointer, so
// it must be there at once and cannot wait for rounds.
func (a *api) ParentDataProducts(ctx context.Context, l *loader, at place, w *set) ([]*gqltype.DataProduct, error) {
	above, err := build(ctx, a, func(l *loader) *[]urn.URN {
		out := []urn.URN{}
		a.ancestors(l, at, always("dataProductProperties", "parentDataProduct"), func(u urn.URN) { out = append(out, u) })
		return &out
	})
	if err != nil {
		return nil, err
	}
	return loaded(*above, w, l.DataProduct), nil
}

// ParentMetrics are the metrics above one.
func (a *api) ParentMetrics(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Metric, error) {
	out := []*gqltype.Metric{}
	a.ancestors(l, at, always("metricRelationships", "parentMetric"), func(u urn.URN) { out = append(out, l.Metric(u, w)) })
	return &out, nil
}

// platformNamed is the platform that a tool, an orchestrator or a key part names.
func platformNamed(name string) urn.URN {
	if name == "" {
		return model.UnknownPlatform
	}
	if urn.Looks(name) {
		return urn.URN(name)
	}
	return urn.Make("dataPlatform", name)
}

// ToolPlatform is the platform of assets whose key names a tool.
func (a *api) ToolPlatform(_ context.Context, l *loader, at place, w *set) (*gqltype.DataPlatform, error) {
	tool := ""
	if parts := at.URN.Parts(); len(parts) > 0 {
		tool = parts[0]
	}
	return l.DataPlatform(platformNamed(tool), w), nil
}

// JobPlatform is the platform of a job, or that of its flow.
func (a *api) JobPlatform(_ context.Context, l *loader, at place, w *set) (*gqltype.DataPlatform, error) {
	if p := text(object(at.Aspect("dataPlatformInstance")), "platform"); p != "" {
		return l.DataPlatform(urn.URN(p), w), nil
	}
	orchestrator := ""
	if parts := urn.URN(text(object(at.Aspect("dataJobKey")), "flow")).Parts(); len(parts) > 0 {
		orchestrator = parts[0]
	}
	return l.DataPlatform(platformNamed(orchestrator), w), nil
}

// OwnershipTypeOf is the type of an owner; older owners say it by a word.
func (a *api) OwnershipTypeOf(_ context.Context, l *loader, at place, w *set) (*gqltype.OwnershipTypeEntity, error) {
	if u := urn.URN(text(at.Record, "typeUrn")); u.Type() == "ownershipType" {
		return l.OwnershipTypeEntity(u, w), nil
	}
	word := strings.ToLower(text(at.Record, "type"))
	if word == "" {
		return nil, nil
	}
	return l.OwnershipTypeEntity(urn.Make("ownershipType", "__system__"+word), w), nil
}

// LifecycleStage is the stage an entity is in.
func (a *api) LifecycleStage(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.LifecycleStageType, error) {
	u, err := urn.Parse(text(at.Record, "lifecycleStage"))
	if err != nil {
		return nil, nil
	}
	return a.stage(ctx, u)
}

func (a *api) stage(ctx context.Context, u urn.URN) (*gqltype.LifecycleStageType, error) {
	info, err := a.aspect(ctx, u, "lifecycleStageTypeInfo")
	if err != nil {
		return nil, err
	}
	out := &gqltype.LifecycleStageType{Urn: string(u), Name: text(info, "name"), Description: filled(text(info, "description"))}
	if out.Name == "" {
		out.Name = u.Key()
	}
	out.HideInSearch, _ = object(info["settings"])["hideInSearch"].(bool)
	if types, ok := info["entityTypes"].([]any); ok {
		out.EntityTypes = ptr(texts(types))
	}
	if before, ok := object(info["transitionPolicy"])["allowedPreviousStages"].([]any); ok {
		out.AllowedPreviousStages = ptr(texts(before))
	}
	return out, nil
}

// edgesOr are the URNs of a list of edges together with those of the older
// plain list.
func edgesOr(record jsontree.Object, edges, plain, entityType string) []urn.URN {
	seen := map[string]bool{}
	var out []urn.URN
	add := func(s string) {
		if u, err := urn.Parse(s); err == nil && u.Type() == entityType && !seen[s] {
			seen[s] = true
			out = append(out, u)
		}
	}
	for _, s := range texts(record[plain]) {
		add(s)
	}
	for _, o := range objects(record[plain]) { // a union's members
		for _, v := range o {
			if s, ok := v.(string); ok {
				add(s)
			}
		}
	}
	for _, e := range objects(record[edges]) {
		add(text(e, "destinationUrn"))
	}
	return out
}

// loaded makes a value of each URN.
func loaded[T any](urns []urn.URN, w *set, of func(urn.URN, *set) T) []T {
	out := make([]T, 0, len(urns))
	for _, u := range urns {
		out = append(out, of(u, w))
	}
	return out
}

// ChartInputs are the datasets a chart shows.
func (a *api) ChartInputs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loaded(edgesOr(at.Record, "inputEdges", "inputs", "dataset"), w, l.Dataset)), nil
}

// DashboardCharts are the charts of a dashboard.
func (a *api) DashboardCharts(_ context.Context, l *loader, at place, w *set) ([]*gqltype.Chart, error) {
	return loaded(edgesOr(at.Record, "chartEdges", "charts", "chart"), w, l.Chart), nil
}

// JobInputDatasets are the datasets a job reads.
func (a *api) JobInputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loaded(edgesOr(at.Record, "inputDatasetEdges", "inputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobOutputDatasets are the datasets a job writes.
func (a *api) JobOutputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loaded(edgesOr(at.Record, "outputDatasetEdges", "outputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobInputJobs are the jobs a job waits for.
func (a *api) JobInputJobs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.DataJob, error) {
	return ptr(loaded(edgesOr(at.Record, "inputDatajobEdges", "inputDatajobs", "dataJob"), w, l.DataJob)), nil
}

// QueryDataset is the dataset a query asks, also when it names a column of it.
func (a *api) QueryDataset(_ context.Context, l *loader, at place, w *set) (*gqltype.Dataset, error) {
	u := urn.URN(text(at.Record, "entity"))
	if parts := u.Parts(); u.Type() == "schemaField" && len(parts) == 2 {
		u = urn.URN(parts[0])
	}
	return l.Dataset(u, w), nil
}

// FieldEntity is the entity of a column, which tags and properties may hang on.
func (a *api) FieldEntity(_ context.Context, l *loader, at place, w *set) (*gqltype.SchemaFieldEntity, error) {
	path := text(at.Record, "fieldPath")
	if path == "" || at.URN.Type() != "dataset" {
		return nil, nil
	}
	u, err := urn.Parse("urn:li:schemaField:(" + string(at.URN) + "," + path + ")")
	if err != nil {
		return nil, nil
	}
	return l.SchemaFieldEntity(u, w), nil
}

// AssertionDataset is the dataset an assertion is about.
func (a *api) AssertionDataset(_ context.Context, l *loader, at place, w *set) (*gqltype.Dataset, error) {
	info := object(at.Aspect("assertionInfo"))
	for _, kind := range []string{"datasetAssertion", "freshnessAssertion", "volumeAssertion", "sqlAssertion", "fieldAssertion", "schemaAssertion", "customAssertion"} {
		for _, member := range []string{"dataset", "entity"} {
			if u := urn.URN(text(object(info[kind]), member)); u.Type() == "dataset" {
				return l.Dataset(u, w), nil
			}
		}
	}
	return nil, nil
}

// IncidentEntity is the first entity an incident is about.
func (a *api) IncidentEntity(_ context.Context, l *loader, at place, w *set) (*gqltype.Entity, error) {
	for _, s := range texts(object(at.Aspect("incidentInfo"))["entities"]) {
		if u, err := urn.Parse(s); err == nil {
			if e := l.Entity(u, w); e != nil {
				return e, nil
			}
		}
	}
	// The schema promises an entity: an incident about nothing is about the platform unknown.
	return l.Entity(model.UnknownPlatform, w), nil
}

// IncidentAssignees are those who work on an incident.
func (a *api) IncidentAssignees(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.OwnerType, error) {
	assignees, ok := object(at.Aspect("incidentInfo"))["assignees"].([]any)
	if !ok {
		return nil, nil
	}
	out := []*gqltype.OwnerType{}
	for _, o := range objects(assignees) {
		if u, err := urn.Parse(text(o, "actor")); err == nil {
			if owner := l.OwnerType(u, w); owner != nil {
				out = append(out, owner)
			}
		}
	}
	return &out, nil
}

// FlowJobs are the jobs of a flow, in the oldest form of the schema.
func (a *api) FlowJobs(ctx context.Context, l *loader, at place, w *set) (*gqltype.DataFlowDataJobsRelationships, error) {
	found, err := a.walk(ctx, catalog.RelationshipQuery{URN: at.URN, Direction: graph.Incoming, Types: []string{"IsPartOf"}, Count: maxCount})
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
	return &gqltype.AuditStamp{Time: gqltype.Long(s.Time), Actor: filled(string(s.Actor))}
}

// Relationships are the edges of an entity.
func (a *api) Relationships(at place, w *set) func(context.Context, gqltype.RelationshipsArgs) (*gqltype.EntityRelationshipsResult, error) {
	return func(ctx context.Context, args gqltype.RelationshipsArgs) (*gqltype.EntityRelationshipsResult, error) {
		return a.relationships(ctx, at.URN, args.Input, w)
	}
}

const usualRelationships = 10

func (a *api) relationships(ctx context.Context, u urn.URN, in gqltype.RelationshipsInput, w *set) (*gqltype.EntityRelationshipsResult, error) {
	from, size, err := page(in.Start, in.Count, usualRelationships)
	if err != nil {
		return nil, err
	}
	direction := graph.Direction(in.Direction)
	found, err := a.walk(ctx, catalog.RelationshipQuery{
		URN: u, Direction: direction, Types: in.Types, Start: from, Count: size, IncludeSoftDeleted: in.IncludeSoftDelete,
	})
	if err != nil {
		return nil, err
	}
	types := map[string]bool{}
	for _, t := range value(in.RelatedEntityTypes) {
		if name, ok := gqltype.TypeName(t); ok {
			types[name] = true
		}
	}
	want := w.Of("EntityRelationshipsResult")["relationships"].Of("EntityRelationship")["entity"]
	return build(ctx, a, func(l *loader) *gqltype.EntityRelationshipsResult {
		out := &gqltype.EntityRelationshipsResult{
			Start: ptr(int32(from)), Count: ptr(int32(len(found.Edges))), Total: ptr(int32(found.Total)), Relationships: []*gqltype.EntityRelationship{},
		}
		for i := range found.Edges {
			e := &found.Edges[i]
			neighbor := graph.Neighbor(e, direction)
			if len(types) > 0 && !types[neighbor.Type()] {
				continue
			}
			out.Relationships = append(out.Relationships, &gqltype.EntityRelationship{
				Type: e.Type, Direction: in.Direction, Entity: l.Entity(neighbor, want), Created: auditStamp(e.Created),
			})
		}
		return out
	})
}

// ApplicationEdges are the applications of an asset as relationships.
func (a *api) ApplicationEdges(ctx context.Context, _ *loader, at place, w *set) (*gqltype.EntityRelationshipsResult, error) {
	return a.relationships(ctx, at.URN, gqltype.RelationshipsInput{Types: []string{"AssociatedWith"}, Direction: string(graph.Outgoing), IncludeSoftDelete: true}, w)
}

const usualLineage = 100

// Lineage is what stands one hop up or down.
func (a *api) Lineage(at place, w *set) func(context.Context, gqltype.LineageArgs) (*gqltype.EntityLineageResult, error) {
	return func(ctx context.Context, args gqltype.LineageArgs) (*gqltype.EntityLineageResult, error) {
		in := args.Input
		from, size, err := page(in.Start, in.Count, usualLineage)
		if err != nil {
			return nil, err
		}
		if err := spend(ctx, searchWork); err != nil {
			return nil, err
		}
		found, err := a.Catalog.Lineage(ctx, catalog.LineageListing{
			URN: at.URN, Direction: lineage.Direction(in.Direction), Start: from, Count: size, StartTime: millis(in.StartTimeMillis), EndTime: millis(in.EndTimeMillis),
			SeparateSiblings: value(in.SeparateSiblings), IncludeGhosts: in.IncludeGhostEntities,
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
					Type: row.Type, Entity: l.Entity(row.URN, want["entity"]), Degree: int32(row.Degree), IsManual: ptr(row.Manual),
					CreatedOn: filled(gqltype.Long(row.Created.Time)), UpdatedOn: filled(gqltype.Long(row.Updated.Time)),
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

// BrowsePaths are the paths of an asset in the older browse tree.
func (a *api) BrowsePaths(ctx context.Context, _ *loader, at place, _ *set) (*[]*gqltype.BrowsePath, error) {
	paths, err := a.Catalog.PathsOf(ctx, at.URN)
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

// Aspects are aspects as they are stored.
func (a *api) Aspects(at place, _ *set) func(context.Context, gqltype.AspectsArgs) (*[]*gqltype.RawAspect, error) {
	return func(ctx context.Context, args gqltype.AspectsArgs) (*[]*gqltype.RawAspect, error) {
		var names []string
		if args.Input != nil {
			names = value(args.Input.AspectNames)
			if value(args.Input.AutoRenderOnly) {
				return &[]*gqltype.RawAspect{}, nil // no aspect of the model is marked so
			}
		}
		entities, err := a.entities(ctx, catalog.EntityQuery{Aspects: names}, at.URN)
		if err != nil || len(entities) == 0 {
			return nil, err
		}
		out := []*gqltype.RawAspect{}
		for _, found := range entities[0].Aspects {
			out = append(out, &gqltype.RawAspect{AspectName: found.Spec.Name, Payload: ptr(string(found.Value))})
		}
		return &out, nil
	}
}

// LastIngested is when a run last wrote the entity.
func (a *api) LastIngested(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.Long, error) {
	entities, err := a.entities(ctx, catalog.EntityQuery{}, at.URN)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	var last int64
	for _, found := range entities[0].Aspects {
		if found.System.RunID != "" && found.System.RunID != model.DefaultRunID {
			last = max(last, found.System.LastObserved)
		}
	}
	return filled(gqltype.Long(last)), nil
}

// SchemaMetadata is the schema of a dataset, the latest or an older version.
func (a *api) SchemaMetadata(at place, w *set) func(context.Context, gqltype.SchemaMetadataArgs) (*gqltype.SchemaMetadata, error) {
	return func(ctx context.Context, args gqltype.SchemaMetadataArgs) (*gqltype.SchemaMetadata, error) {
		schema, version := object(at.Aspect("schemaMetadata")), int64(value(args.Version))
		if version != 0 {
			found, err := a.Catalog.Aspect(ctx, at.URN, "schemaMetadata", version)
			if err != nil {
				if fault.KindOf(err) == fault.NotFound {
					return nil, nil
				}
				return nil, err
			}
			if schema, err = jsontree.DecodeObject(found.Value); err != nil {
				return nil, err
			}
		}
		if schema == nil {
			return nil, nil
		}
		return build(ctx, a, func(l *loader) *gqltype.SchemaMetadata {
			out := l.ToSchemaMetadata(ctx, at, schema, w)
			out.AspectVersion = ptr(gqltype.Long(version))
			return out
		})
	}
}

// Privileges tell what the caller may do with the entity.
func (a *api) Privileges(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.EntityPrivileges, error) {
	may := func(privileges ...auth.Privilege) *bool {
		return ptr(a.may(ctx, at.URN, append(privileges, auth.EditEntity)...))
	}
	return &gqltype.EntityPrivileges{
		CanManageChildren: may(auth.ManageGlossaryChildren), CanManageEntity: may(), CanEditLineage: may(auth.EditLineage), CanEditEmbed: may(auth.EditEmbed),
		CanEditQueries: may(auth.EditQueries), CanEditProperties: may(auth.EditProperties), CanEditTags: may(auth.EditTags), CanEditGlossaryTerms: may(auth.EditTerms),
		CanEditDescription: may(auth.EditDocs), CanEditLinks: may(auth.EditLinks), CanEditDomains: may(auth.EditDomains), CanEditDataProducts: may(auth.EditDataProducts),
		CanEditOwners: may(auth.EditOwners), CanEditIncidents: may(auth.EditIncidents), CanEditAssertions: may(auth.EditAssertions), CanEditAssertionOwners: may(auth.EditOwners),
		CanEditDeprecation: may(auth.EditDeprecation), CanEditSchemaFieldTags: may(auth.EditColumnTags), CanEditSchemaFieldGlossaryTerms: may(auth.EditColumnTerms),
		CanEditSchemaFieldDescription: may(auth.EditColumnDocs), CanViewDatasetUsage: may(auth.ViewUsage), CanViewDatasetProfile: may(auth.ViewProfile),
		CanViewDatasetOperations: may(auth.ViewOperations), CanManageAssetSummary: may(auth.ManageAssetSummary),
	}, nil
}

// RoleIsMine tells whether the caller holds an access role.
func (a *api) RoleIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := string(actor(ctx))
	if me == "" {
		return false, nil
	}
	for _, o := range objects(object(at.Aspect("actors"))["users"]) {
		if text(o, "user") == me {
			return true, nil
		}
	}
	return false, nil
}

// FormIsMine tells whether the caller is to fill in a form.
func (a *api) FormIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := actor(ctx)
	if me == "" {
		return false, nil
	}
	for _, s := range texts(at.Record["users"]) {
		if s == string(me) {
			return true, nil
		}
	}
	groups, err := a.groupsOf(ctx, me)
	if err != nil {
		return false, err
	}
	for _, s := range texts(at.Record["groups"]) {
		if groups[urn.URN(s)] {
			return true, nil
		}
	}
	return false, nil
}

// groupsOf are the groups a user is in.
func (a *api) groupsOf(ctx context.Context, u urn.URN) (map[urn.URN]bool, error) {
	out := map[urn.URN]bool{}
	for aspect, member := range map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
		found, err := a.aspect(ctx, u, aspect)
		if err != nil {
			return nil, err
		}
		for _, s := range texts(found[member]) {
			out[urn.URN(s)] = true
		}
	}
	return out, nil
}

func intOf(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

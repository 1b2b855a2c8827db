package graphql

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that lead to other entities.

// platformNamed is the platform that a tool, an orchestrator or a key part names.
func platformNamed(name string) urn.URN {
	if name == "" {
		return model.UnknownPlatform
	}
	if urn.Looks(name) {
		return platformOrUnknown(name)
	}
	return urn.Make("dataPlatform", name)
}

// platformOrUnknown is a URN as that of a platform, or the unknown platform in place of an entity of another type:
// the field is never null, and one URN that is wrong would make a page of hits null.
func platformOrUnknown(text string) urn.URN {
	if u, err := urn.Parse(text); err == nil && u.Type() == model.UnknownPlatform.Type() {
		return u
	}
	return model.UnknownPlatform
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
	if p := jsontree.Text(jsontree.AsObject(at.Aspect("dataPlatformInstance")), "platform"); p != "" {
		return l.DataPlatform(platformOrUnknown(p), w), nil
	}
	orchestrator := ""
	if parts := urn.URN(jsontree.Text(jsontree.AsObject(at.Aspect("dataJobKey")), "flow")).Parts(); len(parts) > 0 {
		orchestrator = parts[0]
	}
	return l.DataPlatform(platformNamed(orchestrator), w), nil
}

// OwnershipTypeOf is the type of an owner; older owners say it by a word.
func (a *api) OwnershipTypeOf(_ context.Context, l *loader, at place, w *set) (*gqltype.OwnershipTypeEntity, error) {
	u := model.OwnershipType(at.Record)
	if u.Type() != "ownershipType" {
		return nil, nil
	}
	return l.OwnershipTypeEntity(u, w), nil
}

// LifecycleStage is the stage an entity is in.
func (a *api) LifecycleStage(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.LifecycleStageType, error) {
	u, err := urn.Parse(jsontree.Text(at.Record, "lifecycleStage"))
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
	out := &gqltype.LifecycleStageType{Urn: string(u), Name: jsontree.Text(info, "name"), Description: nilIfZero(jsontree.Text(info, "description"))}
	if out.Name == "" {
		out.Name = u.Key()
	}
	out.HideInSearch = jsontree.Bool(jsontree.Child(info, "settings"), "hideInSearch")
	if info["entityTypes"] != nil {
		out.EntityTypes = ptr(jsontree.Texts(info, "entityTypes"))
	}
	if policy := jsontree.Child(info, "transitionPolicy"); policy["allowedPreviousStages"] != nil {
		out.AllowedPreviousStages = ptr(jsontree.Texts(policy, "allowedPreviousStages"))
	}
	return out, nil
}

// edgeTargets are the URNs of a list of edges together with those of the older
// plain list.
func edgeTargets(record jsontree.Object, edges, plain, entityType string) []urn.URN {
	seen := map[string]bool{}
	var out []urn.URN
	add := func(s string) {
		if u, err := urn.Parse(s); err == nil && u.Type() == entityType && !seen[s] {
			seen[s] = true
			out = append(out, u)
		}
	}
	for _, s := range jsontree.Texts(record, plain) {
		add(s)
	}
	for _, o := range jsontree.Children(record, plain) { // a union's members
		for _, v := range o {
			if s, ok := v.(string); ok {
				add(s)
			}
		}
	}
	for _, e := range jsontree.Children(record, edges) {
		add(jsontree.Text(e, "destinationUrn"))
	}
	return out
}

// loadAll makes a value of each URN.
func loadAll[T any](urns []urn.URN, w *set, of func(urn.URN, *set) T) []T {
	out := make([]T, 0, len(urns))
	for _, u := range urns {
		out = append(out, of(u, w))
	}
	return out
}

// ChartInputs are the datasets a chart shows.
func (a *api) ChartInputs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputEdges", "inputs", "dataset"), w, l.Dataset)), nil
}

// DashboardCharts are the charts of a dashboard.
func (a *api) DashboardCharts(_ context.Context, l *loader, at place, w *set) ([]*gqltype.Chart, error) {
	return loadAll(edgeTargets(at.Record, "chartEdges", "charts", "chart"), w, l.Chart), nil
}

// JobInputDatasets are the datasets a job reads.
func (a *api) JobInputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputDatasetEdges", "inputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobOutputDatasets are the datasets a job writes.
func (a *api) JobOutputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "outputDatasetEdges", "outputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobInputJobs are the jobs a job waits for.
func (a *api) JobInputJobs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.DataJob, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputDatajobEdges", "inputDatajobs", "dataJob"), w, l.DataJob)), nil
}

// QueryDataset is the dataset a query asks, also when it names a column of it. Subjects of other types have none.
func (a *api) QueryDataset(_ context.Context, l *loader, at place, w *set) (*gqltype.Dataset, error) {
	u := urn.URN(jsontree.Text(at.Record, "entity"))
	if parent := model.ParentOfColumn(u); parent != "" {
		u = parent
	}
	if u.Type() != "dataset" {
		return nil, nil
	}
	return l.Dataset(u, w), nil
}

// FieldEntity is the entity of a column, which tags and properties may hang on. A
// column that a chart or dashboard reads is that of its dataset.
func (a *api) FieldEntity(_ context.Context, l *loader, at place, w *set) (*gqltype.SchemaFieldEntity, error) {
	if read, err := urn.Parse(jsontree.Text(at.Around, "schemaFieldUrn")); err == nil && read.Type() == model.ColumnType {
		return l.SchemaFieldEntity(read, w), nil
	}
	path := jsontree.Text(at.Record, "fieldPath")
	if path == "" || !slices.Contains([]string{"dataset", "chart", "dashboard"}, at.URN.Type()) {
		return nil, nil
	}
	u, err := urn.Parse(string(model.ColumnURN(at.URN, path)))
	if err != nil {
		return nil, nil
	}
	return l.SchemaFieldEntity(u, w), nil
}

// AssertionInfo is the definition of an assertion with its note: that of its own aspect, else the
// one that earlier writers put into the definition. An empty note stands for none.
func (a *api) AssertionInfo(ctx context.Context, l *loader, at place, w *set) (*gqltype.AssertionInfo, error) {
	info := jsontree.AsObject(at.Aspect("assertionInfo"))
	if info == nil {
		return nil, nil
	}
	out := l.ToAssertionInfo(ctx, at, info, w)
	if own := jsontree.AsObject(at.Aspect("assertionNote")); own != nil {
		out.Note = ptr(jsontree.Text(own, "content"))
	}
	if out.Note != nil && *out.Note == "" {
		out.Note = nil
	}
	return out, nil
}

// AssertionDataset is the dataset an assertion is about.
func (a *api) AssertionDataset(_ context.Context, l *loader, at place, w *set) (*gqltype.Dataset, error) {
	info := jsontree.AsObject(at.Aspect("assertionInfo"))
	for _, kind := range []string{"datasetAssertion", "freshnessAssertion", "volumeAssertion", "sqlAssertion", "fieldAssertion", "schemaAssertion", "customAssertion"} {
		for _, member := range []string{"dataset", "entity"} {
			if u := urn.URN(jsontree.Text(jsontree.Child(info, kind), member)); u.Type() == "dataset" {
				return l.Dataset(u, w), nil
			}
		}
	}
	return nil, nil
}

// IncidentEntity is the first entity an incident is about.
func (a *api) IncidentEntity(_ context.Context, l *loader, at place, w *set) (*gqltype.Entity, error) {
	for _, s := range jsontree.Texts(jsontree.AsObject(at.Aspect("incidentInfo")), "entities") {
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
	incident := jsontree.AsObject(at.Aspect("incidentInfo"))
	if incident["assignees"] == nil {
		return nil, nil
	}
	out := []*gqltype.OwnerType{}
	for _, o := range jsontree.Children(incident, "assignees") {
		if u, err := urn.Parse(jsontree.Text(o, "actor")); err == nil {
			if owner := l.OwnerType(u, w); owner != nil {
				out = append(out, owner)
			}
		}
	}
	return &out, nil
}

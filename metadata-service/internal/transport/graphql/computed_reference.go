package graphql

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that refer to other entities.

// platformNamed returns the platform with the name of a tool, of an orchestrator or of a part of
// a key. The name may be a URN.
func platformNamed(name string) urn.URN {
	if name == "" {
		return model.UnknownPlatform
	}
	if urn.Looks(name) {
		return platformOrUnknown(name)
	}
	return urn.Make("dataPlatform", name)
}

// platformOrUnknown returns a URN of a platform unchanged, and the unknown platform for every
// other text. The field is never null, so a single wrong URN would turn a whole page of hits into
// null.
func platformOrUnknown(text string) urn.URN {
	if u, err := urn.Parse(text); err == nil && u.Type() == model.UnknownPlatform.Type() {
		return u
	}
	return model.UnknownPlatform
}

// ToolPlatform returns the platform of assets with the name of a tool in their key.
func (a *api) ToolPlatform(_ context.Context, l *loader, at place, w *set) (*gqltype.DataPlatform, error) {
	tool := ""
	if parts := at.URN.Parts(); len(parts) > 0 {
		tool = parts[0]
	}
	return l.DataPlatform(platformNamed(tool), w), nil
}

// JobPlatform returns the platform of a data job, otherwise that of its flow.
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

// OwnershipTypeOf returns the ownership type of an owner, also when older data states it as a
// word instead of a URN.
func (a *api) OwnershipTypeOf(_ context.Context, l *loader, at place, w *set) (*gqltype.OwnershipTypeEntity, error) {
	u := model.OwnershipType(at.Record)
	if u.Type() != "ownershipType" {
		return nil, nil
	}
	return l.OwnershipTypeEntity(u, w), nil
}

// LifecycleStage returns the lifecycle stage of an entity.
func (a *api) LifecycleStage(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.LifecycleStageType, error) {
	u, err := urn.Parse(jsontree.Text(at.Record, "lifecycleStage"))
	if err != nil {
		return nil, nil
	}
	return a.lifecycleStage(ctx, u)
}

func (a *api) lifecycleStage(ctx context.Context, u urn.URN) (*gqltype.LifecycleStageType, error) {
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

// edgeTargets returns the URNs in a list of edges and in the older plain list, without
// duplicates.
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
	for _, o := range jsontree.Children(record, plain) { // members of a union
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

// loadAll builds a value for each URN.
func loadAll[T any](urns []urn.URN, w *set, of func(urn.URN, *set) T) []T {
	out := make([]T, 0, len(urns))
	for _, u := range urns {
		out = append(out, of(u, w))
	}
	return out
}

// ChartInputs returns the datasets that a chart reads.
func (a *api) ChartInputs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputEdges", "inputs", "dataset"), w, l.Dataset)), nil
}

// DashboardCharts returns the charts of a dashboard.
func (a *api) DashboardCharts(_ context.Context, l *loader, at place, w *set) ([]*gqltype.Chart, error) {
	return loadAll(edgeTargets(at.Record, "chartEdges", "charts", "chart"), w, l.Chart), nil
}

// JobInputDatasets returns the datasets that a job reads.
func (a *api) JobInputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputDatasetEdges", "inputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobOutputDatasets returns the datasets that a job writes.
func (a *api) JobOutputDatasets(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Dataset, error) {
	return ptr(loadAll(edgeTargets(at.Record, "outputDatasetEdges", "outputDatasets", "dataset"), w, l.Dataset)), nil
}

// JobInputJobs returns the jobs that a job depends on.
func (a *api) JobInputJobs(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.DataJob, error) {
	return ptr(loadAll(edgeTargets(at.Record, "inputDatajobEdges", "inputDatajobs", "dataJob"), w, l.DataJob)), nil
}

// QueryDataset returns the dataset that is a subject of a query, also when the subject is a
// column of it. It is nil for subjects of other types.
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

// FieldEntity returns the entity of a column, which can have tags and properties of its own. A
// column that a chart or dashboard reads is the column of its dataset.
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

// AssertionInfo returns the definition of an assertion with its note. The note comes from the
// aspect assertionNote, otherwise from the definition, where earlier versions stored it. An empty
// note counts as none.
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

// AssertionDataset returns the dataset that an assertion is about.
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

// IncidentEntity returns the first entity of an incident.
func (a *api) IncidentEntity(_ context.Context, l *loader, at place, w *set) (*gqltype.Entity, error) {
	for _, s := range jsontree.Texts(jsontree.AsObject(at.Aspect("incidentInfo")), "entities") {
		if u, err := urn.Parse(s); err == nil {
			if e := l.Entity(u, w); e != nil {
				return e, nil
			}
		}
	}
	// The schema requires an entity. An incident without one refers to the unknown platform.
	return l.Entity(model.UnknownPlatform, w), nil
}

// IncidentAssignees returns the users and groups that an incident is assigned to.
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

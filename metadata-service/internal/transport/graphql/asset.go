package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

func column(kind, path *string) asset.Column {
	return asset.Column{Path: value(path), Kind: value(kind)}
}

// UpdateDescription sets the description of an entity or column.
func (m *mutation) UpdateDescription(ctx context.Context, args gqltype.UpdateDescriptionArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Assets.Describe(ctx, in.ResourceUrn, column(in.SubResourceType, in.SubResource), in.Description))
}

// UpdateName renames an entity.
func (m *mutation) UpdateName(ctx context.Context, args gqltype.UpdateNameArgs) (*bool, error) {
	return trueResult(m.api.Assets.Rename(ctx, args.Input.Urn, args.Input.Name))
}

// UpdateDeprecation sets or clears the deprecation of an entity or column.
func (m *mutation) UpdateDeprecation(ctx context.Context, args gqltype.UpdateDeprecationArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Assets.Deprecate(ctx,
		asset.Deprecation{Deprecated: in.Deprecated, Note: value(in.Note), Decommission: millis(in.DecommissionTime), Replacement: in.Replacement},
		[]asset.Target{{URN: in.Urn, Column: column(in.SubResourceType, in.SubResource)}}))
}

// BatchUpdateDeprecation sets or clears the deprecation of several entities and columns.
func (m *mutation) BatchUpdateDeprecation(ctx context.Context, args gqltype.BatchUpdateDeprecationArgs) (*bool, error) {
	in := args.Input
	var targets []asset.Target
	for _, r := range dereference(in.Resources) {
		targets = append(targets, asset.Target{URN: r.ResourceUrn, Column: column(r.SubResourceType, r.SubResource)})
	}
	return trueResult(m.api.Assets.Deprecate(ctx,
		asset.Deprecation{Deprecated: in.Deprecated, Note: value(in.Note), Decommission: millis(in.DecommissionTime), Replacement: in.Replacement}, targets))
}

// BatchUpdateSoftDeleted soft-deletes entities or restores them.
func (m *mutation) BatchUpdateSoftDeleted(ctx context.Context, args gqltype.BatchUpdateSoftDeletedArgs) (*bool, error) {
	return trueResult(m.api.Assets.SetRemoved(ctx, args.Input.Urns, args.Input.Deleted))
}

// UpdateEmbed sets the URL of the page that displays an asset.
func (m *mutation) UpdateEmbed(ctx context.Context, args gqltype.UpdateEmbedArgs) (*bool, error) {
	return trueResult(m.api.Assets.SetEmbed(ctx, args.Input.Urn, args.Input.RenderUrl))
}

// UpdateDisplayProperties sets the color and the icon of an entity.
func (m *mutation) UpdateDisplayProperties(ctx context.Context, args gqltype.UpdateDisplayPropertiesArgs) (*bool, error) {
	look := asset.Look{Color: args.Input.ColorHex}
	if icon := args.Input.Icon; icon != nil {
		look.Icon = &asset.Icon{Library: icon.IconLibrary, Name: icon.Name, Style: icon.Style}
	}
	return trueResult(m.api.Assets.SetLook(ctx, args.Urn, look))
}

// ListLifecycleStages lists all lifecycle stages.
func (q *query) ListLifecycleStages(ctx context.Context) ([]*gqltype.LifecycleStageType, error) {
	stages, err := q.api.Assets.Stages(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*gqltype.LifecycleStageType, 0, len(stages))
	for _, u := range stages {
		stage, err := q.api.lifecycleStage(ctx, u)
		if err != nil {
			return nil, err
		}
		out = append(out, stage)
	}
	return out, nil
}

// SetLifecycleStage sets or clears the lifecycle stage of an entity.
func (m *mutation) SetLifecycleStage(ctx context.Context, args gqltype.SetLifecycleStageArgs) (bool, error) {
	err := m.api.Assets.SetStage(ctx, args.Urn, value(args.LifecycleStageUrn))
	return err == nil, err
}

// tagURNs returns the tags of an update. The older member is used only when the newer one is
// absent. nil means that the update does not change the tags.
func tagURNs(tags, older *gqltype.GlobalTagsUpdate) *[]string {
	if tags == nil {
		tags = older
	}
	if tags == nil {
		return nil
	}
	out := []string{}
	for _, t := range value(tags.Tags) {
		out = append(out, t.Tag.Urn)
	}
	return &out
}

func newOwners(in *gqltype.OwnershipUpdate) *[]owner.Owner {
	if in == nil {
		return nil
	}
	return ptr(replacements(*in))
}

func datasetUpdate(in gqltype.DatasetUpdateInput) asset.Update {
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, in.GlobalTags)}
	if d := in.Deprecation; d != nil {
		up.Deprecation = &asset.Deprecation{Deprecated: d.Deprecated, Note: d.Note, Decommission: millis(d.DecommissionTime)}
	}
	if p := in.EditableProperties; p != nil {
		up.Text = &asset.Text{Description: p.Description, Name: p.Name}
	}
	if memory := in.InstitutionalMemory; memory != nil {
		links := make([]asset.Link, 0, len(memory.Elements))
		for _, e := range memory.Elements {
			links = append(links, asset.Link{URL: e.Url, Label: value(e.Description), Author: e.Author, Created: millis(e.CreatedAt)})
		}
		up.Links = &links
	}
	if schema := in.EditableSchemaMetadata; schema != nil {
		columns := make([]asset.ColumnText, 0, len(schema.EditableSchemaFieldInfo))
		for _, c := range schema.EditableSchemaFieldInfo {
			columns = append(columns, asset.ColumnText{Path: c.FieldPath, Description: c.Description, Tags: tagURNs(c.GlobalTags, nil)})
		}
		up.Columns = &columns
	}
	return up
}

// optionalText returns the description of an update, nil when the update has none.
func optionalText[T any](in *T, description func(*T) string) *asset.Text {
	if in == nil {
		return nil
	}
	return &asset.Text{Description: description(in)}
}

// updateAsset updates an asset and reads it again.
func updateAsset[T any](ctx context.Context, m *mutation, operation, text, entityType string, up asset.Update, of func(*loader, urn.URN, *set) *T) (*T, error) {
	u, err := m.api.entityURN("urn", text, entityType)
	if err != nil {
		return nil, err
	}
	if err := m.api.Assets.Update(ctx, asset.Updated{URN: u, Update: up}); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *T { return of(l, u, selectionOf(ctx, operation)) })
}

// UpdateDataset updates a dataset.
func (m *mutation) UpdateDataset(ctx context.Context, args gqltype.UpdateDatasetArgs) (*gqltype.Dataset, error) {
	return updateAsset(ctx, m, "updateDataset", args.Urn, "dataset", datasetUpdate(args.Input), (*loader).Dataset)
}

// UpdateDatasets updates several datasets, all or none.
func (m *mutation) UpdateDatasets(ctx context.Context, args gqltype.UpdateDatasetsArgs) (*[]*gqltype.Dataset, error) {
	updates := make([]asset.Updated, 0, len(args.Input))
	for _, in := range args.Input {
		u, err := m.api.entityURN("urn", in.Urn, "dataset")
		if err != nil {
			return nil, err
		}
		updates = append(updates, asset.Updated{URN: u, Update: datasetUpdate(in.Update)})
	}
	if err := m.api.Assets.Update(ctx, updates...); err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "updateDatasets")
	return build(ctx, m.api, func(l *loader) *[]*gqltype.Dataset {
		out := make([]*gqltype.Dataset, 0, len(updates))
		for _, up := range updates {
			out = append(out, l.Dataset(up.URN, want))
		}
		return &out
	})
}

// UpdateChart updates a chart.
func (m *mutation) UpdateChart(ctx context.Context, args gqltype.UpdateChartArgs) (*gqltype.Chart, error) {
	in := args.Input
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, in.GlobalTags),
		Text: optionalText(in.EditableProperties, func(p *gqltype.ChartEditablePropertiesUpdate) string { return p.Description })}
	return updateAsset(ctx, m, "updateChart", args.Urn, "chart", up, (*loader).Chart)
}

// UpdateDashboard updates a dashboard.
func (m *mutation) UpdateDashboard(ctx context.Context, args gqltype.UpdateDashboardArgs) (*gqltype.Dashboard, error) {
	in := args.Input
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, in.GlobalTags),
		Text: optionalText(in.EditableProperties, func(p *gqltype.DashboardEditablePropertiesUpdate) string { return p.Description })}
	return updateAsset(ctx, m, "updateDashboard", args.Urn, "dashboard", up, (*loader).Dashboard)
}

// UpdateDataFlow updates a data flow.
func (m *mutation) UpdateDataFlow(ctx context.Context, args gqltype.UpdateDataFlowArgs) (*gqltype.DataFlow, error) {
	in := args.Input
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, in.GlobalTags),
		Text: optionalText(in.EditableProperties, func(p *gqltype.DataFlowEditablePropertiesUpdate) string { return p.Description })}
	return updateAsset(ctx, m, "updateDataFlow", args.Urn, "dataFlow", up, (*loader).DataFlow)
}

// UpdateDataJob updates a data job.
func (m *mutation) UpdateDataJob(ctx context.Context, args gqltype.UpdateDataJobArgs) (*gqltype.DataJob, error) {
	in := args.Input
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, in.GlobalTags),
		Text: optionalText(in.EditableProperties, func(p *gqltype.DataJobEditablePropertiesUpdate) string { return p.Description })}
	return updateAsset(ctx, m, "updateDataJob", args.Urn, "dataJob", up, (*loader).DataJob)
}

// UpdateNotebook updates a notebook.
func (m *mutation) UpdateNotebook(ctx context.Context, args gqltype.UpdateNotebookArgs) (*gqltype.Notebook, error) {
	in := args.Input
	up := asset.Update{Owners: newOwners(in.Ownership), Tags: tagURNs(in.Tags, nil),
		Text: optionalText(in.EditableProperties, func(p *gqltype.NotebookEditablePropertiesUpdate) string { return p.Description })}
	return updateAsset(ctx, m, "updateNotebook", args.Urn, "notebook", up, (*loader).Notebook)
}

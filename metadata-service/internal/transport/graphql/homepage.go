package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/homepage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// GlobalHomePageSettings returns the default page template of the home page.
func (q *query) GlobalHomePageSettings(ctx context.Context) (*gqltype.GlobalHomePageSettings, error) {
	global, err := q.api.Settings.Global(ctx)
	if err != nil {
		return nil, err
	}
	if global.Template == "" {
		return &gqltype.GlobalHomePageSettings{}, nil
	}
	want := selectionOf(ctx, "globalHomePageSettings").Of("GlobalHomePageSettings")["defaultTemplate"]
	return build(ctx, q.api, func(l *loader) *gqltype.GlobalHomePageSettings {
		return &gqltype.GlobalHomePageSettings{DefaultTemplate: l.DataHubPageTemplate(global.Template, want)}
	})
}

// UpsertPageTemplate creates or replaces a page template.
func (m *mutation) UpsertPageTemplate(ctx context.Context, args gqltype.UpsertPageTemplateArgs) (*gqltype.DataHubPageTemplate, error) {
	in := args.Input
	template := homepage.Template{URN: value(in.Urn), Scope: in.Scope, Surface: in.SurfaceType}
	for _, row := range in.Rows {
		template.Rows = append(template.Rows, row.Modules)
	}
	if in.AssetSummary != nil {
		elements := []homepage.Element{}
		for _, e := range in.AssetSummary.SummaryElements {
			elements = append(elements, homepage.Element{Kind: e.ElementType, Property: value(e.StructuredPropertyUrn)})
		}
		template.Summary = &elements
	}
	u, err := m.api.HomePages.PutTemplate(ctx, template)
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataHubPageTemplate {
		return l.DataHubPageTemplate(u, selectionOf(ctx, "upsertPageTemplate"))
	})
}

// DeletePageTemplate deletes a page template permanently.
func (m *mutation) DeletePageTemplate(ctx context.Context, args gqltype.DeletePageTemplateArgs) (bool, error) {
	err := m.api.HomePages.DeleteTemplate(ctx, args.Input.Urn)
	return err == nil, err
}

// UpsertPageModule creates or replaces a page module.
func (m *mutation) UpsertPageModule(ctx context.Context, args gqltype.UpsertPageModuleArgs) (*gqltype.DataHubPageModule, error) {
	u, err := m.api.HomePages.PutModule(ctx, moduleOf(args.Input))
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataHubPageModule {
		return l.DataHubPageModule(u, selectionOf(ctx, "upsertPageModule"))
	})
}

func moduleOf(in gqltype.UpsertPageModuleInput) homepage.Module {
	out := homepage.Module{URN: value(in.Urn), Name: in.Name, Kind: in.Type, Scope: in.Scope}
	if p := in.Params.LinkParams; p != nil {
		out.Link = &homepage.Link{URL: p.LinkUrl, Image: p.ImageUrl, Description: p.Description}
	}
	if p := in.Params.RichTextParams; p != nil {
		out.Text = &p.Content
	}
	if p := in.Params.AssetCollectionParams; p != nil {
		out.Collection = &homepage.Collection{Assets: p.AssetUrns, Filter: p.DynamicFilterJson}
	}
	if p := in.Params.HierarchyViewParams; p != nil {
		out.Hierarchy = &homepage.Hierarchy{Assets: p.AssetUrns, Related: p.ShowRelatedEntities, Filter: p.RelatedEntitiesFilterJson}
	}
	return out
}

// DeletePageModule deletes a page module permanently.
func (m *mutation) DeletePageModule(ctx context.Context, args gqltype.DeletePageModuleArgs) (bool, error) {
	err := m.api.HomePages.DeleteModule(ctx, args.Input.Urn)
	return err == nil, err
}

// UpdateUserHomePageSettings updates the home page of the actor.
func (m *mutation) UpdateUserHomePageSettings(ctx context.Context, args gqltype.UpdateUserHomePageSettingsArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Settings.UpdateHomePage(ctx, setting.HomePage{
		Template: value(in.PageTemplate), Reset: value(in.RemovePageTemplate), Dismissed: dereference(value(in.NewDismissedAnnouncements)),
	}))
}

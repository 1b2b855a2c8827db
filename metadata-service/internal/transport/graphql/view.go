package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/view"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// listViews lists views, newest first.
func (a *api) listViews(ctx context.Context, operation string, text *string, start, count *int32, filters ...search.Filter) (*gqltype.ListViewsResult, error) {
	found, err := a.list(ctx, view.EntityType, text, start, count, defaultListing, filters, search.Sort{Field: "createdAt", Descending: true})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, operation).Of("ListViewsResult")["views"]
	return build(ctx, a, func(l *loader) *gqltype.ListViewsResult {
		return &gqltype.ListViewsResult{Start: found.start, Count: found.size, Total: found.total, Views: loadAll(found.urns, want, l.DataHubView)}
	})
}

// ListMyViews lists the views that the actor created.
func (q *query) ListMyViews(ctx context.Context, args gqltype.ListMyViewsArgs) (*gqltype.ListViewsResult, error) {
	in := args.Input
	filters := []search.Filter{equalTo("createdBy", string(actor(ctx)))}
	if in.ViewType != nil {
		filters = append(filters, equalTo("type", *in.ViewType))
	}
	return q.api.listViews(ctx, "listMyViews", in.Query, in.Start, in.Count, filters...)
}

// ListGlobalViews lists the views for all users.
func (q *query) ListGlobalViews(ctx context.Context, args gqltype.ListGlobalViewsArgs) (*gqltype.ListViewsResult, error) {
	in := args.Input
	return q.api.listViews(ctx, "listGlobalViews", in.Query, in.Start, in.Count, equalTo("type", view.Global))
}

// GlobalViewsSettings returns the default view for all users.
func (q *query) GlobalViewsSettings(ctx context.Context) (*gqltype.GlobalViewsSettings, error) {
	global, err := q.api.Settings.Global(ctx)
	if err != nil {
		return nil, err
	}
	return &gqltype.GlobalViewsSettings{DefaultView: nilIfZero(string(global.View))}, nil
}

// UpdateGlobalViewsSettings sets the default view for all users.
func (m *mutation) UpdateGlobalViewsSettings(ctx context.Context, args gqltype.UpdateGlobalViewsSettingsArgs) (bool, error) {
	err := m.api.Settings.SetDefaultView(ctx, value(args.Input.DefaultView))
	return err == nil, err
}

// UpdateCorpUserViewsSettings sets the default view of the actor.
func (m *mutation) UpdateCorpUserViewsSettings(ctx context.Context, args gqltype.UpdateCorpUserViewsSettingsArgs) (*bool, error) {
	return trueResult(m.api.Settings.SetOwnView(ctx, value(args.Input.DefaultView)))
}

// CreateView creates a view.
func (m *mutation) CreateView(ctx context.Context, args gqltype.CreateViewArgs) (*gqltype.DataHubView, error) {
	in := args.Input
	definition, err := definitionOf(in.Definition)
	if err != nil {
		return nil, err
	}
	u, err := m.api.Views.Create(ctx, view.Draft{Kind: in.ViewType, Name: in.Name, Description: in.Description, Definition: definition})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataHubView { return l.DataHubView(u, selectionOf(ctx, "createView")) })
}

// UpdateView updates a view.
func (m *mutation) UpdateView(ctx context.Context, args gqltype.UpdateViewArgs) (*gqltype.DataHubView, error) {
	u, err := m.api.entityURN("urn", args.Urn, view.EntityType)
	if err != nil {
		return nil, err
	}
	changed := view.Update{Name: args.Input.Name, Description: args.Input.Description}
	if args.Input.Definition != nil {
		definition, err := definitionOf(*args.Input.Definition)
		if err != nil {
			return nil, err
		}
		changed.Definition = &definition
	}
	if err := m.api.Views.Update(ctx, u, changed); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.DataHubView { return l.DataHubView(u, selectionOf(ctx, "updateView")) })
}

// DeleteView deletes a view permanently.
func (m *mutation) DeleteView(ctx context.Context, args gqltype.DeleteViewArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, view.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Views.Delete(ctx, u))
}

func definitionOf(in gqltype.DataHubViewDefinitionInput) (view.Definition, error) {
	types, err := entityNames(&in.EntityTypes)
	if err != nil {
		return view.Definition{}, err
	}
	out := view.Definition{Types: types, Any: in.Filter.Operator == "OR"}
	for _, f := range in.Filter.Filters {
		out.Filters = append(out.Filters, view.Filter{
			Field: f.Field, Condition: valueOr(f.Condition, "EQUAL"), Values: value(f.Values), Negated: value(f.Negated),
		})
	}
	return out, nil
}

// ViewTypes are the entity types that a view restricts searches to. Types that the GraphQL schema
// does not contain are left out.
func (a *api) ViewTypes(_ context.Context, _ *loader, at place, _ *set) ([]string, error) {
	out := []string{}
	for _, name := range jsontree.Texts(at.Record, "entityTypes") {
		if shown, ok := gqltype.TypeValue(name); ok {
			out = append(out, shown)
		} else if _, ok := gqltype.TypeName(name); ok {
			out = append(out, name)
		}
	}
	return out, nil
}

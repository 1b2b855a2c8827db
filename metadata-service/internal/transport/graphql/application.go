package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// ListApplicationAssets searches the assets of an application and the applications directly below
// it.
func (q *query) ListApplicationAssets(ctx context.Context, args gqltype.ListApplicationAssetsArgs) (*gqltype.SearchResults, error) {
	u, err := q.api.entityURN("urn", args.Urn, collection.ApplicationType)
	if err != nil {
		return nil, err
	}
	return q.api.applicationAssets(ctx, u, args.Input, selectionOf(ctx, "listApplicationAssets"))
}

// CreateApplication creates an application.
func (m *mutation) CreateApplication(ctx context.Context, args gqltype.CreateApplicationArgs) (*gqltype.Application, error) {
	in := args.Input
	u, err := m.api.Applications.Create(ctx, collection.Draft{
		ID: value(in.Id), Name: in.Properties.Name, Description: in.Properties.Description, Domain: value(in.DomainUrn),
		Parent: value(in.Properties.ParentApplication), Owned: valueOr(in.ShouldAddCreatorAsOwner, true),
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Application { return l.Application(u, selectionOf(ctx, "createApplication")) })
}

// UpdateApplication updates an application.
func (m *mutation) UpdateApplication(ctx context.Context, args gqltype.UpdateApplicationArgs) (*gqltype.Application, error) {
	u, err := m.api.entityURN("urn", args.Urn, collection.ApplicationType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	if err := m.api.Applications.Update(ctx, u, collection.Revision{Name: in.Name, Description: in.Description, Parent: in.ParentApplication}); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Application { return l.Application(u, selectionOf(ctx, "updateApplication")) })
}

// DeleteApplication deletes an application permanently.
func (m *mutation) DeleteApplication(ctx context.Context, args gqltype.DeleteApplicationArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, collection.ApplicationType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Applications.Delete(ctx, u))
}

// BatchSetApplication adds assets to an application, or removes them from all applications when
// none is given.
func (m *mutation) BatchSetApplication(ctx context.Context, args gqltype.BatchSetApplicationArgs) (*bool, error) {
	if args.Input.ApplicationUrn == nil {
		return trueResult(m.api.Applications.Clear(ctx, args.Input.ResourceUrns))
	}
	u, err := m.api.entityURN("applicationUrn", *args.Input.ApplicationUrn, collection.ApplicationType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Applications.Add(ctx, u, args.Input.ResourceUrns))
}

// BatchUnsetApplication removes assets from an application.
func (m *mutation) BatchUnsetApplication(ctx context.Context, args gqltype.BatchUnsetApplicationArgs) (*bool, error) {
	u, err := m.api.entityURN("applicationUrn", args.Input.ApplicationUrn, collection.ApplicationType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Applications.Remove(ctx, u, args.Input.ResourceUrns))
}

// UpdateApplicationsSettings switches applications on or off for all users.
func (m *mutation) UpdateApplicationsSettings(ctx context.Context, args gqltype.UpdateApplicationsSettingsArgs) (bool, error) {
	err := m.api.Applications.Enable(ctx, args.Input.Enabled)
	return err == nil, err
}

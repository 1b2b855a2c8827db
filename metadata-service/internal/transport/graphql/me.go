package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Me is who asks, and what they may do on the platform.
func (q *query) Me(ctx context.Context) (*gqltype.AuthenticatedUser, error) {
	who := actor(ctx)
	if who == "" {
		return nil, fault.New(fault.Unauthenticated, "who asks is not known")
	}
	privileges, err := q.api.platformPrivileges(ctx)
	if err != nil {
		return nil, err
	}
	want := selected(ctx, "me").Of("AuthenticatedUser")
	return build(ctx, q.api, func(l *loader) *gqltype.AuthenticatedUser {
		return &gqltype.AuthenticatedUser{CorpUser: l.CorpUser(who, want["corpUser"]), PlatformPrivileges: privileges}
	})
}

func (a *api) platformPrivileges(ctx context.Context) (*gqltype.PlatformPrivileges, error) {
	out := &gqltype.PlatformPrivileges{}
	flags := []struct {
		flag  *bool
		oneOf []auth.Privilege
	}{
		{&out.ViewAnalytics, []auth.Privilege{auth.ViewAnalytics}},
		{&out.ManagePolicies, []auth.Privilege{auth.ManagePolicies}},
		{&out.ManageIdentities, []auth.Privilege{auth.ManageUsers}},
		{&out.GeneratePersonalAccessTokens, []auth.Privilege{auth.GenerateTokens}},
		{&out.CreateDomains, []auth.Privilege{auth.CreateDomains, auth.ManageDomains}},
		{&out.CreateLogicalModels, []auth.Privilege{auth.CreateLogicalModels}},
		{&out.ManageDomains, []auth.Privilege{auth.ManageDomains}},
		{&out.ManageIngestion, []auth.Privilege{auth.ManageIngestion}},
		{&out.ManageSecrets, []auth.Privilege{auth.ManageSecrets}},
		{&out.ManageTokens, []auth.Privilege{auth.ManageTokens}},
		{&out.ViewTests, []auth.Privilege{auth.ViewTests, auth.ManageTests}},
		{&out.ManageTests, []auth.Privilege{auth.ManageTests}},
		{&out.ManageGlossaries, []auth.Privilege{auth.ManageGlossaries}},
		{&out.ManageDocuments, []auth.Privilege{auth.ManageDocuments}},
		{&out.ManageUserCredentials, []auth.Privilege{auth.ManageCredentials}},
		{&out.CreateTags, []auth.Privilege{auth.CreateTags, auth.ManageTags}},
		{&out.ManageTags, []auth.Privilege{auth.ManageTags}},
		{&out.ViewManageTags, []auth.Privilege{auth.ViewManageTags, auth.ManageTags}},
		{&out.ManageGlobalViews, []auth.Privilege{auth.ManageGlobalViews}},
		{&out.ManageGlobalSettings, []auth.Privilege{auth.ManageSettings}},
		{&out.ManageOwnershipTypes, []auth.Privilege{auth.ManageOwnershipTypes}},
		{&out.ManageGlobalAnnouncements, []auth.Privilege{auth.ManageAnnouncements, auth.CreateAnnouncements}},
		{&out.CreateBusinessAttributes, []auth.Privilege{auth.CreateBusinessAttribute, auth.ManageBusinessAttribute}},
		{&out.ManageBusinessAttributes, []auth.Privilege{auth.ManageBusinessAttribute}},
		{&out.ManageStructuredProperties, []auth.Privilege{auth.ManageProperties}},
		{&out.ViewStructuredPropertiesPage, []auth.Privilege{auth.ViewProperties, auth.ManageProperties}},
		{&out.ManageApplications, []auth.Privilege{auth.ManageFeatures, auth.EditApplications}},
		{&out.ManageFeatures, []auth.Privilege{auth.ManageFeatures}},
		{&out.ManageHomePageTemplates, []auth.Privilege{auth.ManageHomePage}},
		{&out.ManageServiceAccounts, []auth.Privilege{auth.ManageServiceAcct}},
	}
	checks := make([]auth.Check, len(flags))
	for i, f := range flags {
		checks[i] = auth.ForPlatform(f.oneOf...)
	}
	held, err := a.Rights.Held(ctx, checks...)
	if err != nil {
		return nil, err
	}
	for i, f := range flags {
		*f.flag = held[i]
	}
	return out, nil
}

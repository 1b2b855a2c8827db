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
	want := selected(ctx, "me").Of("AuthenticatedUser")
	return build(ctx, q.api, func(l *loader) *gqltype.AuthenticatedUser {
		return &gqltype.AuthenticatedUser{CorpUser: l.CorpUser(who, want["corpUser"]), PlatformPrivileges: q.api.platformPrivileges(ctx)}
	})
}

func (a *api) platformPrivileges(ctx context.Context) *gqltype.PlatformPrivileges {
	may := func(oneOf ...auth.Privilege) bool {
		for _, p := range oneOf {
			if a.Rights.Require(ctx, p) == nil {
				return true
			}
		}
		return false
	}
	return &gqltype.PlatformPrivileges{
		ViewAnalytics: may(auth.ViewAnalytics), ManagePolicies: may(auth.ManagePolicies), ManageIdentities: may(auth.ManageUsers),
		GeneratePersonalAccessTokens: may(auth.GenerateTokens), CreateDomains: may(auth.CreateDomains, auth.ManageDomains), CreateLogicalModels: may(auth.CreateLogicalModels),
		ManageDomains: may(auth.ManageDomains), ManageIngestion: may(auth.ManageIngestion), ManageSecrets: may(auth.ManageSecrets), ManageTokens: may(auth.ManageTokens),
		ViewTests: may(auth.ViewTests, auth.ManageTests), ManageTests: may(auth.ManageTests), ManageGlossaries: may(auth.ManageGlossaries),
		ManageDocuments: may(auth.ManageDocuments), ManageUserCredentials: may(auth.ManageCredentials), CreateTags: may(auth.CreateTags, auth.ManageTags),
		ManageTags: may(auth.ManageTags), ViewManageTags: may(auth.ViewManageTags, auth.ManageTags), ManageGlobalViews: may(auth.ManageGlobalViews),
		ManageGlobalSettings: may(auth.ManageSettings), ManageOwnershipTypes: may(auth.ManageOwnershipTypes),
		ManageGlobalAnnouncements: may(auth.ManageAnnouncements, auth.CreateAnnouncements),
		CreateBusinessAttributes:  may(auth.CreateBusinessAttribute, auth.ManageBusinessAttribute), ManageBusinessAttributes: may(auth.ManageBusinessAttribute),
		ManageStructuredProperties: may(auth.ManageProperties), ViewStructuredPropertiesPage: may(auth.ViewProperties, auth.ManageProperties),
		ManageApplications: may(auth.ManageFeatures, auth.EditApplications), ManageFeatures: may(auth.ManageFeatures), ManageHomePageTemplates: may(auth.ManageHomePage),
		ManageServiceAccounts: may(auth.ManageServiceAcct),
	}
}

package graphql

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Me returns the user of the request and their privileges on the platform. It is a
// fault.Unauthenticated error without an actor.
func (q *query) Me(ctx context.Context) (*gqltype.AuthenticatedUser, error) {
	viewer := actor(ctx)
	if viewer == "" {
		return nil, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	privileges, err := q.api.platformPrivileges(ctx)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "me").Of("AuthenticatedUser")
	return build(ctx, q.api, func(l *loader) *gqltype.AuthenticatedUser {
		return &gqltype.AuthenticatedUser{CorpUser: l.CorpUser(viewer, want["corpUser"]), PlatformPrivileges: privileges}
	})
}

func (a *api) platformPrivileges(ctx context.Context) (*gqltype.PlatformPrivileges, error) {
	out := &gqltype.PlatformPrivileges{}
	flags := []privilegeFlag{
		{&out.ViewAnalytics, oneOf(auth.ViewAnalytics, auth.GetAnalytics, auth.ManageSystem)},
		{&out.ManagePolicies, manageChecks("dataHubPolicy")},
		{&out.ManageIdentities, manageChecks("corpuser", "corpGroup")},
		{&out.GeneratePersonalAccessTokens, oneOf(auth.GenerateTokens)},
		{&out.CreateDomains, oneOf(auth.CreateDomains, auth.ManageDomains)},
		{&out.CreateLogicalModels, oneOf(auth.CreateLogicalModels)},
		{&out.ManageDomains, oneOf(auth.ManageDomains)},
		{&out.ManageIngestion, manageChecks(auth.SourceType)},
		{&out.ManageSecrets, manageChecks("dataHubSecret")},
		{&out.ManageTokens, oneOf(auth.ManageTokens)},
		{&out.ViewTests, oneOf(auth.ViewTests)},
		{&out.ManageTests, oneOf(auth.ManageTests)},
		{&out.ManageGlossaries, oneOf(auth.ManageGlossaries)},
		{&out.ManageDocuments, oneOf(auth.ManageDocuments)},
		{&out.ManageUserCredentials, oneOf(auth.ManageCredentials)},
		{&out.CreateTags, oneOf(auth.CreateTags, auth.ManageTags)},
		{&out.ManageTags, oneOf(auth.ManageTags)},
		{&out.ViewManageTags, oneOf(auth.ViewManageTags)},
		{&out.ManageGlobalViews, oneOf(auth.ManageGlobalViews)},
		{&out.ManageGlobalSettings, oneOf(auth.ManageSettings)},
		{&out.ManageOwnershipTypes, oneOf(auth.ManageOwnershipTypes)},
		{&out.ManageGlobalAnnouncements, oneOf(auth.ManageAnnouncements)},
		{&out.CreateBusinessAttributes, oneOf(auth.CreateBusinessAttribute)},
		{&out.ManageBusinessAttributes, oneOf(auth.ManageBusinessAttribute)},
		{&out.ManageStructuredProperties, manageChecks("structuredProperty")},
		{&out.ViewStructuredPropertiesPage, oneOf(auth.ViewProperties)},
		{&out.ManageApplications, manageChecks("application")},
		{&out.ManageFeatures, oneOf(auth.ManageFeatures)},
		{&out.ManageHomePageTemplates, oneOf(auth.ManageHomePage)},
		{&out.ManageServiceAccounts, oneOf(auth.ManageServiceAcct)},
	}
	return out, a.fillFlags(ctx, flags)
}

// privilegeFlag is set when the actor passes all checks.
type privilegeFlag struct {
	value  *bool
	checks []auth.Check
}

func oneOf(privileges ...auth.Privilege) []auth.Check {
	return []auth.Check{auth.ForPlatform(privileges...)}
}

// manageChecks returns the checks for changing and deleting all entities of the given types.
func manageChecks(types ...string) []auth.Check {
	checks := make([]auth.Check, len(types))
	for i, t := range types {
		checks[i] = auth.ManageType(t)
	}
	return checks
}

// fillFlags evaluates all checks in one authorization call.
func (a *api) fillFlags(ctx context.Context, flags []privilegeFlag) error {
	var checks []auth.Check
	for _, f := range flags {
		checks = append(checks, f.checks...)
	}
	held, err := a.Access.Held(ctx, checks...)
	if err != nil {
		return err
	}
	for _, f := range flags {
		*f.value = !slices.Contains(held[:len(f.checks)], false)
		held = held[len(f.checks):]
	}
	return nil
}

package graphql

import (
	"context"
	"reflect"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// AppConfig describes the features of this catalog for clients. Features that it lacks are off.
func (q *query) AppConfig(ctx context.Context) (*gqltype.AppConfig, error) {
	applications, err := q.api.Applications.Enabled(ctx)
	if err != nil {
		return nil, err
	}
	policies, err := policiesConfig(q.api.PoliciesOn)
	if err != nil {
		return nil, err
	}
	return &gqltype.AppConfig{
		AppVersion: ptr(q.api.Version), AuthConfig: q.api.authConfig(), AnalyticsConfig: &gqltype.AnalyticsConfig{Enabled: true},
		PoliciesConfig: policies, IdentityManagementConfig: &gqltype.IdentityManagementConfig{Enabled: true},
		ManagedIngestionConfig: &gqltype.ManagedIngestionConfig{Enabled: true}, LineageConfig: &gqltype.LineageConfig{SupportsImpactAnalysis: true},
		VisualConfig: &gqltype.VisualConfig{
			AppTitle: ptr("Cartulary"), HideGlossary: ptr(false), ShowFullTitleInLineage: ptr(false), QueriesTab: &gqltype.QueriesTabConfig{QueriesTabResultSize: ptr(int32(5))},
			EntityProfiles: &gqltype.EntityProfilesConfig{Domain: &gqltype.EntityProfileConfig{}}, SearchResult: &gqltype.SearchResultsVisualConfig{EnableNameHighlight: ptr(true)},
			Theme: &gqltype.ThemeConfig{}, Application: &gqltype.ApplicationConfig{ShowSidebarSectionWhenEmpty: ptr(false), ShowApplicationInNavigation: ptr(applications)},
		},
		TelemetryConfig: &gqltype.TelemetryConfig{EnableThirdPartyLogging: ptr(false)}, TestsConfig: &gqltype.TestsConfig{Enabled: q.api.hasOperation("listTests")},
		ViewsConfig: &gqltype.ViewsConfig{Enabled: true}, SearchBarConfig: &gqltype.SearchBarConfig{ApiVariant: "AUTOCOMPLETE_FOR_MULTIPLE"},
		SearchCardConfig: &gqltype.SearchCardConfig{ShowDescription: true}, SearchFlagsConfig: &gqltype.SearchFlagsConfig{},
		FeatureFlags: q.api.featureFlags(), ChromeExtensionConfig: &gqltype.ChromeExtensionConfig{},
		HomePageConfig: &gqltype.HomePageConfig{FirstInPersonalSidebar: "YOUR_ASSETS"}, SemanticSearchConfig: &gqltype.SemanticSearchConfig{EnabledEntities: []string{}},
	}, nil
}

func (a *api) authConfig() *gqltype.AuthConfig {
	allowed := a.Tokens.Lifetimes()
	return &gqltype.AuthConfig{TokenAuthEnabled: a.AuthOn, AllowNoExpiry: allowed.NoExpiry, AllowedAccessTokenDurations: allowed.Periods}
}

// FeatureFlags returns the flags of appConfig by name, for APIs other than GraphQL that show
// them.
func (e *Engine) FeatureFlags() map[string]bool {
	flags := map[string]bool{}
	config := reflect.ValueOf(e.api.featureFlags()).Elem()
	for i := range config.NumField() {
		if field := config.Type().Field(i); field.Type.Kind() == reflect.Bool {
			flags[strings.ToLower(field.Name[:1])+field.Name[1:]] = config.Field(i).Bool()
		}
	}
	flags["entityVersioning"] = flags["entityVersioningEnabled"] // its name in the settings
	return flags
}

// featureFlags are the flags that clients check before they use a feature. A flag that needs an
// operation is on when the schema has that operation. Flags about the appearance of a client have
// the values with which its newest version shows them. The API documentation
// (docs/api/graphql.md) lists the flags that differ from those of DataHub, with the reasons.
func (a *api) featureFlags() *gqltype.FeatureFlagsConfig {
	return &gqltype.FeatureFlagsConfig{
		ErModelRelationshipFeatureEnabled: a.hasOperation("createERModelRelationship"),
		NestedDomainsEnabled:              a.hasOperation("moveDomain"),
		BusinessAttributeEntityEnabled:    a.hasOperation("createBusinessAttribute"),
		DataContractsEnabled:              a.hasOperation("upsertDataContract"),
		EditableDatasetNameEnabled:        a.hasOperation("updateName"),
		ShowManageStructuredProperties:    a.hasOperation("createStructuredProperty"),
		EntityVersioningEnabled:           a.hasOperation("linkAssetVersion"),
		ShowHomePageRedesign:              a.hasOperation("upsertPageTemplate"),
		AssetSummaryPageV1:                a.hasOperation("updateAssetSettings"),
		DatasetSummaryPageV1:              false, // a dataset opens with its columns
		LogicalModelsEnabled:              a.hasOperation("setLogicalParent"),
		MetricsEnabled:                    a.hasOperation("getRootMetrics"),
		DocumentationFileUploadV1:         false, // requires object storage
		MultipleDataProductsPerAsset:      a.hasOperation("batchAddToDataProducts"),
		ContextDocumentsEnabled:           a.hasOperation("searchDocuments"),
		I18nEnabled:                       a.hasOperation("updateCorpUserLocaleSettings"),

		ShowAccessManagement: true, SchemaFieldCLLEnabled: true, ShowHasSiblingsFilter: true,

		ShowSearchFiltersV2: true, ShowBrowseV2: true, PlatformBrowseV2: true, ThemeV2Enabled: true, ThemeV2Default: true, SchemaFieldLineageIgnoreStatus: true,
		ShowNavBarRedesign: true, ShowAutoCompleteResults: true, ShowSearchBarAutocompleteRedesign: true, ShowManageTags: true, ShowIngestionPageRedesign: true,
		ShowLineageExpandMore: true, ShowStatsTabRedesign: true,
	}
}

// policiesConfig lists the privileges that the user interface offers for policies.
func policiesConfig(enabled bool) (*gqltype.PoliciesConfig, error) {
	offer, err := policy.Offered()
	if err != nil {
		return nil, err
	}
	out := &gqltype.PoliciesConfig{Enabled: enabled, PlatformPrivileges: privileges(offer.Platform)}
	for _, t := range offer.Types {
		of := &gqltype.ResourcePrivileges{ResourceType: t.Type, ResourceTypeDisplayName: ptr(t.Title), Privileges: privileges(t.Privileges)}
		if kind, ok := gqltype.TypeValue(t.Type); ok {
			of.EntityType = &kind
		}
		out.ResourcePrivileges = append(out.ResourcePrivileges, of)
	}
	out.ResourcePrivileges = append(out.ResourcePrivileges, &gqltype.ResourcePrivileges{
		ResourceType: "all", ResourceTypeDisplayName: ptr("All Types"), Privileges: privileges(offer.All),
	})
	return out, nil
}

func privileges(offered []policy.OfferedPrivilege) []*gqltype.Privilege {
	out := make([]*gqltype.Privilege, len(offered))
	for i, p := range offered {
		out[i] = &gqltype.Privilege{Type: string(p.Privilege), DisplayName: ptr(p.Title), Description: ptr(p.Description)}
	}
	return out
}

package graphql_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

func TestAFeatureIsOnWhenItsOperationIsThere(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	operations := map[string]string{
		"erModelRelationshipFeatureEnabled": "createERModelRelationship", "nestedDomainsEnabled": "moveDomain", "businessAttributeEntityEnabled": "createBusinessAttribute",
		"dataContractsEnabled": "upsertDataContract", "editableDatasetNameEnabled": "updateName", "showManageStructuredProperties": "createStructuredProperty",
		"entityVersioningEnabled": "linkAssetVersion", "showHomePageRedesign": "upsertPageTemplate", "assetSummaryPageV1": "updateAssetSettings",
		"datasetSummaryPageV1": "updateAssetSettings", "logicalModelsEnabled": "setLogicalParent", "metricsEnabled": "getRootMetrics",
		"multipleDataProductsPerAsset": "batchAddToDataProducts", "contextDocumentsEnabled": "searchDocuments",
		"i18nEnabled": "updateCorpUserLocaleSettings",
	}
	flags := slices.Sorted(maps.Keys(operations))
	var got struct {
		AppConfig struct{ FeatureFlags map[string]bool }
		Schema    struct {
			QueryType, MutationType struct{ Fields []struct{ Name string } }
		} `json:"__schema"`
	}
	answer := data(t, engine, world, servicetest.Root, `{ appConfig { featureFlags { `+strings.Join(flags, " ")+` } } __schema { queryType { fields { name } } mutationType { fields { name } } } }`)
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, f := range slices.Concat(got.Schema.QueryType.Fields, got.Schema.MutationType.Fields) {
		there[f.Name] = true
	}
	if shown := engine.FeatureFlags(); shown["entityVersioning"] != got.AppConfig.FeatureFlags["entityVersioningEnabled"] || !shown["showBrowseV2"] {
		t.Errorf("the flags without signing in are %v", shown)
	}
	for _, flag := range flags {
		if shown := engine.FeatureFlags()[flag]; shown != got.AppConfig.FeatureFlags[flag] {
			t.Errorf("%s is %t without signing in", flag, shown)
		}
		if operation := operations[flag]; got.AppConfig.FeatureFlags[flag] != there[operation] {
			t.Errorf("%s is %t, and it is %t that there is %s", flag, got.AppConfig.FeatureFlags[flag], there[operation], operation)
		}
	}
}

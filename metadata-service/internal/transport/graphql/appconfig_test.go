package graphql_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
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
		"logicalModelsEnabled": "setLogicalParent", "metricsEnabled": "getRootMetrics",
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

// TestTheTableOfFlagsIsTrue compares the flags in the API documentation with those that clients
// receive.
func TestTheTableOfFlagsIsTrue(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api/graphql.md")
	if err != nil {
		t.Fatal(err)
	}
	engine, _ := newEngine(t)
	flags := engine.FeatureFlags()
	rows := regexp.MustCompile("(?m)^\\| `([a-zA-Z0-9]+)` \\| (on|off) \\|").FindAllStringSubmatch(string(page), -1)
	for _, row := range rows {
		if on, known := flags[row[1]]; !known || on != (row[2] == "on") {
			t.Errorf("the page says that %s is %s; it is %t, and known %t", row[1], row[2], on, known)
		}
	}
	if on, known := flags["datasetSummaryPageV1"]; on || !known {
		t.Errorf("a dataset does not open with its columns: %t", on)
	}
	if len(rows) < 15 {
		t.Errorf("the page lists %d flags", len(rows))
	}
}

package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

func TestFeatureFlagsAreThoseOfTheClientsConfiguration(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	nobody := s.WithToken("")
	const path = "/openapi/operations/dev/featureFlags"
	flags := map[string]bool{}
	if status, text := nobody.Call(http.MethodGet, path, ""); status != http.StatusOK || json.Unmarshal([]byte(text), &flags) != nil {
		t.Fatalf("%d %s", status, text)
	}
	known := []string{"showBrowseV2", "platformBrowseV2", "showSearchFiltersV2", "nestedDomainsEnabled", "dataContractsEnabled", "businessAttributeEntityEnabled", "themeV2Enabled",
		"entityVersioning", "logicalModelsEnabled", "metricsEnabled", "multipleDataProductsPerAsset", "contextDocumentsEnabled"}
	for _, name := range known {
		on, there := flags[name]
		if !there {
			t.Errorf("%s is not told", name)
		}
		if status, text := nobody.Call(http.MethodGet, path+"/"+name, ""); status != http.StatusOK || strings.TrimSpace(text) != fmt.Sprintf(`{%q:%t}`, name, on) {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	asked := slices.DeleteFunc(known, func(name string) bool { return name == "entityVersioning" }) // which has another name there
	var config struct {
		Data struct {
			AppConfig struct{ FeatureFlags map[string]bool }
		}
	}
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"{ appConfig { featureFlags { `+strings.Join(asked, " ")+` documentationFileUploadV1 } } }"}`, &config)
	for name, on := range config.Data.AppConfig.FeatureFlags {
		if flags[name] != on {
			t.Errorf("%s is %t, and %t for clients", name, flags[name], on)
		}
	}
	if config.Data.AppConfig.FeatureFlags["documentationFileUploadV1"] {
		t.Error("uploads are offered, and there is nowhere to put files")
	}
	if status, text := nobody.Call(http.MethodGet, path+"/none", ""); status != http.StatusNotFound {
		t.Errorf("a flag that is none: %d %s", status, text)
	}
}

func TestSettingsTellWhereFilesAreKept(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	var settings map[string]string
	s.JSON(http.MethodGet, "/openapi/v1/system-info/properties/simple", "", &settings)
	at, err := url.Parse(settings["datahub.objectStorage.uri"])
	if err != nil || at.Scheme != "file" || filepath.FromSlash(at.Path) != s.DataDir {
		t.Errorf("files are at %q, %v; want %s", settings["datahub.objectStorage.uri"], err, s.DataDir)
	}
	for key, value := range settings {
		if strings.Contains(value, apptest.Credential) || key == "system_secret" && value != "***REDACTED***" {
			t.Errorf("%s tells %s", key, value)
		}
	}
}

// The throttle limits programs, which use access tokens.
func TestTheThrottleRefusesWritesOfPrograms(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	operator, program := s.As("urn:li:corpuser:datahub"), s.As(jo)
	const path, tag = "/openapi/operations/throttle/requests", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}}]`
	for _, ask := range []func(string, string, string) (int, string){program.Call, s.WithToken("").Call} {
		if status, text := ask(http.MethodPost, path+"/manual?enabled=true", ""); status != http.StatusForbidden && status != http.StatusUnauthorized {
			t.Errorf("switched by whom it does not concern: %d %s", status, text)
		}
		if status, text := ask(http.MethodGet, path, ""); status != http.StatusForbidden && status != http.StatusUnauthorized {
			t.Errorf("read by whom it does not concern: %d %s", status, text)
		}
	}
	if status, text := operator.Call(http.MethodGet, path, ""); status != http.StatusOK || strings.TrimSpace(text) != `{}` {
		t.Errorf("at first: %d %s", status, text)
	}
	if status, text := operator.Call(http.MethodPost, path+"/manual?enabled=true", ""); status != http.StatusOK || !strings.Contains(text, `"[MANUAL]":{"throttled":{"MANUAL":true},"backoffWaitMs":{"MANUAL":`) {
		t.Errorf("on: %d %s", status, text)
	}
	for _, write := range []struct{ path, body string }{
		{"/openapi/v3/entity/tag?async=false", tag},
		{"/openapi/v3/entity/tag", tag},
		{"/aspects?action=ingestProposal", `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"status","aspect":{"contentType":"application/json","value":"{\"removed\":false}"}}}`},
	} {
		if status, text := operator.Call(http.MethodPost, write.path, write.body); status != http.StatusTooManyRequests {
			t.Errorf("%s while it is on: %d %s", write.path, status, text)
		}
	}
	if status, text := operator.Call(http.MethodGet, "/openapi/v3/entity/corpuser/urn:li:corpuser:datahub", ""); status != http.StatusOK {
		t.Errorf("a read while it is on: %d %s", status, text)
	}
	if status, text := s.Call(http.MethodPost, "/openapi/v3/entity/tag?async=false", tag); status != http.StatusOK {
		t.Errorf("a call inside the server: %d %s", status, text)
	}
	if status, text := operator.Call(http.MethodPost, path+"/manual?enabled=false", ""); status != http.StatusOK || strings.TrimSpace(text) != `{}` {
		t.Errorf("off: %d %s", status, text)
	}
	if status, text := operator.Call(http.MethodPost, "/openapi/v3/entity/tag?async=false", tag); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, text)
	}
}

// Executors learn of requests by polling the changes of aspects, and may report runs.
func TestOnlyWhoMayReportRunsCountsAsAnExecutor(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	s.JSON(http.MethodPost, "/openapi/v3/entity/dataHubPolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:listeners","dataHubPolicyInfo":{"value":{"displayName":"Listeners","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["GET_METADATA_CHANGE_LOG_EVENTS"],"editable":true,"actors":{"users":["`+string(jo)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false}}}}]`, nil)
	followed := func() bool {
		var config struct{ ManagedIngestion struct{ Followed bool } }
		s.JSON(http.MethodGet, "/config", "", &config)
		return config.ManagedIngestion.Followed
	}
	const poll = "/openapi/v1/events/poll?pollTimeoutSeconds=0&topic="
	operator := s.As("urn:li:corpuser:datahub")
	for _, step := range []struct {
		name, topic string
		by          apptest.User
		want        bool
	}{
		{"somebody who may only follow", "MetadataChangeLog_Versioned_v1", s.As(jo), false},
		{"another topic", "PlatformEvent_v1", operator, false},
		{"an executor", "MetadataChangeLog_Versioned_v1", operator, true},
	} {
		if status, text := step.by.Call(http.MethodGet, poll+step.topic, ""); status != http.StatusOK {
			t.Fatalf("%s: %d %s", step.name, status, text)
		}
		if got := followed(); got != step.want {
			t.Errorf("%s: followed %t, want %t", step.name, got, step.want)
		}
	}
}

package apptest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/config"
)

func TestSystemInformationListsEverySetting(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.Auth.ViewAuthorization, c.Auth.DeniedStatus, c.Timeseries.Retention = true, http.StatusForbidden, []string{"dataset.operation=30", "dataset.datasetProfile=90"}
		c.GraphQL.MaxDepth, c.GraphQL.MaxCost, c.Tests.Every = 49, 1999, 2*time.Hour
		c.AdminPassword = "correct horse battery"
	})
	var shown map[string]string
	s.JSON(http.MethodGet, "/openapi/v1/system-info/properties/simple", "", &shown)
	var listed struct {
		Properties map[string]struct{ Value string }
		Total      int `json:"totalProperties"`
	}
	s.JSON(http.MethodGet, "/openapi/v1/system-info/properties", "", &listed)
	if listed.Total != len(shown) || len(listed.Properties) != len(shown) {
		t.Errorf("%d of %d settings are listed, in all %d", len(listed.Properties), len(shown), listed.Total)
	}

	// The error for an unknown variable lists all variables.
	cfg := app.Defaults()
	err := config.Load(&cfg, config.Options{Environ: []string{"CARTULARY_NO_SUCH_SETTING=1"}})
	if err == nil {
		t.Fatal("an unknown setting is taken")
	}
	_, known, _ := strings.Cut(err.Error(), "known are: ")
	variables := map[string]bool{}
	for key := range shown {
		variables[config.Prefix+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = true
	}
	for name := range strings.SplitSeq(strings.TrimSpace(known), ", ") {
		if !variables[name] {
			t.Errorf("%s is not listed", name)
		}
	}

	for key, want := range map[string]string{
		"auth.view_authorization": "true", "auth.denied_status": "403", "timeseries.retention": "dataset.operation=30,dataset.datasetProfile=90", "tests.every": "2h0m0s",
		"log.level": "INFO", "log.format": "auto", "outside.proxies": "", "data_dir": s.DataDir, "tracing.ratio": "0.05", "http.connections": "0",
		"admin_password": "***REDACTED***", "system_secret": "***REDACTED***", "tracing.headers": "***REDACTED***",
		// The names by which DataHub programs read them.
		"authorization.view.enabled": "true", "authorization.defaultAuthorizer.enabled": "true", "authentication.enabled": "true",
		"graphQL.query.depthLimit": "49", "graphQL.query.complexityLimit": "1999", "authentication.systemClientSecret": "***REDACTED***",
	} {
		if got, there := shown[key]; !there || got != want || listed.Properties[key].Value != want {
			t.Errorf("%s is %q, listed as %q, want %q", key, got, listed.Properties[key].Value, want)
		}
	}
}

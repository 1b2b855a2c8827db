package app_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
)

func TestTheDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	if problems := c.Validate(); len(problems) > 0 {
		t.Error(errors.Join(problems...))
	}
}

func TestTheExampleHoldsTheDefaults(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	if err := config.Load(&c, config.Options{File: "../../../deploy/config/metadata-service.yaml"}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, app.Defaults()) {
		t.Errorf("the example says %+v, the defaults are %+v", c, app.Defaults())
	}
}

func TestLimitsOfDocumentsMustBePositive(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	c.GraphQL.MaxDepth, c.GraphQL.MaxCost, c.GraphQL.Timeout = 0, -1, 0
	said := errors.Join(c.Validate()...).Error()
	for _, want := range []string{"graphql.max_depth", "graphql.max_cost", "graphql.timeout"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s is not refused: %s", want, said)
		}
	}
}

func TestHostsOfWebhooksAreHosts(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	c.Tests.WebhookHosts = []string{"hooks.example.com", "https://hooks.example.com", "*"}
	text := errors.Join(c.Validate()...).Error()
	if strings.Count(text, "tests.webhook_hosts") != 2 || !strings.Contains(text, `"*"`) {
		t.Errorf("%s", text)
	}
}

func TestDriversThatAreNotKnownAreRefused(t *testing.T) {
	t.Parallel()
	for key, known := range map[string]string{"store": "bolt", "timeseries": "bolt", "search": "roaring"} {
		c := app.Defaults()
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(key+":\n  driver: tape\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := config.Load(&c, config.Options{File: file})
		if want := key + `.driver: "tape" is not known; use one of ` + known; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error that says %s", err, want)
		}
	}
}

func TestFeaturesAreNotComputedMoreOftenThanOnceAMinute(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	c.Timeseries.FeaturesEvery = time.Second
	if said := errors.Join(c.Validate()...); said == nil || !strings.Contains(said.Error(), "timeseries.features_every") {
		t.Errorf("every second: %v", said)
	}
	c.Timeseries.FeaturesEvery = 0
	if said := c.Validate(); len(said) > 0 {
		t.Errorf("never: %v", said)
	}
}

func TestRetentionOfTimeSeriesIsChecked(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	if c.Timeseries.Retention != nil {
		t.Errorf("by default some series are truncated: %v", c.Timeseries.Retention)
	}
	c.Timeseries.Retention = []string{"dataset.operation=30", "dataset.operation=soon"}
	if said := errors.Join(c.Validate()...); said == nil || !strings.Contains(said.Error(), "timeseries.retention") || !strings.Contains(said.Error(), "soon") {
		t.Errorf("a rule without days: %v", said)
	}
	for _, rule := range []string{"dataset.status=30", "table.operation=30"} {
		cfg := settings(t.TempDir())
		cfg.Timeseries.Retention = []string{rule}
		if a, err := app.Open(t.Context(), cfg, "test", logging.Discard()); err == nil || !strings.Contains(err.Error(), "timeseries.retention") {
			t.Errorf("%s: %v", rule, err)
			if a != nil {
				shut(t, a)
			}
		}
	}
	cfg := settings(t.TempDir())
	cfg.Timeseries.Retention = []string{"dataset.operation=30"}
	shut(t, open(t, cfg))
}

func TestSystemPoliciesArePolicies(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"7", "urn:li:tag:pii"} {
		c := app.Defaults()
		c.Auth.SystemPolicies = []string{u}
		if said := errors.Join(c.Validate()...); said == nil || !strings.Contains(said.Error(), "auth.system_policies") {
			t.Errorf("%s: %v", u, said)
		}
	}
}

func TestTheShortestPasswordIsWithinItsBounds(t *testing.T) {
	t.Parallel()
	for least, valid := range map[int]bool{-1: false, 0: false, 1: true, 8: true, credentials.MaxPassword: true, credentials.MaxPassword + 1: false} {
		c := app.Defaults()
		c.Auth.MinPassword = least
		if said := errors.Join(c.Validate()...); (said == nil) != valid || said != nil && !strings.Contains(said.Error(), "auth.min_password: must be 1 to 1024") {
			t.Errorf("%d: %v", least, said)
		}
	}
}

func TestTokenDurationsArePeriods(t *testing.T) {
	for _, c := range []struct {
		noExpiry  bool
		durations []string
		problem   string
	}{
		{false, []string{"PT1H", "P1Y"}, ""},
		{true, nil, ""},
		{false, nil, "auth.token_durations: must not be empty"},
		{false, []string{"ONE_MONTH"}, "auth.token_durations: duration \"ONE_MONTH\""},
		{false, []string{"P1D", "P9999Y"}, "auth.token_durations"},
		{true, []string{"PT1S"}, "between one minute"},
	} {
		config := app.Defaults()
		config.Auth.TokenNoExpiry, config.Auth.TokenDurations = c.noExpiry, c.durations
		problems := fmt.Sprint(config.Validate())
		if c.problem == "" && problems != "[]" || !strings.Contains(problems, c.problem) {
			t.Errorf("%v %q: %s", c.noExpiry, c.durations, problems)
		}
	}
}

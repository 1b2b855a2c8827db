package app_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/config/variables"
)

// Both programs often read their settings from the same environment.
func TestSettingsOfTheMetadataServiceAreIgnored(t *testing.T) {
	if len(variables.Service) < 70 {
		t.Fatalf("only %d settings are listed", len(variables.Service))
	}
	for _, name := range variables.Service {
		t.Setenv(name, "")
	}
	if _, err := app.Load(""); err != nil && strings.Contains(err.Error(), "is not a setting") {
		t.Error(err)
	}
}

package app_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
)

// setting matches a key of the example file, including keys that are commented out with a value.
var setting = regexp.MustCompile(`(?m)^(  )?(?:# ([a-z_]+): ["\[/]|([a-z_]+):(?: |$))`)

// Both programs often read their settings from the same environment.
func TestSettingsOfTheMetadataServiceArePassedOver(t *testing.T) {
	example, err := os.ReadFile("../../../deploy/config/metadata-service.yaml")
	if err != nil {
		t.Fatal(err)
	}
	group, names := "", 0
	for _, found := range setting.FindAllStringSubmatch(string(example), -1) {
		key := found[2] + found[3]
		switch {
		case found[1] != "":
			key = group + "_" + key
		case strings.HasSuffix(found[0], ":"):
			group = key
			continue
		}
		names++
		t.Setenv("CARTULARY_"+strings.ToUpper(key), "")
	}
	if names < 20 {
		t.Fatalf("only %d settings were found in the example", names)
	}
	if _, err := app.Load(""); err != nil && strings.Contains(err.Error(), "is not a setting") {
		t.Error(err)
	}
}

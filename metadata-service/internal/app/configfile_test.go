package app_test

import (
	"flag"
	"os"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/config/configdoc"
)

var update = flag.Bool("update", false, "write the configuration file and the list of variables anew")

const configurationHead = `Configuration of the metadata service, with its defaults.
  metadata-service --config deploy/config/metadata-service.yaml
An environment variable overrides the same key in this file: listen is CARTULARY_LISTEN,
auth.enabled is CARTULARY_AUTH_ENABLED. The service refuses unknown keys and reports all problems
at once. A key in a comment has no default, or an empty one.`

// The configuration file and the list of variables are derived from the Config struct.
func TestTheConfigurationFileFollowsTheStruct(t *testing.T) {
	t.Parallel()
	cfg := app.Defaults()
	files, err := configdoc.Files(configdoc.Program{Name: "metadata-service", List: "Service", Head: configurationHead, Config: &cfg}, "../../..")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s differs from the Config struct, run this test with -update: %v", path, err)
		}
	}
}

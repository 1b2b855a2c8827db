package app_test

import (
	"flag"
	"os"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/config/configdoc"
)

var update = flag.Bool("update", false, "write the configuration file and the list of variables anew")

const configurationHead = `Configuration of the frontend proxy, with its defaults.
  frontend-proxy --config deploy/config/frontend-proxy.yaml
An environment variable overrides the same key in this file: listen is CARTULARY_LISTEN,
login.burst is CARTULARY_LOGIN_BURST. The proxy refuses unknown keys and reports all problems at
once. A key in a comment has no default, or an empty one. The files of secrets are at the paths
where a service beside the proxy creates them.`

// The configuration file and the list of variables are derived from the Config struct.
func TestTheConfigurationFileFollowsTheStruct(t *testing.T) {
	t.Parallel()
	cfg := app.Defaults()
	files, err := configdoc.Files(configdoc.Program{Name: "frontend-proxy", List: "Proxy", Head: configurationHead, Config: &cfg}, "../../..")
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

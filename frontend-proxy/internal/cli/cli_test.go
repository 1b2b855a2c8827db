package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/cli"
	"github.com/cartulary/cartulary/pkg/command"
)

func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args    []string
		code    int
		printed string
	}{
		"help":                        {[]string{"-h"}, command.OK, "health      Exit with 0"},
		"help of a command":           {[]string{"run", "-h"}, command.OK, "--config FILE"},
		"version":                     {[]string{"version"}, command.OK, "frontend-proxy dev (commit "},
		"a mistyped command":          {[]string{"helth"}, command.Misuse, "did you mean health?"},
		"an argument too many":        {[]string{"run", "now"}, command.Misuse, `"now"`},
		"a file that is not there":    {[]string{"--config", "/none/such.yaml", "run"}, command.Failed, "/none/such.yaml"},
		"the file behind one dash":    {[]string{"-config", "/none/such.yaml"}, command.Failed, "/none/such.yaml"},
		"the file behind the command": {[]string{"health", "--config", "/none/such.yaml"}, command.Failed, "/none/such.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if code := command.Run(t.Context(), cli.New(), tc.args, &out, &out); code != tc.code || !strings.Contains(out.String(), tc.printed) {
				t.Errorf("got %d, %s", code, &out)
			}
		})
	}
}

package load_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestRunSumsUpAndReportsEachFile(t *testing.T) {
	t.Setenv(load.TokenVariable, "from-environment")
	c := newFakeCatalog(t)
	path := writeFile(t, t.TempDir(), "tags.json", `[`+tagItem("urn:li:tag:a", "")+`,`+tagItem("urn:li:tag:b", "")+`,`+tagItem("urn:li:tag:a", "")+`]`)
	var stdout, stderr bytes.Buffer
	if err := load.Run(t.Context(), []string{"--server", c.base() + "/", path}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if got := stdout.String(); !strings.HasPrefix(got, "entities 2, aspects 3, files 1, took ") || !strings.Contains(got, ", run tags-20") {
		t.Errorf("got sum %q", got)
	}
	want := "importing: files 1, items 3\n0/3 " + path + "\n3/3\n"
	if stderr.String() != want {
		t.Errorf("got progress %q, want %q", stderr.String(), want)
	}
	if c.auth["Bearer from-environment"] != c.requests || c.requests == 0 {
		t.Errorf("got credentials %v, want the token of the environment", c.auth)
	}
	if run := c.taken()[0].Run; !strings.HasPrefix(run, "tags-20") {
		t.Errorf("got run %q, want one named after the file", run)
	}
}

func TestTokenComesFromFlagThenFileThenEnvironment(t *testing.T) {
	t.Setenv(load.TokenVariable, "from-environment")
	dir := t.TempDir()
	path := writeFile(t, dir, "tags.json", `[`+tagItem("urn:li:tag:a", "")+`]`)
	tokenFile := writeFile(t, dir, "token", "from-file\n")
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"flag", []string{"--token", "from-flag"}, "Bearer from-flag"},
		{"file", []string{"--token-file", tokenFile}, "Bearer from-file"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := newFakeCatalog(t)
			var out bytes.Buffer
			args := append(tc.args, "--server", c.base(), "--run", "r", path)
			if err := load.Run(t.Context(), args, &out, &out); err != nil {
				t.Fatal(err)
			}
			if c.auth[tc.want] != 1 {
				t.Errorf("got credentials %v, want %q", c.auth, tc.want)
			}
		})
	}
}

func TestRunRefusesBadArguments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := writeFile(t, dir, "token", " \n")
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"--fast", "x.json"}, "flag provided but not defined: -fast"},
		{"no path", nil, "name at least one file"},
		{"two tokens", []string{"--token", "a", "--token-file", empty, "x.json"}, "not both"},
		{"empty token file", []string{"--token-file", empty, "x.json"}, "want one access token"},
		{"absent token file", []string{"--token-file", dir + "/none", "x.json"}, "not readable"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := load.Run(t.Context(), tc.args, &out, &out)
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q in an invalid fault", err, tc.want)
			}
		})
	}
}

func TestHelpListsTheFlags(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	if err := load.Run(t.Context(), []string{"-h"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"-server", "-token-file", "-batch", "-connections", "-shift-to-now", "-run"} {
		if !strings.Contains(stdout.String(), flag) {
			t.Errorf("help does not mention %s", flag)
		}
	}
}

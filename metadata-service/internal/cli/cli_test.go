package cli_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cartulary/cartulary/metadata-service/internal/cli"
	"github.com/cartulary/cartulary/pkg/command"
)

func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, notes bytes.Buffer
	code = command.Run(t.Context(), cli.New(), args, &out, &notes)
	return code, out.String(), notes.String()
}

// commands returns the commands that the service itself defines.
func commands(c *cobra.Command) (all []*cobra.Command) {
	if c.Name() == "completion" || c.Name() == "help" || c.Hidden {
		return nil
	}
	all = append(all, c)
	for _, sub := range c.Commands() {
		all = append(all, commands(sub)...)
	}
	return all
}

func path(c *cobra.Command) []string { return strings.Fields(c.CommandPath())[1:] }

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	found := commands(cli.New())
	if len(found) < 20 {
		t.Fatalf("there are %d commands", len(found))
	}
	for _, c := range found {
		code, stdout, stderr := call(t, append(path(c), "-h")...)
		if code != 0 || stderr != "" || !strings.Contains(stdout, "Usage:\n  "+c.CommandPath()) {
			t.Errorf("%s: got %d, %q, %q", c.CommandPath(), code, stdout, stderr)
		}
		if !c.HasSubCommands() && c.Name() != "version" && !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example", c.CommandPath())
		}
	}
}

// The command's implementation reads the flags, and help lists them separately; both must agree.
func TestFlagsInHelpAreThoseThatAreRead(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "none")
	for _, c := range commands(cli.New()) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if c.HasSubCommands() || f.Name == "help" || f.Name == "accept" || f.Name == "config" {
				return
			}
			value := "1"
			if f.Name == "report" {
				value = filepath.Join(nowhere, "1") // which cannot be created
			}
			args := append(path(c), "--"+f.Name+"="+value)
			if f.Name != "data-dir" && c.Flags().Lookup("data-dir") != nil {
				args = append(args, "--data-dir", nowhere)
			}
			code, _, stderr := call(t, append(args, nowhere)...)
			if code == command.OK || strings.Contains(stderr, "not defined") {
				t.Errorf("%v: %d, %s", args, code, stderr)
			}
		})
	}
}

// Manual pages are part of packages, which must be reproducible byte for byte.
func TestDefaultsInHelpDoNotTellTheTime(t *testing.T) {
	t.Parallel()
	year := strconv.Itoa(time.Now().UTC().Year())
	for _, c := range commands(cli.New()) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.DefValue, year) {
				t.Errorf("%s: the default of --%s is %s", c.CommandPath(), f.Name, f.DefValue)
			}
		})
	}
}

var flagInText = regexp.MustCompile(`--([a-z][a-z-]*)`)

func TestFlagsInTextsAreInHelp(t *testing.T) {
	t.Parallel()
	texts := 0
	for _, c := range commands(cli.New()) {
		known := map[string]bool{}
		for _, sub := range append(c.Commands(), c) {
			sub.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		}
		for _, found := range flagInText.FindAllStringSubmatch(c.Long, -1) {
			texts++
			if !known[found[1]] {
				t.Errorf("%s: the text tells of --%s", c.CommandPath(), found[1])
			}
		}
	}
	if texts < 30 {
		t.Errorf("only %d flags were found in texts", texts)
	}
}

func TestAMistypedCommandIsMisuse(t *testing.T) {
	t.Parallel()
	for _, tc := range [][]string{{"verfiy", "verify"}, {"tokn", "token"}} {
		if code, _, stderr := call(t, tc[0]); code != command.Misuse || !strings.Contains(stderr, "did you mean "+tc[1]) {
			t.Errorf("%s: got %d, %q", tc[0], code, stderr)
		}
	}
	if code, _, stderr := call(t, "ops", "truncate", "--type", "dataset"); code != command.Misuse || !strings.Contains(stderr, "--aspect") {
		t.Errorf("got %d, %q", code, stderr)
	}
}

package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/pkg/command"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/release"
)

// program has a group with one command, which prints its arguments.
func program() *cobra.Command {
	root := &cobra.Command{Use: "program", Short: "Do things", Args: command.NoArgs, RunE: func(*cobra.Command, []string) error { return errors.New("no luck") }}
	run := func(_ context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) > 0 && args[0] == "--colour=none" {
			return fault.New(fault.Malformed, "no such colour")
		}
		_, err := fmt.Fprint(stdout, strings.Join(args, " "))
		return err
	}
	root.AddCommand(command.Group("shed", "Look after the shed", "Look after the shed.",
		command.Wrap(&cobra.Command{Use: "paint WALL...", Short: "Paint it", Example: "  program shed paint north"}, run,
			command.Flag{Name: "colour", Value: "NAME", Usage: "the colour", Default: "red"}, command.Flag{Name: "twice", Usage: "two coats"})))
	return command.Prepare(root)
}

func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, notes bytes.Buffer
	code = command.Run(t.Context(), program(), args, &out, &notes)
	return code, out.String(), notes.String()
}

func TestWordsAndExitCodes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		"flags and operands reach the command":         {[]string{"shed", "paint", "north", "--twice", "--colour", "blue", "east"}, 0, "--colour=blue --twice=true north east", ""},
		"a flag may be repeated":                       {[]string{"shed", "paint", "--colour", "a", "--colour=b"}, 0, "--colour=a --colour=b", ""},
		"one dash is as good as two":                   {[]string{"shed", "paint", "-colour", "blue", "-twice=false"}, 0, "--colour=blue --twice=false", ""},
		"an operand may look like a flag":              {[]string{"shed", "paint", "--", "-colour"}, 0, "-- -colour", ""},
		"what is not given is not handed on":           {[]string{"shed", "paint"}, 0, "", ""},
		"a failure is 1":                               {nil, 1, "", "program: no luck\n"},
		"an unknown command is 2 and suggests another": {[]string{"shde"}, 2, "", `unknown command "shde", did you mean shed?; program -h`},
		"so is one of a group":                         {[]string{"shed", "pain"}, 2, "", `unknown command "pain", did you mean paint?; program shed -h`},
		"an unknown flag is 2":                         {[]string{"shed", "paint", "--size", "1"}, 2, "", "unknown flag: --size; program shed paint -h"},
		"a value that the command refuses is 2":        {[]string{"shed", "paint", "--colour", "none"}, 2, "", "no such colour; program shed paint -h"},
		"a group alone is explained":                   {[]string{"shed"}, 0, "paint       Paint it", ""},
		"a group explains itself":                      {[]string{"shed", "help"}, 0, "paint       Paint it", ""},
		"help has examples":                            {[]string{"shed", "paint", "-h"}, 0, "Examples:\n  program shed paint north", ""},
		"help has defaults":                            {[]string{"help", "shed", "paint"}, 0, "--colour NAME   the colour (default red)", ""},
		"version is a command":                         {[]string{"version"}, 0, "program " + release.Stamp() + "\n", ""},
		"version is a flag":                            {[]string{"--version"}, 0, "program " + release.Stamp() + "\n", ""},
		"version takes nothing":                        {[]string{"version", "x"}, 2, "", `unexpected argument "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := call(t, tc.args...)
			if code != tc.code || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) || (tc.stdout == "" && stdout != "") || (tc.stderr == "" && stderr != "") {
				t.Errorf("got %d, %q, %q", code, stdout, stderr)
			}
		})
	}
}

func TestShellsGetScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, stdout, stderr := call(t, "completion", shell); code != 0 || !strings.Contains(stdout, "__complete") {
			t.Errorf("%s: got %d, %q, %q", shell, code, stdout, stderr)
		}
	}
	if _, stdout, _ := call(t, "__complete", "shed", "paint", "--c"); !strings.Contains(stdout, "--colour\tthe colour") {
		t.Errorf("got %q", stdout)
	}
}

func TestManualPagesAreTheSameEachTime(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	write := func() map[string]string {
		dir := t.TempDir()
		if code, _, stderr := call(t, "man", dir); code != 0 {
			t.Fatal(stderr)
		}
		pages := map[string]string{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			pages[e.Name()] = string(text)
		}
		return pages
	}
	first, second := write(), write()
	if !strings.Contains(first["program-shed-paint.1"], "two coats") || !strings.Contains(first["program.1"], "Nov 2023") {
		t.Errorf("got %q", first["program.1"])
	}
	for name, text := range first {
		if second[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

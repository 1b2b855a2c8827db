// Package command gives the command lines of all programs the same behaviour: help with examples,
// one version stamp, suggestions for mistyped commands, shell completion, manual pages, and exit
// codes that scripts can rely on.
//
// A program builds a tree of cobra commands and passes it to Run. Wrap creates sub-commands that
// parse their own flags: it declares the flags to cobra for help, completion and manual pages, and
// passes the arguments on.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/release"
)

// Exit codes.
const (
	OK     = 0
	Failed = 1 // the command line was valid, but the command failed
	Misuse = 2 // the command line is invalid
)

// Prepare adds the settings and commands common to all programs to a root command.
func Prepare(root *cobra.Command) *cobra.Command {
	root.Version = release.Stamp()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return Wrong(c, "%v", err) })
	root.AddCommand(versionCommand(), manualCommand())
	return root
}

// Run executes a command line, writes an error to stderr, and returns the exit code. args are the
// words after the name of the program.
func Run(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	root.SetArgs(twoDashes(root, args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return OK
	}
	fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
	if isUsageError(err) {
		return Misuse
	}
	return Failed
}

// Wrong returns the error for an invalid command line. Its text refers to the help.
func Wrong(c *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...) + "; " + c.CommandPath() + " -h shows its usage"}
}

type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func isUsageError(err error) bool {
	var wrong *usageError
	return errors.As(err, &wrong)
}

// NoArgs rejects operands, and suggests sub-commands with similar names.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasAvailableSubCommands() {
		return Wrong(c, "unexpected argument %.60q", args[0])
	}
	message := fmt.Sprintf("unknown command %.60q", args[0])
	if suggestions := c.SuggestionsFor(args[0]); len(suggestions) > 0 {
		message += ", did you mean " + strings.Join(suggestions, " or ") + "?"
	}
	return Wrong(c, "%s", message)
}

// AtMost rejects more than n operands.
func AtMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return Wrong(c, "unexpected argument %.60q", args[n])
		}
		return nil
	}
}

// AtLeastOne rejects a command line without an operand; the parameter what names the operand in the
// message.
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Wrong(c, "name at least one %s", what)
		}
		return nil
	}
}

// Group returns a command that only contains other commands. Without a sub-command it prints its
// help.
func Group(name, short, long string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: name, Short: short, Long: long, Args: func(c *cobra.Command, args []string) error {
		if len(args) == 1 && args[0] == "help" {
			return nil
		}
		return NoArgs(c, args)
	}}
	group.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	group.SuggestionsMinimumDistance = 2
	group.AddCommand(commands...)
	return group
}

// Runner is a sub-command that parses its own flags. args are the words after its name.
type Runner func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Wrap turns a Runner into a command. It checks only the names of the declared flags. The Runner
// parses the values, and returns an error of kind fault.Malformed for invalid ones.
func Wrap(c *cobra.Command, run Runner, flags ...Flag) *cobra.Command {
	for _, f := range flags {
		value := &words{kind: f.Value, texts: f.defaults()}
		flag := c.Flags().VarPF(value, f.Name, "", f.Usage)
		if f.Value == "" {
			flag.NoOptDefVal = "true"
		}
	}
	c.RunE = func(c *cobra.Command, operands []string) error {
		words := given(c.Flags())
		if slices.ContainsFunc(operands, func(o string) bool { return strings.HasPrefix(o, "-") }) {
			words = append(words, "--")
		}
		err := run(c.Context(), append(words, operands...), c.OutOrStdout(), c.ErrOrStderr())
		if errors.Is(err, fault.Malformed) {
			return Wrong(c, "%v", err)
		}
		return err
	}
	return c
}

// Flag describes a flag in help.
type Flag struct {
	Name  string
	Value string // placeholder for the value in help; empty for a switch
	Usage string
	// Default is the default value shown in help.
	Default string
}

func (f Flag) defaults() []string {
	if f.Default == "" {
		return nil
	}
	return []string{f.Default}
}

// given returns the flags of the command line in a form that any parser accepts.
func given(flags *pflag.FlagSet) (args []string) {
	flags.Visit(func(f *pflag.Flag) {
		value, ok := f.Value.(*words)
		if !ok {
			return
		}
		for _, text := range value.texts {
			args = append(args, "--"+f.Name+"="+text)
		}
	})
	return args
}

// words records the values of a flag, one for each use.
type words struct {
	kind  string
	texts []string
	set   bool
}

func (w *words) String() string { return strings.Join(w.texts, ",") }

func (w *words) Type() string {
	if w.kind == "" {
		return "bool"
	}
	return w.kind
}

func (w *words) Set(text string) error {
	if !w.set {
		w.texts, w.set = nil, true
	}
	w.texts = append(w.texts, text)
	return nil
}

// twoDashes allows one dash before flags of several letters, such as -config for --config, for
// compatibility with versions without completion.
func twoDashes(root *cobra.Command, args []string) []string {
	known := map[string]bool{}
	collect(root, known)
	rewritten := make([]string, len(args))
	for i, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if len(name) > 1 && strings.HasPrefix(arg, "-") && known[name] {
			arg = "-" + arg
		}
		rewritten[i] = arg
		if arg == "--" {
			return append(rewritten[:i+1], args[i+1:]...)
		}
	}
	return rewritten
}

func collect(c *cobra.Command, names map[string]bool) {
	names["help"], names["version"] = true, true
	c.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	c.PersistentFlags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	for _, sub := range c.Commands() {
		collect(sub, names)
	}
}

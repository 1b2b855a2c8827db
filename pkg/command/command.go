// Package command gives the programs one manner on the command line: help with
// examples everywhere, one stamp of the release, suggestions for what is mistyped,
// shell completion, manual pages, and exit codes that scripts can rely on.
//
// A program builds a tree of cobra commands and hands it to Run. Sub-commands that
// read their own flags are made by Wrap, which tells cobra of the flags for help,
// completion and manual pages and hands the words on.
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
	Failed = 1 // the command was understood and did not succeed
	Misuse = 2 // the command line is wrong
)

// Prepare gives a root command what every program has.
func Prepare(root *cobra.Command) *cobra.Command {
	root.Version = release.Stamp()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return Wrong(c, "%v", err) })
	root.AddCommand(versionCommand(), manualCommand())
	return root
}

// Run carries out a command line, tells on stderr what went wrong, and gives the
// exit code. args are the words after the name of the program.
func Run(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	root.SetArgs(twoDashes(root, args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return OK
	}
	fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
	if misused(err) {
		return Misuse
	}
	return Failed
}

// Wrong is the error for a command line that is wrong. It tells where help is.
func Wrong(c *cobra.Command, format string, args ...any) error {
	return &misuse{fmt.Sprintf(format, args...) + "; " + c.CommandPath() + " -h tells how it is used"}
}

type misuse struct{ message string }

func (e *misuse) Error() string { return e.message }

func misused(err error) bool {
	var wrong *misuse
	return errors.As(err, &wrong)
}

// NoArgs refuses operands, and suggests sub-commands that are spelled alike.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasAvailableSubCommands() {
		return Wrong(c, "unexpected argument %.60q", args[0])
	}
	message := fmt.Sprintf("unknown command %.60q", args[0])
	if alike := c.SuggestionsFor(args[0]); len(alike) > 0 {
		message += ", did you mean " + strings.Join(alike, " or ") + "?"
	}
	return Wrong(c, "%s", message)
}

// AtMost refuses more operands than n.
func AtMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return Wrong(c, "unexpected argument %.60q", args[n])
		}
		return nil
	}
}

// AtLeastOne refuses to go on without an operand; what names it.
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Wrong(c, "name at least one %s", what)
		}
		return nil
	}
}

// Group is a command that only holds others. Alone it prints its help.
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

// Runner is a sub-command that reads its own flags. args are the words after its name.
type Runner func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Wrap makes a command of a Runner. The flags it is told of are checked by name
// alone: the Runner reads the values, and answers fault.Malformed to wrong ones.
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

// Flag is what help says of a flag.
type Flag struct {
	Name  string
	Value string // what stands for the value in help; empty for a switch
	Usage string
	// Default is what holds without the flag, for help.
	Default string
}

func (f Flag) defaults() []string {
	if f.Default == "" {
		return nil
	}
	return []string{f.Default}
}

// given are the flags of the command line, in a form that any parser reads.
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

// words keeps what a flag was given, each time.
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

// twoDashes lets flags of several letters stand behind one dash, as they did before
// there was completion: -config for --config.
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

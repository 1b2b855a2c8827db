package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// TokenVariable is the environment variable asked when no flag names a token.
const TokenVariable = "CARTULARY_TOKEN"

// DefaultServer is asked when no flag names another.
const DefaultServer = "http://127.0.0.1:9002/api/gms"

const usage = `Usage: metadata-service load [flags] FILE|DIR...

Sends metadata files to a catalog: JSON lists of change proposals or snapshots.
A directory stands for its *.json files in order of name.
Without a token flag the token comes from $` + TokenVariable + `.

`

// Run is the sub-command `load`: args are the words after it. Progress goes to
// stderr, the closing sum to stdout. The error is complete as a message for
// the user and not printed here; nil after -h.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	opts, err := parseArgs(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	opts.Progress = NewProgress(stderr)
	sum, err := Load(ctx, opts)
	if err == nil || sum.Items > 0 {
		fmt.Fprintf(stdout, "entities %d, aspects %d, files %d, took %s, run %s\n",
			sum.Entities, sum.Aspects, sum.Files, sum.Took.Round(time.Millisecond), opts.Run)
	}
	return err
}

func parseArgs(args []string, help io.Writer) (Options, error) {
	var opts Options
	var tokenFile string
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the error says it all, and the caller prints it
	flags.StringVar(&opts.Server, "server", DefaultServer, "base `URL` of the catalog")
	flags.StringVar(&opts.Token, "token", "", "access `token`; others on this machine may see it, prefer a file")
	flags.StringVar(&tokenFile, "token-file", "", "`file` that holds the access token")
	flags.IntVar(&opts.Batch, "batch", 100, "proposals in one request")
	flags.IntVar(&opts.Connections, "connections", 1, "requests under way at the same time")
	flags.BoolVar(&opts.ShiftToNow, "shift-to-now", false, "move all times by whole days so that the newest is less than a day old")
	flags.StringVar(&opts.Run, "run", "", "run `id` noted on what is written (default: name of the first path and time)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(help, usage)
			flags.SetOutput(help)
			flags.PrintDefaults()
			return Options{}, err
		}
		return Options{}, fault.Wrap(err, fault.Invalid, "load -h lists the flags")
	}
	opts.Paths = flags.Args()
	if opts.Run == "" && len(opts.Paths) > 0 {
		opts.Run = runID(opts.Paths[0], time.Now())
	}
	var err error
	opts.Token, err = findToken(opts.Token, tokenFile)
	return opts, err
}

// runID names a run after what it loads, for example demo-2026_11_20-10_15_00.
func runID(path string, now time.Time) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	if len(name) > 100 {
		name = name[:100]
	}
	return strings.ToValidUTF8(name, "") + now.UTC().Format("-2006_01_02-15_04_05")
}

// tokenBytes is far above any token; a larger file is some other file.
const tokenBytes = 16 << 10

func findToken(token, file string) (string, error) {
	switch {
	case token != "" && file != "":
		return "", fault.New(fault.Invalid, "give -token or -token-file, not both")
	case token != "":
		return token, nil
	case file == "":
		return os.Getenv(TokenVariable), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", unreadable(file, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, tokenBytes+1))
	if err != nil {
		return "", unreadable(file, err)
	}
	token = strings.TrimSpace(string(text))
	if token == "" || len(text) > tokenBytes {
		return "", fault.New(fault.Invalid, "%s: want one access token of up to %d bytes", file, tokenBytes)
	}
	return token, nil
}

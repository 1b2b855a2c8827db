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

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// TokenVariable is the environment variable that is read if no flag gives a token.
const TokenVariable = "CARTULARY_TOKEN"

// DefaultServer is used if no flag gives another server.
const DefaultServer = "http://127.0.0.1:9002/api/gms"

const usage = `Usage: metadata-service import [flags] FILE|DIR|-...

Sends metadata files to a catalog: JSON lists of change proposals or snapshots,
compressed with gzip or not. A directory stands for its *.json and *.json.gz
files in order of name, and - for the standard input.
Without a token flag the token comes from $` + TokenVariable + `.

`

// Run implements the sub-command `import`: args are the words after it. Progress and refused items
// are written to stderr, the final summary to stdout. The error is a complete message for the user,
// and Run does not print it; it is nil after -h.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	opts, report, err := parseArgs(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if opts.DryRun {
		if opts.Registry, err = model.Load(); err != nil {
			return err
		}
	}
	reported, end, err := reporter(report)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	opts.Input, opts.Progress, opts.Notes = os.Stdin, NewProgress(stderr), stderr
	opts.Refused = func(r *Refusal) {
		fmt.Fprintf(stderr, "refused: %v\n", r)
		reported(r)
	}
	sum, err := Load(ctx, opts)
	if err == nil || sum.Items > 0 {
		fmt.Fprintln(stdout, sum.text(opts.Run))
	}
	if last := new(Refusal); errors.As(err, &last) {
		reported(last)
	}
	if err == nil && sum.Refused > 0 {
		err = fault.New(fault.Invalid, "%d items were refused, see the messages above; the others were accepted", sum.Refused)
	}
	return err
}

func (s Summary) text(run string) string {
	took := s.Took.Round(time.Millisecond)
	if c := s.Changes; c != nil {
		return fmt.Sprintf("nothing was written; aspects to create %d, to change %d, the same %d, to delete %d, documents of time series %d, refused %d, files %d, took %s",
			c.Created, c.Changed, c.Same, c.Deleted, c.Documents, s.Refused, s.Files, took)
	}
	about := ""
	if s.Estimated {
		about = "about "
	}
	text := fmt.Sprintf("entities %s%d, aspects %d, files %d, took %s, run %s", about, s.Entities, s.Aspects, s.Files, took, run)
	if s.Refused > 0 {
		text += fmt.Sprintf(", refused %d", s.Refused)
	}
	return text
}

// reporter writes refused items to a new file, one JSON object per line, or nowhere if name is
// empty.
func reporter(name string) (report func(*Refusal), end func() error, err error) {
	if name == "" {
		return func(*Refusal) {}, func() error { return nil }, nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Invalid, "report: the file cannot be made")
	}
	var failed error
	report = func(r *Refusal) {
		line, err := encode(struct {
			File   string `json:"file"`
			Item   int    `json:"item"`
			URN    string `json:"urn,omitempty"`
			Aspect string `json:"aspect,omitempty"`
			Reason string `json:"reason"`
		}{r.File, r.Item, r.URN, r.Aspect, r.Cause.Error()})
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		failed = errors.Join(failed, err)
	}
	return report, func() error {
		err := errors.Join(failed, f.Sync(), f.Close())
		if err != nil {
			err = fmt.Errorf("report: not all of %s was written: %w", name, disk.TranslateAt(err, filepath.Dir(name)))
		}
		return err
	}, nil
}

func parseArgs(args []string, help io.Writer) (opts Options, report string, err error) {
	var tokenFile string
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the error, which is complete
	flags.StringVar(&opts.Server, "server", DefaultServer, "base `URL` of the catalog")
	flags.StringVar(&opts.Token, "token", "", "access `token`; others on this machine may see it, prefer a file")
	flags.StringVar(&tokenFile, "token-file", "", "`file` that holds the access token")
	flags.IntVar(&opts.Batch, "batch", 100, "proposals in one request")
	flags.IntVar(&opts.Connections, "connections", 1, "requests under way at the same time")
	flags.BoolVar(&opts.ShiftToNow, "shift-to-now", false, "move all times by whole days so that the newest is less than a day old")
	flags.StringVar(&opts.Run, "run", "", "run `id` of the written aspects (default: name of the first path and time)")
	flags.BoolVar(&opts.DryRun, "dry-run", false, "write nothing; check the files against the model and report the changes")
	flags.BoolVar(&opts.Continue, "continue-on-error", false, "continue after refused items, report each one, and exit with 1 if there were any")
	flags.StringVar(&report, "report", "", "write refused items to this `file`, a JSON object in a line")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(help, usage)
			flags.SetOutput(help)
			flags.PrintDefaults()
			return Options{}, "", err
		}
		return Options{}, "", fault.Wrap(err, fault.Invalid, "import -h lists the flags")
	}
	opts.Paths = flags.Args()
	if opts.Run == "" && len(opts.Paths) > 0 {
		opts.Run = runID(opts.Paths[0], time.Now())
	}
	opts.Token, err = findToken(opts.Token, tokenFile)
	return opts, report, err
}

// runID derives the id of a run from its path, for example demo-2026_11_20-10_15_00.
func runID(path string, now time.Time) string {
	if full, err := filepath.Abs(path); err == nil && path != standardInput {
		path = full
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".json")
	if path == standardInput {
		name = "import"
	}
	if len(name) > 100 {
		name = name[:100]
	}
	return strings.ToValidUTF8(name, "") + now.UTC().Format("-2006_01_02-15_04_05")
}

// tokenBytes is far above the size of any token; a larger file is not a token file.
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

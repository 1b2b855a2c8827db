package adminsocket

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"text/tabwriter"

	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Tests manages metadata tests; metatest.Service implements it.
type Tests interface {
	InstallStarter(ctx context.Context, dryRun bool) ([]metatest.Installed, error)
}

type starterRequest struct{ DryRun bool }

func mountTests(mux *http.ServeMux, t Tests, log *slog.Logger) {
	mux.Handle("POST /tests/install-starter", operation(log, func(ctx context.Context, in starterRequest) ([]metatest.Installed, error) {
		return t.InstallStarter(ctx, in.DryRun)
	}))
}

// InstallStarter installs the starter pack of metadata tests. With dryRun it only returns the
// result that the installation would have.
func (c *Client) InstallStarter(ctx context.Context, dryRun bool) (done []metatest.Installed, err error) {
	err = c.call(ctx, "/tests/install-starter", starterRequest{dryRun}, &done)
	return done, err
}

const testsUsage = `Install metadata tests in a metadata service that runs on this machine.

  tests install-starter [--dry-run]
        create the missing ones of the tests that most teams want: owned,
        described, classified, in a domain, and others. Existing tests stay
        unchanged, so the command can be repeated.
        --dry-run only shows the changes

All take --data-dir DIR, the data directory of the service (default %s).
`

// RunTests runs "tests install-starter" against the running service; args start after "tests".
// Wrong arguments are fault.Malformed. Without arguments, and for help, it prints its usage.
func RunTests(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		_, err := fmt.Fprintf(stdout, testsUsage, defaultDataDir)
		return err
	}
	if args[0] != "install-starter" {
		return fault.New(fault.Malformed, "tests %.40s is not a command; there is install-starter", args[0])
	}
	c := &command{flags: flag.NewFlagSet("tests "+args[0], flag.ContinueOnError), out: stdout, notes: stderr}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	err := c.installStarter(ctx, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(stdout, testsUsage, defaultDataDir)
	}
	return err
}

func (c *command) installStarter(ctx context.Context, args []string) error {
	dryRun := c.flags.Bool("dry-run", false, "")
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	done, err := client.InstallStarter(ctx, *dryRun)
	if err != nil {
		return err
	}
	created := "created"
	if *dryRun {
		created = "would be created"
	}
	t := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, d := range done {
		what := "is there"
		switch {
		case d.Created:
			what = created
		case d.Changed:
			what = "is there, changed; left as it is"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", d.URN, stripControlCharacters(d.Name), what)
	}
	return t.Flush()
}

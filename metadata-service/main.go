// Command metadata-service keeps a catalog of metadata and answers for it over
// HTTP.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/metadata-service/internal/probe"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
)

// version is set by the build.
var version = "dev"

const usage = `metadata-service keeps a catalog of metadata.

  metadata-service [--config FILE] [--accept LOSSES]
                                     serve until interrupted
  metadata-service access ...        tell who may do what, and why
  metadata-service audit ...         show who did what
  metadata-service health [ADDRESS]  exit with 0 when a running service is ready
  metadata-service load ...          send metadata files to a catalog
  metadata-service ops ...           tell sizes, truncate time series, look after tasks
  metadata-service tests ...         install metadata tests to begin with
  metadata-service token ...         create, list and revoke access tokens
  metadata-service verify            look for damage in the files of a stopped service, and compare
                                     search index and graph with the store
  metadata-service version           print the version

"COMMAND -h" tells more. Settings come from the file and from variables that
start with CARTULARY_; see deploy/config/metadata-service.yaml.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "metadata-service:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	command := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	switch command {
	case "":
		return serve(ctx, args, stderr)
	case "health":
		return probe.Run(ctx, args)
	case "access":
		return adminsocket.RunAccess(ctx, dataDir(), args, stdout, stderr)
	case "audit":
		return adminsocket.RunAudit(ctx, dataDir(), args, stdout, stderr)
	case "ops":
		return adminsocket.RunOps(ctx, dataDir(), args, stdout, stderr)
	case "tests":
		return adminsocket.RunTests(ctx, dataDir(), args, stdout, stderr)
	case "token":
		return adminsocket.RunCommand(ctx, dataDir(), args, stdout, stderr)
	case "verify":
		return verify(ctx, args, stdout, stderr)
	case "load":
		return load.Run(ctx, args, stdout, stderr)
	case "version":
		_, err := fmt.Fprintln(stdout, version)
		return err
	}
	return fmt.Errorf("unknown command %q\n\n%s", command, usage)
}

func serve(ctx context.Context, args []string, stderr io.Writer) error {
	cfg, err := configure("metadata-service", args, stderr)
	if err != nil {
		return helpIsNoError(err)
	}
	a, err := app.Open(ctx, cfg, version, logging.New(stderr, cfg.Log.Level, cfg.Log.Format))
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}

// verify is the sub-command of that name. What is damaged or differs goes to
// stdout, a line each, and figures last.
func verify(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	cfg, err := configure("metadata-service verify", args, stderr)
	if err != nil {
		return helpIsNoError(err)
	}
	damage, err := app.Inspect(ctx, cfg)
	if err != nil {
		return err
	}
	for _, line := range slices.Concat(damage.Catalog, damage.Audit, damage.Tasks) {
		fmt.Fprintln(stdout, line)
	}
	switch {
	case len(damage.Catalog) > 0:
		return errors.New("files are damaged; restore the data folder from a backup, or take a copy of it before anything else")
	case len(damage.Audit) > 0:
		return errors.New("the audit log alone is damaged; the next start sets its file aside and begins a new one, unless that of a backup takes its place first")
	case len(damage.Tasks) > 0:
		return errors.New("the file of the tasks alone is damaged; the next start sets it aside and begins a new one, and tasks that had not ended are to be started again")
	}
	report, err := app.Verify(ctx, cfg, logging.New(stderr, cfg.Log.Level, cfg.Log.Format))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, report.Text())
	if err == nil && !report.Equal() {
		err = errors.New("search index and graph are not what the store says; start the service and call restoreIndices")
	}
	return err
}

// configure reads flags and settings.
func configure(command string, args []string, stderr io.Writer) (app.Config, error) {
	cfg := app.Defaults()
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	accept := flags.String("accept", "", "`losses` to start with, separated by commas")
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	file := flags.String("config", "", "configuration `file` (YAML, TOML or JSON)")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	err := config.Load(&cfg, config.Options{File: *file, Environ: environ(*accept), IgnoredVariables: app.ProxyVariables()})
	return cfg, err
}

// environ is the environment, in which the flag accept stands for its variable.
func environ(accept string) []string {
	const variable = config.Prefix + "ACCEPT="
	if accept == "" {
		return os.Environ()
	}
	others := slices.DeleteFunc(os.Environ(), func(line string) bool { return strings.HasPrefix(line, variable) })
	return append(others, variable+accept)
}

func helpIsNoError(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}

// dataDir is where a service started from here keeps its data.
func dataDir() string {
	if dir := os.Getenv("CARTULARY_DATA_DIR"); dir != "" {
		return dir
	}
	return app.Defaults().DataDir
}

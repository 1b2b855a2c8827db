package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/release"
)

// settings holds the flags of commands that use the files of the service.
type settings struct{ file, accept string }

func (s *settings) define(c *cobra.Command) {
	c.Flags().StringVar(&s.file, "config", "", "configuration `FILE` (YAML, TOML or JSON)")
	c.Flags().StringVar(&s.accept, "accept", "", "`LOSSES` to start with, separated by commas")
	_ = c.MarkFlagFilename("config", "yaml", "yml", "toml", "json") // the flag is there
}

// load reads the configuration from file and environment.
func (s *settings) load() (app.Config, error) {
	cfg := app.Defaults()
	err := config.Load(&cfg, config.Options{File: s.file, Environ: environ(s.accept), IgnoredVariables: app.IgnoredVariables()})
	return cfg, err
}

// environ returns the environment, in which the flag accept replaces its variable.
func environ(accept string) []string {
	const variable = config.Prefix + "ACCEPT="
	if accept == "" {
		return os.Environ()
	}
	others := slices.DeleteFunc(os.Environ(), func(line string) bool { return strings.HasPrefix(line, variable) })
	return append(others, variable+accept)
}

func serve(ctx context.Context, in settings, stderr io.Writer) error {
	cfg, err := in.load()
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, cfg, release.Version(), logging.New(stderr, cfg.Log.Level, cfg.Log.Format))
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}

// verify verifies the data directory, or the named backup.
func verify(ctx context.Context, in settings, backup string, stdout, stderr io.Writer) error {
	cfg, err := in.load()
	if err != nil {
		return err
	}
	if backup != "" {
		return verifyBackup(ctx, backup, cfg, stdout, stderr)
	}
	return verifyDir(ctx, cfg, stdout, stderr)
}

// verifyDir writes to stdout the files read and each damage or difference, one line each, and then
// figures.
func verifyDir(ctx context.Context, cfg app.Config, stdout, stderr io.Writer) error {
	damage, err := app.Inspect(ctx, cfg)
	if err != nil {
		return err
	}
	for _, line := range slices.Concat(damage.Read, damage.Catalog, damage.Audit, damage.Tasks, damage.Records) {
		fmt.Fprintln(stdout, line)
	}
	switch {
	case len(damage.Catalog) > 0:
		return errors.New("files are damaged; restore the data folder from a backup, or take a copy of it before anything else")
	case len(damage.Audit) > 0:
		return errors.New("the audit log alone is damaged; the next start sets its file aside and begins a new one, unless that of a backup takes its place first")
	case len(damage.Tasks) > 0:
		return errors.New("the file of the tasks alone is damaged; the next start sets it aside and begins a new one, and tasks that had not ended are to be started again")
	case len(damage.Records) > 0:
		return errors.New("the file of the webhooks alone is damaged; the next start sets it aside and begins a new one, and webhooks are to be set up again")
	}
	report, err := app.Verify(ctx, cfg, logging.New(stderr, cfg.Log.Level, cfg.Log.Format))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, report.Text())
	if err == nil && !report.Equal() {
		err = errors.New("search index and graph differ from the store; start the service and run metadata-service ops restore-indices")
	}
	return err
}

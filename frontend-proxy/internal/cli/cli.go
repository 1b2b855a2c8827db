// Package cli is the command line of the proxy.
package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/command"
	"github.com/cartulary/cartulary/pkg/logging"
)

// New returns the root command.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:   "frontend-proxy",
		Short: "Serve the web pages and the public interfaces of the catalog",
		Long: `The public server of the catalog: it signs users in, serves the web pages, and forwards
all other requests to the metadata service. Without a command it serves until it is
interrupted. Settings are read from a file and from variables that start with CARTULARY_;
see deploy/config/frontend-proxy.yaml.`,
		Example: "  frontend-proxy --config /etc/cartulary/frontend-proxy.yaml\n  frontend-proxy health",
		Args:    command.NoArgs,
	}
	file := root.PersistentFlags().String("config", "", "read settings from this `FILE` (YAML, TOML or JSON)")
	_ = root.MarkPersistentFlagFilename("config", "yaml", "yml", "toml", "json")
	serve := func(c *cobra.Command, _ []string) error { return run(c.Context(), *file, c.ErrOrStderr()) }
	root.RunE = serve
	root.AddCommand(
		&cobra.Command{Use: "run", Short: "Serve until interrupted, as without a command", Args: command.NoArgs, RunE: serve,
			Example: "  frontend-proxy run --config frontend-proxy.yaml"},
		&cobra.Command{Use: "health", Short: "Exit with 0 when the running proxy is healthy, else 1", Args: command.NoArgs,
			Example: "  frontend-proxy health && echo it is well",
			RunE: func(c *cobra.Command, _ []string) error {
				cfg, err := app.Load(*file)
				if err != nil {
					return err
				}
				return app.Health(c.Context(), cfg.Listen)
			}},
	)
	return command.Prepare(root)
}

func run(ctx context.Context, file string, stderr io.Writer) error {
	cfg, err := app.Load(file)
	if err != nil {
		return err
	}
	proxy, err := app.Open(ctx, cfg, logging.New(stderr, cfg.Log.Level, cfg.Log.Format))
	// An interrupt while waiting for the secrets is not an error.
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return err
	}
	return proxy.Run(ctx)
}

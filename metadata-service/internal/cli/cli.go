// Package cli is the command line of the service: it defines the commands and their flags, and
// calls the packages that execute them.
package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/probe"
	"github.com/cartulary/cartulary/pkg/command"
)

// New returns the root command.
func New() *cobra.Command {
	var in settings
	root := &cobra.Command{
		Use:   "metadata-service",
		Short: "Keep a catalog of metadata",
		Long: `The metadata service stores a metadata catalog. Without a command it serves until it is
interrupted. Settings are read from a file and from variables that start with CARTULARY_;
see deploy/config/metadata-service.yaml.`,
		Example: `  metadata-service --config /etc/cartulary/metadata-service.yaml
  CARTULARY_LISTEN=127.0.0.1:8080 CARTULARY_DATA_DIR=data metadata-service`,
		Args: command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), in, c.ErrOrStderr()) },
	}
	in.define(root)
	root.AddCommand(accessCommand(), auditCommand(), backupCommand(), exportCommand(), healthCommand(), importCommand(), mcpCommand(), opsCommand(), restoreCommand(), testsCommand(), tokenCommand(), verifyCommand())
	return command.Prepare(root)
}

func healthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "health [ADDRESS]", Short: "Exit with 0 when a running service is ready, else 1",
		Long:    "Check whether the service at ADDRESS (host:port), by default $CARTULARY_LISTEN, is ready.",
		Example: "  metadata-service health\n  metadata-service health 127.0.0.1:8080",
		Args:    command.AtMost(1),
		RunE:    func(c *cobra.Command, args []string) error { return probe.Run(c.Context(), args) },
	}
}

func verifyCommand() *cobra.Command {
	var in settings
	var backup string
	c := &cobra.Command{
		Use: "verify", Short: "Look for damage in the files of a stopped service, and compare search index and graph with the store",
		Example: "  CARTULARY_DATA_DIR=data metadata-service verify\n  metadata-service verify --backup /backups/catalog.tar.zst",
		Args:    command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return verify(c.Context(), in, backup, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	in.define(c)
	c.Flags().StringVar(&backup, "backup", "", "verify this backup `FILE`, or - for the standard input, in place of the data directory")
	return c
}

// dataDir returns the data directory of a service that is started in the same environment.
func dataDir() string {
	if dir := os.Getenv("CARTULARY_DATA_DIR"); dir != "" {
		return dir
	}
	return app.Defaults().DataDir
}

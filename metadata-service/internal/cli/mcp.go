package cli

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/mcp/bridge"
	"github.com/cartulary/cartulary/pkg/command"
	"github.com/cartulary/cartulary/pkg/release"
)

// Variables that users of DataHub clients have usually set already.
const (
	addressVariable = "DATAHUB_GMS_URL"
	tokenVariable   = "DATAHUB_GMS_TOKEN"
)

func mcpCommand() *cobra.Command {
	var address string
	c := &cobra.Command{
		Use: "mcp", Short: "Serve the tools of a running catalog to a program over standard input and output",
		Long: `Serve the tools of a running catalog to a program that speaks the Model Context Protocol
over standard input and output, such as a coding assistant on this machine. Programs that
speak it over HTTP need no command: the tools are at /mcp of the service and of the proxy.

The access token is read from $` + tokenVariable + `; the tools have its privileges.`,
		Example: "  " + tokenVariable + "=... metadata-service mcp --address https://catalog.example.com",
		Args:    command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return bridge.Run(c.Context(), bridge.Config{Address: address, Token: os.Getenv(tokenVariable), Version: release.Version()})
		},
	}
	c.Flags().StringVar(&address, "address", cmp.Or(os.Getenv(addressVariable), "http://localhost:8080"), "`URL` of the service or of the proxy before it")
	return c
}

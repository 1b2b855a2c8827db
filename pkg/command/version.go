package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/cartulary/cartulary/pkg/release"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print release and commit", Args: NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), c.Root().Name(), release.Stamp())
			return err
		},
	}
}

// manualCommand is for package builders. SOURCE_DATE_EPOCH is the date on the pages, so that their
// content is reproducible.
func manualCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages to a folder", Hidden: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return Wrong(c, "man needs one folder")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := c.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Cartulary " + release.Version(), Manual: "Cartulary"}
			return doc.GenManTree(root, header, args[0])
		},
	}
}

// Command metadata-service keeps a catalog of metadata and answers for it over
// HTTP.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cartulary/cartulary/metadata-service/internal/cli"
	"github.com/cartulary/cartulary/pkg/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Run(ctx, cli.New(), os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

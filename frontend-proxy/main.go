// Command frontend-proxy is the public entry point of the catalog: it signs users in, serves the
// web pages, and forwards all other requests to the metadata service.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cartulary/cartulary/frontend-proxy/internal/cli"
	"github.com/cartulary/cartulary/pkg/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Run(ctx, cli.New(), os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

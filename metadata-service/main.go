// Command metadata-service runs a metadata catalog and serves its APIs over HTTP.
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

// Command frontend-proxy is the front door of the catalog: it signs people in,
// serves the web pages, and hands everything else to the metadata service.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/logging"
)

const usage = `usage: frontend-proxy [--config FILE] [command]

commands:
  run      serve until interrupted (default)
  health   exit with 0 when the running proxy is healthy, else 1
  version  print the version

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	file := flag.String("config", "", "read settings from this `FILE` (YAML, TOML or JSON)")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	// An interrupt while it waits for its secrets is an ordinary end.
	if err := command(ctx, flag.Args(), *file); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "frontend-proxy:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, file string) error {
	name := "run"
	if len(args) > 0 {
		name = args[0]
	}
	if len(args) > 1 {
		return fmt.Errorf("unexpected argument %q", args[1])
	}
	if name == "version" {
		fmt.Println(app.Version())
		return nil
	}
	cfg, err := app.Load(file)
	if err != nil {
		return err
	}
	switch name {
	case "run":
		proxy, err := app.Open(ctx, cfg, logging.New(os.Stderr, cfg.Log.Level, cfg.Log.Format))
		if err != nil {
			return err
		}
		return proxy.Run(ctx)
	case "health":
		return app.Health(ctx, cfg.Listen)
	}
	return fmt.Errorf("unknown command %q; see --help", name)
}

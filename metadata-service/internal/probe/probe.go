// Package probe asks a running service whether it is ready, for health checks of
// containers that hold nothing but the binary.
package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

const patience = 3 * time.Second

// listenVariable is where the service reads its address from.
const listenVariable = "CARTULARY_LISTEN"

const defaultAddress = "127.0.0.1:8080"

// Run is the sub-command `health`: the first argument, the configured address or
// the default one is asked. The error says what is wrong.
func Run(ctx context.Context, args []string) error {
	address := os.Getenv(listenVariable)
	if len(args) > 0 {
		address = args[0]
	}
	if address == "" {
		address = defaultAddress
	}
	return Ready(ctx, address)
}

// Ready asks the service at host:port for its health.
func Ready(ctx context.Context, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q is not host:port: %w", address, err)
	}
	// An address that means every interface is reached on the loopback one.
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/health", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: status %d", response.StatusCode)
	}
	return nil
}

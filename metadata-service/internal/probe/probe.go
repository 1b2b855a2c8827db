// Package probe queries the readiness of a running service, for health checks of containers that
// contain only the binary.
package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

const timeout = 3 * time.Second

// listenVariable is the variable from which the service reads its address.
const listenVariable = "CARTULARY_LISTEN"

const defaultAddress = "127.0.0.1:8080"

// Run implements the sub-command `health`. It checks the address of the first argument, or the
// configured address, or the default one. The error describes the problem.
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

// Ready returns nil if the service at host:port reports that it is healthy.
func Ready(ctx context.Context, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q is not host:port: %w", address, err)
	}
	// An unspecified address means all interfaces; use the loopback one.
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
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

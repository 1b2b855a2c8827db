package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

const healthTimeout = 5 * time.Second

// Health checks the health of the proxy that listens on an address of this machine. Images without
// a shell use it as their health check.
func Health(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("listen address %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+healthPath, nil)
	if err != nil {
		return fmt.Errorf("listen address %q: %w", listen, err)
	}
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not healthy: %s", res.Status)
	}
	return nil
}

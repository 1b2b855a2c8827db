package httpserver

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/forwarded"
)

// ClientAddress finds the address of a client, for echo.Echo.IPExtractor: without a
// port or a zone, and IPv4 in its own form, so that a client has one spelling. It
// believes X-Forwarded-For only from the given networks, such as 10.0.0.0/8, and
// then from the last entry on to the first one that is not of these networks. Where
// an entry in between is no address, the address of the connection holds.
func ClientAddress(networks []string) (echo.IPExtractor, error) {
	known := make(proxies, len(networks))
	for i, text := range networks {
		prefix, err := parseNetwork(text)
		if err != nil {
			return nil, err
		}
		known[i] = prefix
	}
	return known.client, nil
}

// parseNetwork reads a network. One of IPv4 in IPv6 form is that of IPv4.
func parseNetwork(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if err == nil && prefix.Addr().Is4In6() {
		prefix, err = prefix.Addr().Unmap().Prefix(prefix.Bits() - 96)
	}
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not a network such as 10.0.0.0/8: %w", text, err)
	}
	return prefix.Masked(), nil
}

// proxies are networks whose word is believed. Nothing is that is not named, not even
// what is close by.
type proxies []netip.Prefix

func (known proxies) include(addr netip.Addr) bool {
	return slices.ContainsFunc(known, func(network netip.Prefix) bool { return network.Contains(addr) })
}

func (known proxies) client(r *http.Request) string {
	peer, ok := forwarded.ParseAddress(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr // of a test, or of a socket without addresses
	}
	client, lines := peer, r.Header[forwarded.AddressHeader]
	for _, line := range slices.Backward(lines) {
		for more := true; more; {
			if !known.include(client) {
				return client.String()
			}
			entry := line
			if at := strings.LastIndexByte(line, ','); at >= 0 {
				line, entry = line[:at], line[at+1:]
			} else {
				more = false
			}
			if client, ok = forwarded.ParseAddress(entry); !ok {
				return peer.String()
			}
		}
	}
	return client.String()
}

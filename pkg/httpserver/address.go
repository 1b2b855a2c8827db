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

// ClientAddress returns a function that determines the address of a client, for
// echo.Echo.IPExtractor. The address has no port and no zone, and IPv4 has its own form, so a
// client has one spelling. X-Forwarded-For is trusted only from the given networks, such as
// 10.0.0.0/8: its entries are read from the last one to the first that is not in these networks. If
// an entry in between is not an address, the result is the address of the connection.
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

// parseNetwork parses a network. An IPv4 network in IPv6 form becomes IPv4.
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

// proxies are trusted networks. Only the listed networks are trusted; local addresses are not
// trusted by default.
type proxies []netip.Prefix

func (known proxies) include(addr netip.Addr) bool {
	return slices.ContainsFunc(known, func(network netip.Prefix) bool { return network.Contains(addr) })
}

func (known proxies) client(r *http.Request) string {
	peer, ok := forwarded.ParseAddress(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr // in a test, or from a socket without addresses
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

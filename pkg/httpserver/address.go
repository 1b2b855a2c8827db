package httpserver

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// ClientAddress finds the address of a client, for echo.Echo.IPExtractor. It
// believes X-Forwarded-For only from the given networks, such as 10.0.0.0/8.
func ClientAddress(networks []string) (echo.IPExtractor, error) {
	if len(networks) == 0 {
		return echo.ExtractIPDirect(), nil
	}
	// Nothing is trusted that is not named, not even what is close by.
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, text := range networks {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8: %w", text, err)
		}
		prefix = prefix.Masked()
		trust = append(trust, echo.TrustIPRange(&net.IPNet{
			IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(trust...), nil
}

package forwarded

import (
	"net/netip"
	"strconv"
	"strings"
)

// ParseAddress parses an IP address in the forms that proxies write into X-Forwarded-For: with or
// without a port, brackets and a zone, as in "192.0.2.7:4711" and "[2001:db8::5]:443". The result
// has no zone, and an IPv4 address in IPv6 form becomes IPv4, so an address has one spelling. ok is
// false for other texts.
func ParseAddress(text string) (addr netip.Addr, ok bool) {
	text = strings.TrimSpace(text)
	if inner, bracketed := strings.CutPrefix(text, "["); bracketed {
		host, rest, closed := strings.Cut(inner, "]")
		if !closed || rest != "" && !isPort(rest) {
			return netip.Addr{}, false
		}
		text = host
	} else if at := strings.IndexByte(text, ':'); at >= 0 && isPort(text[at:]) && strings.IndexByte(text[:at], '.') >= 0 {
		text = text[:at]
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}, false
	}
	return addr.WithZone("").Unmap(), true
}

// isPort reports whether text is a colon followed by a port number.
func isPort(text string) bool {
	digits, ok := strings.CutPrefix(text, ":")
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	_, err := strconv.ParseUint(digits, 10, 16)
	return err == nil
}

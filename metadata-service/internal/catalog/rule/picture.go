package rule

import (
	"context"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// localNames never denote a public host, regardless of the answer of a resolver.
var localNames = []string{"localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "invalid", "test", "onion"}

// checkPicture refuses picture links that would make viewers, or a service that fetches pictures,
// send a request to a host inside a private network. It permits blank values and relative links to
// pictures of this server or of the web client. It does not resolve names: a check must not cause
// traffic, and later requests could get another answer.
func checkPicture(_ context.Context, p Proposed) error {
	aspect := p.Aspect.Name
	link := strings.TrimSpace(jsontree.Text(p.Value, "pictureLink"))
	if link == "" {
		return nil
	}
	u, err := url.Parse(link)
	if err == nil && isAsset(u) {
		return nil
	}
	if err != nil || u.Scheme != "https" {
		return violation(aspect, "/pictureLink", "must be an https link, or a relative one below assets/, found %q", link)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "" {
		return violation(aspect, "/pictureLink", "must name a host, found %q", link)
	}
	if isLocal(host) {
		return violation(aspect, "/pictureLink", "must not point into a private network, found %q", link)
	}
	return nil
}

// isAsset reports whether a link is relative and leads into the folder of the servers' own
// pictures. Browsers treat a backslash as a slash.
func isAsset(u *url.URL) bool {
	if u.Scheme != "" || u.Host != "" || u.User != nil || strings.ContainsAny(u.Path, "\\") {
		return false
	}
	under, ok := strings.CutPrefix(strings.TrimPrefix(u.Path, "/"), "assets/")
	return ok && path.Clean("/"+under) == "/"+under
}

func isLocal(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return !isPublic(addr)
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	// Browsers read 2130706433, 0x7f.1 and 127.1 as addresses: no public name ends in a number.
	if len(labels) == 1 || slices.Contains(labels, "") || last[0] >= '0' && last[0] <= '9' {
		return true
	}
	for _, name := range localNames {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap()
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.Zone() != "" {
		return false
	}
	for _, block := range []string{
		"100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"64:ff9b::/96", "2001:db8::/32", "2002::/16",
	} {
		if netip.MustParsePrefix(block).Contains(addr) {
			return false
		}
	}
	return true
}

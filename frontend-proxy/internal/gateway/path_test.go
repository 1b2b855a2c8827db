package gateway_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/gateway"
	"github.com/cartulary/cartulary/pkg/fault"
)

// readings returns the interpretations of a path by servers of different strictness: unchanged,
// decoded, and both with double slashes and dot segments resolved.
func readings(escaped string) []string {
	decoded, err := url.PathUnescape(escaped)
	if err != nil {
		return nil
	}
	return []string{escaped, decoded, resolve(escaped), resolve(decoded)}
}

func resolve(p string) string {
	var stack []string
	for part := range strings.SplitSeq(strings.ReplaceAll(p, `\`, "/"), "/") {
		switch part {
		case "", ".":
		case "..":
			stack = stack[:max(len(stack)-1, 0)]
		default:
			stack = append(stack, part)
		}
	}
	return "/" + strings.Join(stack, "/")
}

func FuzzPathsNeverLeadToPrivateOnes(f *testing.F) {
	for _, seed := range []string{
		"/entities/" + urnEncoded, "/auth/x", "/%61uth/x", "/x/..%2fauth", "//auth", "/urn:li:tag:a/../auth/x", "/gms/api/gms/metrics", `/a%5c..%5cactuator`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		// The server rejects texts that are not paths before the gateway.
		u, err := url.ParseRequestURI("/api/gms/" + rest)
		if err != nil {
			return
		}
		escaped := u.EscapedPath()
		forwarded, err := gateway.Forwarded(escaped)
		if err != nil {
			if kind := fault.KindOf(err); kind != fault.NotFound && kind != fault.Malformed {
				t.Errorf("%q: %v", escaped, err)
			}
			return
		}
		if "/api/gms"+forwarded != escaped {
			t.Errorf("%q was changed to %q", escaped, forwarded)
		}
		for _, reading := range readings(forwarded) {
			for _, prefix := range []string{"", "/gms", "/api/gms", "/gms/gms"} {
				for _, private := range []string{"/auth", "/actuator", "/metrics"} {
					if tail, ok := strings.CutPrefix(strings.ToLower(reading), prefix+private); ok && (tail == "" || tail[0] == '/') {
						t.Errorf("%q may be read as %q", escaped, reading)
					}
				}
			}
		}
	})
}

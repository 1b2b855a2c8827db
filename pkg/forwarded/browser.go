package forwarded

import (
	"context"
	"net/http"
)

// knownBrowserHeader is set if the user has signed in before with the same browser. The service
// reads it only in calls of the proxy, which carry the secret of the system actor.
const knownBrowserHeader = "X-Cartulary-Known-Browser"

type knownBrowserKey struct{}

// WithKnownBrowser records in the context of a sign-in that the user has signed in before with the
// same browser.
func WithKnownBrowser(ctx context.Context) context.Context {
	return context.WithValue(ctx, knownBrowserKey{}, true)
}

// TellBrowser sets the header for the value of WithKnownBrowser in a call of the service.
func TellBrowser(ctx context.Context, h http.Header) {
	if known, _ := ctx.Value(knownBrowserKey{}).(bool); known {
		h.Set(knownBrowserHeader, "true")
	}
}

// IsKnownBrowser reports whether a call of the proxy is for a user who has signed in before with
// the same browser.
func IsKnownBrowser(h http.Header) bool { return h.Get(knownBrowserHeader) == "true" }

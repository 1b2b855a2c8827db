package forwarded

import (
	"context"
	"net/http"
)

// knownBrowserHeader is set for a user who has signed in at the browser before. The service reads it
// in the proxy's own calls alone, which carry the secret of the system actor.
const knownBrowserHeader = "X-Cartulary-Known-Browser"

type knownBrowserKey struct{}

// WithKnownBrowser notes in the context of a sign-in that the user has signed in at the browser before.
func WithKnownBrowser(ctx context.Context) context.Context {
	return context.WithValue(ctx, knownBrowserKey{}, true)
}

// TellBrowser puts what WithKnownBrowser has noted into the headers of a call of the service.
func TellBrowser(ctx context.Context, h http.Header) {
	if known, _ := ctx.Value(knownBrowserKey{}).(bool); known {
		h.Set(knownBrowserHeader, "true")
	}
}

// IsKnownBrowser reports whether a call of the proxy is for a user at a browser where the user has signed in before.
func IsKnownBrowser(h http.Header) bool { return h.Get(knownBrowserHeader) == "true" }

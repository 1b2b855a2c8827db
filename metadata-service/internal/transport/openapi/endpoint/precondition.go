package endpoint

import (
	"net/http"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Preconditions as HTTP headers. HTTP clients expect that a write depends on them; DataHub
// clients state them for each aspect, in the member headers of its wrapper. A header has the same
// meaning for a request that writes a single aspect. It does not state the aspect when there are
// several, and ignoring it would overwrite protected values, so all other requests that change
// something refuse it.
const (
	IfVersionMatch    = "If-Version-Match"
	IfMatch           = "If-Match"
	IfModifiedSince   = "If-Modified-Since"
	IfUnmodifiedSince = "If-Unmodified-Since"
)

// Preconditions lists the headers with preconditions.
func Preconditions() []string {
	return []string{IfVersionMatch, IfMatch, IfModifiedSince, IfUnmodifiedSince}
}

// refusePreconditions refuses a request with a precondition that the endpoint does not support.
func (c *Call) refusePreconditions() error {
	switch c.Endpoint.Method {
	case http.MethodGet, http.MethodHead:
		return nil
	}
	for _, name := range Preconditions() {
		if len(c.Request().Header.Values(name)) > 0 && !c.Endpoint.Conditional {
			return fault.New(fault.Malformed, "header %s: this operation cannot keep it; write a single aspect, or state it in the member headers of each aspect", name)
		}
	}
	return nil
}

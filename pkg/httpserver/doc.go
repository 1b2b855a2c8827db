// Package httpserver is the frame around every HTTP handler of both binaries:
// an echo router that starts, reports its address and drains, and around each
// request a request id, recovery from panics, one access line, and one place
// that turns errors into answers.
//
// Paths. Clients put URNs into paths, encoded (%3A, %2F) and raw (with commas,
// parentheses and double slashes), so a path is never cleaned and never
// redirected. Routing looks at the escaped path: echo would do so only when Go
// kept a raw form, and match the decoded path otherwise, which would make a
// handler decode twice. The frame therefore always sets URL.RawPath. Inside a
// handler c.Param returns escaped text; PathParam and EscapedRest say what they
// return. In echo a parameter at the end of a route takes all that follows,
// slashes included; a route that ends in /* does not match the path without
// that slash.
//
// Errors. Handlers return errors with a fault.Kind. The frame logs defects once
// and calls the ErrorRenderer of the innermost group that chose one with
// RenderWith, or RenderJSON. Errors that waiting cures (fault.RetryAfter) carry
// the header Retry-After, whatever the form of the answer.
//
// Limits. A header must come within Timeouts.Header and 32 KiB. Each request body
// has two deadlines from the end of its header on, whether a handler reads it or
// not: one for silence and one for the whole. Besides, it must come at the rate of
// Timeouts.BodyRate while it is awaited. A body that does not come in time is
// answered with 408, in place of whatever the handler answers, and its connection
// is closed. How large a body may be is decided where it is read, by BodyLimit or
// ReadBody.
//
// Connections. Timeouts.Connections bounds how many are open. A new one takes the
// place of the one that is idle longest, or is refused with 503. The requests of a
// client address that are under way have a quarter of that; one more takes the place
// of the oldest that waits for its client, whose connection is closed, or gets 503.
// A connection that sends more than 16 requests in a row without awaiting an answer is
// closed after the next answer.
//
// Ambiguity. After a request with both Content-Length and Transfer-Encoding the
// connection is closed, and one with two Authorization headers is refused.
package httpserver

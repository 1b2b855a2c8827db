// Package httpserver is the frame around every HTTP handler of both programs. It contains an echo
// router that can start, report its address and drain. Around each request it adds a request id,
// recovery from panics, an access log line, and the conversion of errors to responses.
//
// Paths. Clients put URNs into paths, encoded (%3A, %2F) and raw (with commas, parentheses and
// double slashes), so a path is never cleaned and never redirected. Routing uses the escaped path.
// By itself echo uses it only if Go has kept a raw form, and the decoded path otherwise, so
// handlers would decode twice. The frame therefore always sets URL.RawPath. Inside a handler
// c.Param returns escaped text; PathParam and EscapedRest document their results. In echo a
// parameter at the end of a route matches the whole rest, including slashes; a route that ends in
// /* does not match the path without that slash.
//
// Errors. Handlers return errors with a fault.Kind. The frame logs defects once and calls the
// ErrorRenderer of the innermost group that set one with RenderWith, otherwise RenderJSON. For
// errors that a retry may resolve (fault.RetryAfter) it sets the header Retry-After, in all
// response formats.
//
// Limits. A header must arrive within Timeouts.Header and be at most 32 KiB. Each request body has
// two deadlines from the end of its header on, whether or not a handler reads it: one for pauses
// and one for the whole body. While a handler waits for the body, the body must also arrive at the
// rate Timeouts.BodyRate. For a body that does not arrive in time the response is 408, instead of
// the handler's response, and the connection is closed. BodyLimit or ReadBody limit the size of a
// body when it is read.
//
// Connections. Timeouts.Connections limits the open connections. A new connection beyond the limit
// replaces the one that has been idle longest, or is refused with 503. The requests in progress of
// one client address may use a quarter of the connections. A further request replaces the oldest
// one that waits for its client, whose connection is closed, or gets 503. The server closes a
// connection that pipelines more than 16 requests.
//
// Ambiguity. After a request with both Content-Length and Transfer-Encoding the connection is
// closed. A request with two Authorization headers is rejected.
package httpserver

// Package tracing records what a request does as OpenTelemetry spans and exports
// them over OTLP/HTTP. It is off unless a Config names a collector: then New gives
// no Tracer, nothing is sent, and Start costs a look into the context.
//
// A trace has roots in this process, requests (Middleware) and work of its own
// (Tracer.Root), and spans below them:
//
//	ctx, span := tracing.Start(ctx, "catalog write")
//	defer func() { span.End(err) }()
//
// Start needs no Tracer, as the context of a sampled root carries one. So packages
// that record spans are given nothing, and a request that is not sampled costs them
// what it costs when tracing is off.
//
// Attributes are numbers and words of the program. What comes from outside or names
// something of the catalog (URNs, names of operations, texts of errors) is added by
// Span.Name alone, which Config.Names turns on.
//
// Trace ids begin with the time in microseconds, as clients of the catalog expect of
// the ids that answers carry; their other half is random, and sampling looks at that.
//
// The SDK, the batching and the conversion are those of OpenTelemetry. The way over
// HTTP is our own, as that of the library brings gRPC: 5 MB of each binary, and as
// much resident memory of an idle process.
package tracing

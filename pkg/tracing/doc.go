// Package tracing records requests and tasks as OpenTelemetry spans and exports them over
// OTLP/HTTP. It is off unless a Config names a collector: otherwise New returns no Tracer, nothing
// is sent, and Start costs one lookup in the context.
//
// The roots of traces in this process are requests (Middleware) and independent work (Tracer.Root).
// Other spans are below them:
//
//	ctx, span := tracing.Start(ctx, "catalog write")
//	defer func() { span.End(err) }()
//
// Start needs no Tracer, because the context of a sampled root carries one. Packages that record
// spans therefore have no dependency to configure, and a request that is not sampled costs the same
// as with tracing off.
//
// Attributes are numbers and constant words of the program. External texts and names from the
// catalog (URNs, names of operations, texts of errors) are only added by Span.Name, if Config.Names
// is set.
//
// Trace ids begin with the time in microseconds, as clients of the catalog expect from the ids in
// responses. Their other half is random, and sampling uses that half.
//
// The SDK, the batching and the conversion are those of OpenTelemetry. The HTTP export is
// implemented here, because that of the library depends on gRPC: 5 MB of each binary, and the same
// amount of resident memory in an idle process.
package tracing

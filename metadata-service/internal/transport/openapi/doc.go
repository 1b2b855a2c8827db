// Package openapi serves everything under /openapi: entities in three
// generations of the interface, the registry, write traces, queue figures, the
// small operations, and the description of all of it as OpenAPI documents.
//
// One table, API.operations, lists every endpoint with its handler and its
// description. Routing and documents are both made from it, so nothing can be
// served without being described. Handlers hold no rules: they decode, call the
// catalog, encode.
//
// Paths carry URNs with slashes, commas and parentheses, so this package
// matches the escaped path itself (see template) instead of leaving that to
// echo, which sees two routes only: the root and all below it.
//
// Every answer has a traceparent header whose trace id starts with the time of
// the request; the id is kept with the rows a request writes, which is what
// POST /openapi/v1/trace/write/{traceId} later asks about.
//
// This build lists entities from the store, in URN order. What needs a search
// index (texts, filters on fields, other orders) is refused with a message.
package openapi

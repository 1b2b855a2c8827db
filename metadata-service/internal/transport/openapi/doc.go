// Package openapi serves all endpoints under /openapi: entities in three generations of the API,
// with their relationships and versions, and the endpoints of package system.
//
// One table, API.endpoints, lists every endpoint with its handler and its description. Routes and
// documents are both derived from it, so every endpoint is documented. Package endpoint finds the
// endpoint of a request and decodes what all of them share; package spec generates the documents.
// Handlers contain no rules: they decode, call the catalog and encode.
//
// Every response has a traceparent header; its trace id begins with the time of the request. The
// trace id is stored with the rows that a request writes, and POST
// /openapi/v1/trace/write/{traceId} finds them by it.
//
// Lists without conditions read entities from the store, in URN order. Lists with a query text,
// filters, another order, slices or facets use the search index.
package openapi

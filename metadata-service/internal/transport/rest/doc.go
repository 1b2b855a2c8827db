// Package rest serves the older, resource-and-action style HTTP interface of
// the catalog: the one ingestion, the command line and the Python client speak.
//
// A resource is one path root: /aspects, /entities, /entitiesV2,
// /entitiesVersionedV2, /runs. GET reads it by key or by ?ids=List(..); POST with
// ?action=name runs an action, whose parameters are the members of one JSON
// object in the body. Beside them stand /config and the health paths.
//
// Handlers hold no rules: they decode, call the catalog, and encode. How things
// look on the wire lives in small files of its own: lists and keys in addresses
// (list.go, key.go), parameters of actions (action.go, param.go, bounded.go),
// proposals (proposal.go, batch.go), answers (answer.go), errors (failure.go).
// routes.go names every path; each resource has its table of actions beside its
// handlers. The examples in docs/api/rest.md are run by docs_test.go.
//
// The convention behind it is Rest.li, protocol 2.0.0. The version header is
// ignored on requests and set on answers.
package rest

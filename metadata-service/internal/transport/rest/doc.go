// Package rest serves the older HTTP API of the catalog, which consists of resources and actions.
// Ingestion, the command line and the Python client use it.
//
// A resource is one path root, such as /aspects, /entities, /entitiesV2, /entitiesVersionedV2 and
// /runs. GET reads it by key or by ?ids=List(..); POST with ?action=name runs an action, with its
// parameters as the members of one JSON object in the body. In addition there are /config and the
// health paths.
//
// Handlers contain no rules: they decode, call the catalog, and encode. Small files hold the
// encodings: lists and keys in addresses (list.go, key.go), parameters of actions (action.go,
// param.go, boundedlist.go), proposals (proposal.go, batch.go), responses (response.go), errors
// (failure.go). routes.go lists every path; each resource has its table of actions beside its
// handlers. docs_test.go runs the examples in docs/api/rest.md.
//
// The API follows the convention of Rest.li, protocol 2.0.0. The version header is ignored on
// requests and set on responses.
package rest

// Package lineage walks along the relationships by which data flows.
//
// A relationship does not say by itself which of its ends is upstream: a job
// Produces a dataset that is downstream of it, a chart Consumes one that is
// upstream. Map reads that from the registry, keyed by the types of both ends
// and the name, since one name can mean different things between different
// types.
//
// Walk goes breadth first from some roots, one question to the graph a hop.
// What the actor must not see is neither listed nor walked through; what is
// deleted, or was never written, is walked through and not listed. Every walk
// is bounded, and says when and why it stopped before its end.
package lineage

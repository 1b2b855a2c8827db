// Package lineage walks along the relationships that describe the flow of data.
//
// A relationship does not state by itself which of its ends is upstream: a job Produces a dataset
// that is downstream of it, a chart Consumes one that is upstream. Map takes this from the
// registry, by the types of both ends and the name, since one name can mean different things
// between different types.
//
// Walk searches breadth first from the roots, with one graph query per hop. Entities that the actor
// must not see are neither listed nor walked through. Deleted or missing entities are walked
// through and not listed. Every walk is limited, and reports whether and why it is incomplete.
package lineage

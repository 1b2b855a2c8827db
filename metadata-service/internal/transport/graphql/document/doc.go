// Package document stands between the text of a GraphQL request and the library
// that executes it.
//
// The library executes well, but it refuses some valid documents, panics on
// others, and has no limits of the kind a public endpoint needs. So a Stage
// compiles each request text into a Document:
//
//  1. parse, with limits on bytes, tokens and nesting (parse.go);
//  2. refuse what would make validation itself expensive (fragments.go), then validate
//     by the specification and word errors as clients know them (validate.go,
//     overlap.go, wording.go);
//  3. specialise: write the operation again in the subset of GraphQL that the
//     library handles correctly (specialise.go, writer.go, print.go);
//  4. hold the text and its largest answer against the budgets (budget.go, cost.go);
//     what the library would make of it is measured when it is to execute it
//     (Document.Expansion, comparisons.go).
//
// In the specialised text a fragment has one variant for each static type it is
// spread at. Within a position of static type P there are only fields of P,
// conditions that name one object type, conditions on an interface that hold
// nothing but fields, and untyped groups that carry @include or @skip. Whatever
// else the source said is dropped when impossible, unwrapped when implied, and
// distributed to the object types otherwise.
//
// Arguments that are more than a plain literal become variables of their own,
// one for each distinct value and place. Document.Variables computes them from
// what the client sent, so literals, variables and defaults of the schema are
// coerced by the same lenient rules (coerce.go), and the library is only ever
// given complete values of exactly the declared type.
//
// Compiled documents and failures are kept in a cache bounded by bytes
// (cache.go). A Stage and its Documents are safe for concurrent use.
package document

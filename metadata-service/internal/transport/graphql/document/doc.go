// Package document compiles and checks the text of a GraphQL request before the GraphQL library
// executes it.
//
// The library executes well, but it refuses some valid documents, panics on others, and lacks the
// limits that a public endpoint needs. So a Stage compiles each request text into a Document:
//
//  1. parse, with limits on bytes, tokens and nesting (parse.go);
//  2. refuse documents whose validation would be expensive (fragments.go), then validate
//     by the specification and phrase errors as clients expect them (validate.go,
//     overlap.go, reword.go);
//  3. specialise: rewrite the operation in the subset of GraphQL that the library
//     handles correctly (specialise.go, writer.go, print.go);
//  4. check the text and its largest possible response against the budgets (budget.go,
//     cost.go). The expansion that the library performs is measured only when the library
//     is to execute the text (Document.Expansion, comparisons.go).
//
// The specialised text has one variant of a fragment for each static type it is spread at. A
// position of static type P contains only fields of P, conditions that name one object type,
// conditions on an interface that hold nothing but fields, and untyped groups that carry @include
// or @skip. All other selections of the source are dropped when impossible, unwrapped when
// implied, and distributed to the object types otherwise.
//
// Arguments other than plain literals become variables, one for each distinct value and place.
// Document.Variables computes them from the variables of the request. So the same lenient rules
// coerce literals, variables and defaults of the schema (coerce.go), and the library receives
// only complete values of exactly the declared type.
//
// The library parses, validates and expands the specialised text again on each execution, and
// compares type conditions in pairs. Package plan avoids this work for most documents, which the
// library then never receives.
//
// A cache bounded by bytes holds compiled documents and failures (cache.go). A Stage and its
// Documents are safe for concurrent use.
package document

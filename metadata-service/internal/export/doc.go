// Package export writes what a catalog holds as a metadata file: the JSON list of
// change proposals that `metadata-service import` reads, and the file source of
// DataHub's client.
//
// It reads a store and time series that nobody writes to meanwhile, so that the file
// is of one moment, and keeps a page of entities in memory at a time.
//
// # Order
//
// Rules of the catalog hold some writes to what is there already. The items stand in
// an order in which another catalog refuses none and ends with the same values:
//
//  1. definitions, such as structured properties and roles, before what uses them,
//     each entity with its key first, or, for a user, its sub-types;
//  2. all other entities;
//  3. the documents of the time series, the oldest first;
//  4. aspects that rules derive from the aspects of other entities, which replace what
//     the items before have derived;
//  5. what would have stood in the way before: the mark of definitions that are
//     soft-deleted, and which stages a lifecycle stage may follow.
//
// # What stays
//
// Secrets are in no file that this package writes, neither in clear nor encrypted, and
// nor is what belongs to one installation alone; see scope.go. A backup has all of it.
package export

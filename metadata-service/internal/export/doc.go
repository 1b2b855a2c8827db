// Package export writes the content of a catalog as a metadata file: the JSON list of change
// proposals that `metadata-service import` and the file source of DataHub's client read.
//
// It reads a store and time series without concurrent writers, so that the file has the state of
// one moment, and holds one page of entities in memory at a time.
//
// # Order
//
// Some rules of the catalog check writes against stored data. The items are in an order in which
// another catalog refuses none and ends with the same values:
//
//  1. definitions, such as structured properties and roles, before the entities that use them,
//     each entity with its key first, or, for a user, its sub-types;
//  2. all other entities;
//  3. time-series documents, the oldest first;
//  4. aspects that rules derive from the aspects of other entities, which replace the values
//     derived from the items before;
//  5. data that would have blocked earlier items: the soft-deletion mark of definitions, and the
//     stages that a lifecycle stage may follow.
//
// # Excluded data
//
// No file contains secrets, neither in clear nor encrypted, or data that belongs to one
// installation only; see scope.go. A backup contains all of it.
package export

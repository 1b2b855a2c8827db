// Package gqltype holds the Go form of the GraphQL schema and the projections of aspects to it.
//
// The files zz_*.go are generated from ../schema and ../mapping.tsv: a struct for each object
// type, a wrapper for each interface and union, structs for inputs and arguments, and a
// projection for each type that is read from aspects. A projection builds plain fields at once;
// the Loader reads the entities that fields refer to in rounds. Fields with arguments become
// functions, which the executor calls when it reaches them.
//
// All other fields are computed: the interface Computed has a method for each.
package gqltype

//go:generate go run ../gen

// Package gqltype holds the Go form of the GraphQL schema and the way from
// aspects to it.
//
// The files zz_*.go are generated from ../schema and ../mapping.tsv: a struct for
// each object type, a wrapper for each interface and union, structs for inputs
// and arguments, and for each type that is read from aspects a projection. A
// projection builds plain fields at once; entities that a field refers to are
// left to the Loader, which reads them in rounds. Fields with arguments become
// functions, which the executor calls when it comes to them.
//
// Fields that are no projection are computed: the interface Computed has a
// method for each.
package gqltype

//go:generate go run ../gen

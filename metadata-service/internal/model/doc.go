// Package model knows which facts belong to which entity and whether they are
// valid. Everything it knows is data in registry/: entity types with their key
// parts and aspects, aspects with what is searched, related and counted, and
// the types aspects are made of. Adding an aspect is adding rows there; no Go
// code names a particular aspect here.
//
// An aspect value travels in several JSON forms: as stored, with __type
// members (older HTTP interfaces), with the pegasus2avro name segment and
// wrapped optionals (snapshot files). Conform turns all of them into the one
// canonical form and says what is wrong with path, rule and value.
package model

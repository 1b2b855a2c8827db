// Package model defines entity types, their aspects, and the validity of aspect values. All
// definitions are data in registry/: entity types with their key parts and aspects; aspects with
// their search fields, relationships and statistics; and the types of aspects. A new aspect needs
// only new rows there: no Go code in this package names a particular aspect.
//
// An aspect value has several JSON forms: the stored form, the form with __type members (older HTTP
// interfaces), and the form with the pegasus2avro name segment and wrapped optionals (snapshot
// files). Conform converts all of them into the one canonical form, and reports problems with path,
// rule and value.
package model

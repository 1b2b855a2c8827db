// Package load sends metadata files to a catalog over its HTTP interface, the
// way `metadata-service import` does.
//
// A file is a JSON list. Each item is either a change proposal (entity, aspect,
// value) or a snapshot record, the older form that carries several aspects of
// one entity. Files are read as streams, twice: the first pass checks the shape
// of every item, counts them and finds the newest time, so that a broken file
// stops the load before anything is sent; the second pass sends.
//
// Order is kept where it matters. Files go one after the other. With one connection items
// go in the order of the file. With several,
// all items of one URN travel on one connection, in the order of the file, so
// a later write to an aspect wins and patches apply as written. Items that need
// another entity to exist belong in a later file than that entity.
//
// A dry run sends nothing to be written: it holds items to the model and compares them
// with what the catalog holds.
//
// Parts: source.go reads files, item.go turns an item into what the server
// takes, shift.go moves times, sender.go spreads items over connections and
// fills batches, client.go speaks HTTP and retries, dryrun.go compares,
// progress.go reports.
package load

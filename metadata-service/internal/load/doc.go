// Package load sends metadata files to a catalog over its HTTP API, for `metadata-service import`.
//
// A file is a JSON list. Each item is either a change proposal (entity, aspect, value) or a
// snapshot record, the older form with several aspects of one entity. Files are read as streams,
// twice. The first pass checks the shape of every item, counts the items and finds the newest time,
// so that a broken file stops the load before anything is sent. The second pass sends the items.
//
// Files are sent one after the other. With one connection, items are sent in the order of the file.
// With several, all items of one URN use the same connection, in the order of the file, so a later
// write to an aspect wins and patches apply as written. Items that require another entity to exist
// belong in a later file than that entity.
//
// A dry run writes nothing: it validates items against the model and compares them with the data in
// the catalog.
//
// Files of the package: source.go reads files, item.go converts an item to the form of the API,
// shift.go moves times, sender.go distributes items over connections and fills batches, client.go
// implements HTTP and retries, dryrun.go compares, progress.go reports.
package load

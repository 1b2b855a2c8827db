// Package backup keeps the data of a service in one file, and makes a data directory
// of it again.
//
// # The file
//
// A backup is a tar archive, compressed with zstd. Its first member is manifest.json,
// the record [Manifest]: version of this format, number of the last change, and name,
// size and SHA-256 of every member that follows, in their order. So whoever reads it
// knows what comes, and whether there is room for it, before anything is written. The
// members have the names that they have in a data directory:
//
//	data-format           which format the directory has
//	catalog.db            aspects, history, relationships, change log, revocations
//	timeseries/INDEX.db   the indices of the time series
//	audit.db, tasks.db    the audit log and the long tasks
//	secrets/NAME          keys and salt, unless they were left out
//
// With secrets/ the file is as secret as the directory is: whoever reads it can sign
// tokens and decrypt what is encrypted. The search index is not in it and is built
// anew from the catalog.
//
// # Taking one
//
// All files are taken as of one moment, see the callers of [Take]. They are copied
// beside the data first and only then compressed and handed on, so that a slow reader
// of the backup does not keep old pages of the files from being used again.
//
// # Restoring one
//
// A [Target] unpacks to a folder of its own within the directory, compares every
// checksum, and then puts what is there aside and the new in its place. A mark says
// that this has begun: a service does not start on such a directory, and the next
// restore finishes it.
package backup

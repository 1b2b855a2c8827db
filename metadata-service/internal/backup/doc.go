// Package backup writes the data of a service to one file, and restores a data directory from it.
//
// # The file
//
// A backup is a tar archive, compressed with zstd. Its first member is manifest.json, the record
// [Manifest]: the version of this format, the number of the last change, and the name, size and
// SHA-256 of every following member, in their order. A reader can therefore check the content, and
// whether there is space for it, before it writes anything. The members have the names of the files
// in a data directory:
//
//	data-format           format of the directory
//	catalog.db            aspects, history, relationships, change log, revocations
//	timeseries/INDEX.db   the time-series indices
//	audit.db, tasks.db    the audit log and the long tasks
//	records.db            further records, such as failed asynchronous writes
//	secrets/NAME          keys and salt, unless they were left out
//
// With secrets/ the file is as sensitive as the directory: a person who can read it can sign tokens
// and decrypt encrypted values. The search index is not included and is rebuilt from the catalog.
//
// # Taking a backup
//
// All files have the state of one moment, see the callers of [Take]. They are first copied next to
// the data, and only then compressed and sent, so that a slow client does not prevent the reuse of
// old pages of the files.
//
// # Restoring a backup
//
// A [Target] unpacks to a separate folder within the directory, compares every checksum, and then
// moves the present content aside and the new content into its place. A mark records that the move
// has begun: a service does not start on such a directory, and the next restore completes it.
package backup

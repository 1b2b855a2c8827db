// Package bolt is the embedded driver of the store and graph ports. It keeps both in one bbolt
// file. Package series is the driver of the time series.
//
// # The store's file
//
// URNs, aspect names and words that many rows share (actors, run ids) have permanent numbers; the
// keys of rows consist of numbers only. Counted or listed items have an index that each transaction
// updates: live entities by URN, entities by type, rows by run. Rows and log entries have a compact
// binary form (codec.go).
//
// A transaction writes edges together with the aspects that produce them. Each edge is stored under
// both of its ends, by number, so the edges of a node form one contiguous key range; a walk steps
// or seeks along it (edge_scan.go). A list per aspect of an entity holds the edges that the current
// value produced (edge_codec.go).
//
// # Writing
//
// One goroutine writes. It takes update functions from a queue and runs them one after the other in
// one bbolt transaction with one commit (group commit), so all waiting callers share one disk sync.
// bbolt has no savepoints. Each function therefore writes to its own overlay, which is applied to
// the transaction when the function returns nil and dropped when it fails. Numbers follow the same
// rule: a counter value passes from function to group, and from group to store, only on success.
// Names enter the cache only after the commit.
//
// The disk sync bounds the rate of durable commits. Callers that were answered together also return
// together, so a group of small updates waits for as many members as the previous group had, at
// most half the duration of a commit and 2 ms (pace.go).
//
// The duration of a commit grows with the bytes it writes. The queue therefore has two lanes, one
// for small updates and one for updates that announce more than 256 KiB (store.WithSize). The
// kernel announces the bytes of the values, and 32 bytes for each pair of columns in a lineage,
// because a short text can connect many columns. When both lanes have waiting requests, a group of
// small updates and a group with large updates alternate. A group with large updates takes as many
// of them as fit into 2 MiB, and all waiting small updates. So a small update waits for the commit
// in progress and for no further large one. A large update waits for one group of small updates per
// position in its lane.
//
// If a group that a large update opened took more than 250 ms while small updates waited, the next
// large update waits for the same time. A client that sends large updates without pause therefore
// leaves half of the time to other clients.
//
// # Reading
//
// A reader reuses a read transaction that an earlier reader left open, or begins one, and leaves it
// open for the next reader (views.go). The writer ends the idle read transactions before it begins,
// because they would prevent the reuse of pages and let the file grow.
//
// # Crash safety
//
// bbolt never overwrites a page that the last committed state uses. A commit writes the changed
// pages to free places, syncs, writes one of two meta pages (the one that the last commit did not
// write), and syncs again. A meta page carries a transaction number and a checksum. Opening the
// file selects the valid meta page with the higher number.
//
// Killing the process loses nothing that was written to the file. The file then holds the state
// before or after the commit in progress, depending on whether the meta page was written. A power
// cut may lose, reorder or tear all writes since the last completed sync. Let A be the file's image
// before a commit and B the image after it. The disk then holds
//
//   - until the first sync has completed: A, overwritten with any of B's data pages, whole or torn.
//     A's meta pages and data pages are unchanged, since B's pages were free in A. The file opens
//     as A.
//   - between the syncs: A with all of B's data pages, and B's meta page present (the file opens as
//     B), absent or torn (it opens as A: a torn meta page fails its checksum, and the other one was
//     not written).
//   - after the second sync: B.
//
// The writer answers a caller after the second sync, so acknowledged updates are durable. All rows,
// index entries and log entries of an Update are in one commit, so no update is stored in part. The
// tests build such images from recorded commits and open them, and kill a writing process at random
// moments.
//
// These guarantees require that NoSync stays off, that the file system keeps the order of
// fdatasync, and that each file has one writer, which a lock on the file ensures. A new file is
// prepared under another name, synced and renamed; then its folder is synced.
package bolt

// Package bolt is the embedded driver of the store and the graph, which it keeps
// in one bbolt file. The time series have a driver of their own in package series.
//
// # The store's file
//
// URNs, aspect names and the words that many rows share (actors, run ids) have
// numbers, given once and for good; the keys of rows are numbers only. What is
// counted or listed has an index of its own that is kept in the same
// transaction: live entities by URN, entities by type, rows by run. Rows and
// log entries have a compact binary form (codec.go).
//
// Edges are written with the aspects that make them. Each lies under both of its
// ends, by number, so that a node's edges are one stretch of keys; a walk steps
// or seeks along it (edge_scan.go). A list per aspect of an entity says what it
// made last (edge_codec.go).
//
// # Writing
//
// One goroutine writes. It takes the functions of callers from a queue and runs
// them one after the other in one bbolt transaction with one commit, so that a
// disk sync is shared by everybody who waits. bbolt has no savepoints; each
// function therefore writes to an overlay of its own, which is laid into the
// transaction when it returns nil and dropped when it fails. Numbers follow the
// same way: a counter moves up from function to group, and from group to store,
// only on success, and names are cached only once they are committed.
//
// A commit takes the longer the more it writes. The queue therefore has two lanes, for
// small updates and for those that announce more than 256 KiB (store.WithSize). When both
// have somebody waiting, a group of small updates and a group with large ones take turns;
// the latter takes up what fits into 2 MiB, and all small updates that wait. So a small update waits for
// the commit at hand and no further large one, and a large one for one group of small updates
// at each place of its lane.
//
// # Reading
//
// A reader takes a read transaction that the one before it has left open, or begins
// one, and leaves it to the next (views.go). The writer ends the idle ones before it
// begins: they would keep pages from being used again, and the file from growing.
//
// # Why a crash does no harm
//
// bbolt never overwrites a page that the last committed state uses. A commit
// writes the changed pages to free places, syncs, writes one of two meta pages
// (the one that the last commit did not write), and syncs again. A meta page
// carries a transaction number and a checksum; opening takes the valid one with
// the higher number.
//
// Killing the process loses nothing that was written to the file, so the file
// holds the state before or after the commit in progress, depending on whether
// the meta page was written. A power cut may lose, reorder or tear all writes
// since the last completed sync. Call the file's image before a commit A and
// after it B; then the disk holds
//
//   - until the first sync has completed: A with any of B's data pages, whole or
//     torn, laid over it. A's meta pages are untouched and A's pages too, since
//     B's pages were free in A. It opens as A.
//   - between the syncs: A with all of B's data pages, and B's meta page either
//     there (it opens as B), absent or torn (it opens as A: a torn one fails its
//     checksum, and the other was not written).
//   - after the second sync: B.
//
// A caller is answered after the second sync; therefore what was acknowledged
// is stored. All rows, index entries and log entries of an Update are in one
// commit; therefore nothing is half there. The tests build such images from
// recorded commits and open them, and kill a writing process at random moments.
//
// This rests on NoSync staying off, on a file system that keeps the order of
// fdatasync, and on one writer per file, which a lock on the file ensures. A new
// file is prepared under another name, synced, renamed, and its folder synced.
package bolt

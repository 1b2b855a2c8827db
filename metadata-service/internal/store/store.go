// Package store is the port to the versioned aspects and their change log, from which everything
// else in the catalog is derived.
//
// A driver stores records and an ordered log; it does not interpret versions. Put and Delete in
// this package define the meaning of a write (versions, history, no-ops, retention, conditions)
// once for all drivers, on a driver's Tx.
//
// All methods are safe for concurrent use. Readers see committed data only, and never wait for a
// writer. After Close every call fails with an error of kind fault.Unavailable. With a cancelled
// context a call returns the error of the context. An Update whose function the writer has already
// begun is carried out nevertheless.
package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of the contract, not of a driver.
const (
	MaxURNBytes    = 8192           // text of a URN
	MaxAspectBytes = 200            // name of an aspect
	MaxRunBytes    = 1024           // run id
	MaxValueBytes  = 64 << 20       // one value, and the properties of an edge
	MaxEdges       = model.MaxEdges // edges derived from one aspect of an entity
	MaxNameBytes   = 200            // name of a relationship
	MaxOriginBytes = 200            // name of a background sink
)

// Key addresses an aspect of an entity.
type Key = model.Key

// Store is the complete interface of a driver. Callers depend on the parts that they use.
type Store interface {
	Reader
	Writer
	Scanner
	RunIndex
	TermIndex
	Log
	// Close waits for the write in progress and releases the store. Calling it twice is allowed.
	Close() error
}

// Reader reads committed records.
type Reader interface {
	// Get returns the latest record of each key, in the order of the keys, nil for absent ones. All
	// records are from one snapshot.
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
	// Row returns one record of a key: row number 0 is the latest record, n > 0 the history record
	// n. It returns nil if there is none.
	Row(ctx context.Context, key Key, row int64) (*model.Record, error)
	// Rows returns the row numbers of the history records of a key, ascending, without the latest
	// (0).
	Rows(ctx context.Context, key Key) ([]int64, error)
	// Aspects returns the latest records of each URN ordered by aspect name, an empty list for an
	// absent entity. With names it reads only those aspects. All records are from one snapshot.
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error)
	// RowSizes returns the sizes of records of a key, in the order of the row numbers, 0 for absent
	// ones. It reads no value. A size is in bytes: the value, and the data that the driver stores
	// with it.
	RowSizes(ctx context.Context, key Key, rows ...int64) ([]int64, error)
	// AspectSizes returns, for each URN, the sum of the sizes of the records that Aspects returns.
	AspectSizes(ctx context.Context, urns []urn.URN, names ...string) ([]int64, error)
}

// Writer is the only way to change the store.
type Writer interface {
	// Update runs fn in a transaction and returns once its effects are durable. Functions of
	// concurrent callers run one after the other and share a commit (group commit): fn reads
	// committed data and the writes of earlier members of its group. If fn returns an error, all
	// its writes are discarded, other members of the group are not affected, and Update returns
	// that error unchanged. fn may run more than once and must have no side effects. It must not
	// keep tx, nor call Update itself. A panic of fn is an internal error of its own Update only.
	// Log entries that fn appends without an origin or a caller get those of ctx (WithOrigin,
	// WithCaller). Updates that announce large writes (WithSize) may be executed after later ones
	// of concurrent callers.
	Update(ctx context.Context, fn func(tx Tx) error) (Commit, error)
}

// Commit holds the sequences of the first and the last log entry that an Update wrote, both 0 if it
// wrote none. Sequences between them may be missing, or belong to other updates.
type Commit struct{ First, Last uint64 }

// Tx is the view of one Update. It reads its own writes and those of earlier members of its group.
// Its methods must be called by one goroutine at a time. A driver that waits for another process
// returns the error of a cancelled context; the embedded drivers do not wait and execute the call.
type Tx interface {
	// Get returns the latest record of each key, in the order of the keys, nil for absent ones. One
	// call with many keys costs a driver behind a network one round trip.
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
	Row(ctx context.Context, key Key, row int64) (*model.Record, error)                     // as Reader.Row
	Rows(ctx context.Context, key Key) ([]int64, error)                                     // as Reader.Rows
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) // as Reader.Aspects
	Scan(ctx context.Context, q Scan) ([]urn.URN, error)                                    // as Scanner.Scan
	RunKeys(ctx context.Context, run string, after Key, limit int) ([]Key, error)           // as RunIndex.RunKeys
	// Put writes a record under rec's key and rec.Row, replaces an existing one, and updates the
	// run index by rec.System.RunID.
	Put(ctx context.Context, rec model.Record) error
	// Remove deletes one record. Removing an absent record is no error.
	Remove(ctx context.Context, key Key, row int64) error
	// RemoveHistory deletes all history records of a key with row numbers up to upTo, and returns
	// their number. The latest record stays. It costs one seek and the deletions.
	RemoveHistory(ctx context.Context, key Key, upTo int64) (int, error)
	// RemoveOlder deletes history records of a key from the oldest on, up to the first that was
	// created at or after the given time in epoch ms, and returns their number. It costs one seek,
	// the deletions and the read of the first remaining record.
	RemoveOlder(ctx context.Context, key Key, before int64) (int, error)
	// PutEdges replaces the edges derived from an aspect of an entity; nil removes them. An edge
	// that existed before, by its identity, keeps its creation stamp.
	PutEdges(ctx context.Context, owner Key, edges []model.Edge) error
	// Edges returns edges as of this transaction. It reads as many edges as it returns.
	Edges(ctx context.Context, q EdgeQuery) ([]model.Edge, error)
	// AddTerm adds the entity to a term. Adding it again changes nothing.
	AddTerm(ctx context.Context, t Term, u urn.URN) error
	// RemoveTerm removes the entity from a term. Removing an absent one is no error.
	RemoveTerm(ctx context.Context, t Term, u urn.URN) error
	Lookup(ctx context.Context, t Term, after urn.URN, limit int) ([]urn.URN, error) // as TermIndex.Lookup
	// Append adds an entry to the change log and returns its sequence, which is greater than that
	// of every earlier entry. It ignores entry.Sequence.
	Append(ctx context.Context, entry Entry) (uint64, error)
	// LastSequence returns the sequence of the last entry, 0 for an empty log.
	LastSequence(ctx context.Context) (uint64, error)
}

// Latest reads the latest record of one key, nil if there is none. Use one Get for several records.
func Latest(ctx context.Context, from interface {
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
}, key Key) (*model.Record, error) {
	records, err := from.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// AspectsOf reads the latest records of one entity, ordered by aspect name; with names only those
// aspects.
func AspectsOf(ctx context.Context, from interface {
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error)
}, u urn.URN, names ...string) ([]model.Record, error) {
	lists, err := from.Aspects(ctx, []urn.URN{u}, names...)
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// Scan selects URNs in ascending byte order.
type Scan struct {
	Type   string  // entity type in the spelling of the registry; empty for all
	Prefix string  // prefix of the URNs, in addition to that of the type; empty for none
	After  urn.URN // exclusive lower bound; empty from the start
	Limit  int     // maximum number of URNs; 0 or less means 1000
}

// Scanner lists entities. An entity exists if it has at least one latest record.
type Scanner interface {
	// Scan returns a page of URNs. Pages continue at a key, so the cost of a page does not depend
	// on its position.
	Scan(ctx context.Context, q Scan) ([]urn.URN, error)
	// Count returns the number of entities of a type, or of all types if it is empty.
	Count(ctx context.Context, entityType string) (int, error)
}

// Run summarises the records written under one run id.
type Run struct {
	ID   string
	Time int64 // the latest LastObserved (or CreatedOn if that is 0) of its records, in epoch ms
	Rows int   // records, latest and history, that have the run id now
}

// RunIndex finds the records of a run. A run without records is removed. Records with an empty run
// id belong to no run.
type RunIndex interface {
	// Runs returns all runs, newest first, then by id.
	Runs(ctx context.Context) ([]Run, error)
	// RunKeys returns the keys with any record that has the run id, ordered by URN and then aspect,
	// behind the given key. A limit of 0 or less means all.
	RunKeys(ctx context.Context, run string, after Key, limit int) ([]Key, error)
}

// TermIndex finds entities by the lookup terms that transactions added.
type TermIndex interface {
	// Lookup returns the entities with a term in ascending byte order, behind after, at most limit
	// (1000 for 0 or less). Pages continue at a key, so the cost of a page does not depend on its
	// position.
	Lookup(ctx context.Context, t Term, after urn.URN, limit int) ([]urn.URN, error)
}

// EntryKind is the kind of a change.
type EntryKind string

const (
	Written         EntryKind = "written"          // the latest record has a new value
	Touched         EntryKind = "touched"          // the same value was written again
	Deleted         EntryKind = "deleted"          // the aspect was deleted
	EntityDeleted   EntryKind = "entityDeleted"    // all records of the URN were deleted; Aspect is the key aspect
	Document        EntryKind = "document"         // a time-series document was written; Value contains it
	DocumentsErased EntryKind = "documentsDeleted" // time-series documents were deleted by the query in Value
	Restated        EntryKind = "restated"         // nothing changed; projections must refresh their state
	// Message is a message to the other processes of a catalog that concerns no entity. Value is
	// its content, and Aspect its topic, which is not an aspect of the model.
	Message EntryKind = "message"
)

// Entry is one change in the log. Except for time-series entries, messages and some removed values
// it contains no value: a projection reads the current one.
type Entry struct {
	Sequence   uint64
	Kind       EntryKind
	URN        urn.URN
	Aspect     string
	OldVersion int64 // logical version before the change; 0 for none
	NewVersion int64 // logical version after the change; 0 for none
	Actor      urn.URN
	Time       int64 // epoch ms
	RunID      string
	TraceID    string
	// Origin is the name of the background sink that made the change. It is empty for changes by
	// users and programs, and for changes that the service derives from these within their
	// transaction.
	Origin string
	// Caller is the request that made the change, nil if there is none. Entries of one Update may
	// share it; it must not be modified.
	Caller *Caller
	// Value is the value of Document, DocumentsErased and Message. If a Removal requests it, it is
	// a removed value that only the log still has: see Gone and AspectsGone.
	Value json.RawMessage
}

// Gone returns the value of a version that the change removed: of a deleted aspect, or of an aspect
// whose earlier version became the latest again. It returns nil if the entry does not contain the
// value.
func (e *Entry) Gone(version int64) json.RawMessage {
	if version == 0 || version != e.OldVersion || len(e.Value) == 0 || e.Kind != Deleted && e.Kind != Written {
		return nil
	}
	return e.Value
}

// AspectGone is an aspect of a deleted entity.
type AspectGone struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// AspectsGone returns the aspects of a deleted entity, as far as its entry contains them.
func (e *Entry) AspectsGone() (gone []AspectGone, err error) {
	if e.Kind != EntityDeleted || len(e.Value) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(e.Value, &gone); err != nil {
		return nil, fmt.Errorf("read entry %d of the log: %w", e.Sequence, err)
	}
	return gone, nil
}

// Log is the ordered list of all changes. Sequences start above 0 and increase. There may be gaps
// between them, so the number of entries cannot be computed by subtraction. An entry is committed
// before any following entry is visible.
type Log interface {
	// Entries returns at most limit entries (1000 for 0 or less) with sequences greater than after,
	// in order. A driver may return fewer if they are large: only an empty list is the end.
	Entries(ctx context.Context, after uint64, limit int) ([]Entry, error)
	// Last returns the sequence of the last committed entry, trimmed or not, 0 if there never was
	// one. The channel is closed when a later entry is committed.
	Last() (uint64, <-chan struct{})
	// Position reads the stored position of a follower, 0 if it has none.
	Position(ctx context.Context, follower string) (uint64, error)
	// SetPosition stores the position of a follower durably.
	SetPosition(ctx context.Context, follower string, sequence uint64) error
	// Trim deletes entries up to and including the given sequence. Sequences are not reused.
	Trim(ctx context.Context, upTo uint64) error
	// Trimmed returns the greatest deleted sequence, 0 if there is none. A reader with an earlier
	// position has missed entries.
	Trimmed(ctx context.Context) (uint64, error)
	// First returns the sequence of the oldest entry, 0 if the log has none.
	First(ctx context.Context) (uint64, error)
}

// Package store is the port to the versioned aspects and their change log, the
// truth from which everything else in the catalog is derived.
//
// A driver stores rows and keeps an ordered log; it knows nothing of versions.
// What a write means (versions, history, no-ops, retention, conditions) is
// decided once for all drivers by Put and Delete in this package, which run on
// a driver's Tx.
//
// All methods are safe for concurrent use. Readers see committed data only,
// and never wait for a writer. After Close every call fails with an error of
// kind fault.Unavailable. A cancelled context gives its own error; an Update
// whose function has been taken up by the writer is carried out all the same.
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
	MaxURNBytes    = 8192           // of a URN's text
	MaxAspectBytes = 200            // of an aspect's name
	MaxRunBytes    = 1024           // of a run id
	MaxValueBytes  = 64 << 20       // of one value, and of the properties of an edge
	MaxEdges       = model.MaxEdges // that one aspect of an entity makes
	MaxNameBytes   = 200            // of the name of a relationship
	MaxOriginBytes = 200            // of the name of a background sink
)

// Key addresses an aspect of an entity.
type Key = model.Key

// Store is everything a driver offers. Callers ask for the part they use.
type Store interface {
	Reader
	Writer
	Scanner
	RunIndex
	TermIndex
	Log
	// Close waits for the write in progress and releases the store. Closing twice is fine.
	Close() error
}

// Reader reads committed rows.
type Reader interface {
	// Get gives the latest row of each key, in the order asked, nil where there is none.
	// All rows come from one snapshot.
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
	// Row gives one row of a key: 0 the latest, n > 0 the history row n; nil when there is none.
	Row(ctx context.Context, key Key, row int64) (*model.Record, error)
	// Rows gives the numbers of the history rows of a key, ascending, without the latest (0).
	Rows(ctx context.Context, key Key) ([]int64, error)
	// Aspects gives the latest rows of each URN ordered by aspect name, an empty list for an
	// absent entity. With names only those aspects are read. All rows come from one snapshot.
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error)
	// RowSizes gives the sizes of rows of a key, in the order asked, 0 where there is none. It
	// reads no value. A size is in bytes: of the value, and of what the driver keeps beside it.
	RowSizes(ctx context.Context, key Key, rows ...int64) ([]int64, error)
	// AspectSizes gives, for each URN, the sum of the sizes of the rows that Aspects gives.
	AspectSizes(ctx context.Context, urns []urn.URN, names ...string) ([]int64, error)
}

// Writer is the only way to change the store.
type Writer interface {
	// Update runs fn in a transaction and returns once its effects are durable. Functions of
	// concurrent callers run one after the other and share a commit: fn reads committed data
	// plus what earlier members of its group wrote. When fn returns an error nothing of it is
	// kept, the others of the group are not concerned, and Update returns that error unchanged.
	// fn may run more than once and must have no side effects. It must not keep tx, nor call
	// Update itself. A panic of fn is an internal error of its caller alone. Log entries that
	// fn appends without an origin or a caller carry those of ctx (WithOrigin, WithCaller). Of
	// concurrent callers, those that announce large writes (WithSize) may come after later ones.
	Update(ctx context.Context, fn func(tx Tx) error) (Commit, error)
}

// Commit tells the first and the last log entry that an Update wrote, both 0 when
// it wrote none. Sequences between them may be missing, or be those of others.
type Commit struct{ First, Last uint64 }

// Tx is the view of one Update. It reads its own writes and those of earlier
// members of its group. Its methods are called by one goroutine at a time. A driver
// that waits for another process gives the error of a cancelled context; the
// embedded ones do not wait and carry the call out.
type Tx interface {
	// Get gives the latest row of each key, in the order asked, nil where there is none. One
	// call with many keys costs a driver behind a network one round trip.
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
	Row(ctx context.Context, key Key, row int64) (*model.Record, error)                     // as Reader.Row
	Rows(ctx context.Context, key Key) ([]int64, error)                                     // as Reader.Rows
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) // as Reader.Aspects
	Scan(ctx context.Context, q Scan) ([]urn.URN, error)                                    // as Scanner.Scan
	RunKeys(ctx context.Context, run string, after Key, limit int) ([]Key, error)           // as RunIndex.RunKeys
	// Put writes a row under rec's key and rec.Row, replacing what is there, and keeps the
	// run index in step with rec.System.RunID.
	Put(ctx context.Context, rec model.Record) error
	// Remove deletes one row; removing an absent row is no error.
	Remove(ctx context.Context, key Key, row int64) error
	// RemoveHistory deletes the history rows of a key that are numbered upTo or less, however
	// many there are, and returns how many went. The latest row stays. It costs one seek and
	// the rows that go.
	RemoveHistory(ctx context.Context, key Key, upTo int64) (int, error)
	// RemoveOlder deletes history rows of a key from the oldest on, up to the first that was
	// created at or after the given time, epoch ms, and returns how many went. It costs one
	// seek, the rows that go and the one that stays.
	RemoveOlder(ctx context.Context, key Key, before int64) (int, error)
	// PutEdges replaces the edges that an aspect of an entity made, nil removing them. Of an
	// edge that was there already, by its identity, the creation stamp stays.
	PutEdges(ctx context.Context, owner Key, edges []model.Edge) error
	// Edges lists edges as this transaction has put them. It reads as much as it gives.
	Edges(ctx context.Context, q EdgeQuery) ([]model.Edge, error)
	// AddTerm makes the entity found under the term. Adding it again changes nothing.
	AddTerm(ctx context.Context, t Term, u urn.URN) error
	// RemoveTerm takes it away again; one that is not there is no error.
	RemoveTerm(ctx context.Context, t Term, u urn.URN) error
	Lookup(ctx context.Context, t Term, after urn.URN, limit int) ([]urn.URN, error) // as TermIndex.Lookup
	// Append adds an entry to the change log and returns its sequence, which is greater than
	// that of every earlier entry; entry.Sequence is ignored.
	Append(ctx context.Context, entry Entry) (uint64, error)
	// LastSequence is the sequence of the last entry, 0 for an empty log.
	LastSequence(ctx context.Context) (uint64, error)
}

// Latest reads the latest row of one key, nil when there is none. Who needs many
// rows asks for them at once instead.
func Latest(ctx context.Context, from interface {
	Get(ctx context.Context, keys ...Key) ([]*model.Record, error)
}, key Key) (*model.Record, error) {
	records, err := from.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// AspectsOf reads the latest rows of one entity, by aspect name; with names only
// those aspects.
func AspectsOf(ctx context.Context, from interface {
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error)
}, u urn.URN, names ...string) ([]model.Record, error) {
	lists, err := from.Aspects(ctx, []urn.URN{u}, names...)
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// Scan asks for URNs in ascending byte order.
type Scan struct {
	Type   string  // entity type as spelled in the registry; empty for all
	Prefix string  // text every URN must start with, besides that of its type; empty for none
	After  urn.URN // exclusive lower bound; empty from the start
	Limit  int     // at most so many; 0 or less means 1000
}

// Scanner lists entities. An entity is listed when it has at least one latest row.
type Scanner interface {
	// Scan pages by key, so a page costs the same wherever it lies.
	Scan(ctx context.Context, q Scan) ([]urn.URN, error)
	// Count is the number of entities of a type, of all types when it is empty.
	Count(ctx context.Context, entityType string) (int, error)
}

// Run sums up the rows written under one run id.
type Run struct {
	ID   string
	Time int64 // the latest LastObserved (CreatedOn where that is 0) put under it, epoch ms
	Rows int   // rows, latest and history, that carry the run id now
}

// RunIndex answers which rows a run wrote. A run without rows is forgotten; rows
// with an empty run id are in none.
type RunIndex interface {
	// Runs lists all runs, newest first, ties by id.
	Runs(ctx context.Context) ([]Run, error)
	// RunKeys lists the keys of which some row carries the run id, ordered by URN then
	// aspect, after the given key; limit 0 or less means all.
	RunKeys(ctx context.Context, run string, after Key, limit int) ([]Key, error)
}

// TermIndex finds entities by the lookup terms that transactions gave them.
type TermIndex interface {
	// Lookup lists the entities under a term in ascending byte order, behind after, at most
	// limit (1000 when 0 or less). It pages by key, so a page costs the same wherever it lies.
	Lookup(ctx context.Context, t Term, after urn.URN, limit int) ([]urn.URN, error)
}

// EntryKind is what happened to a key.
type EntryKind string

const (
	Written         EntryKind = "written"          // the latest row has a new value
	Touched         EntryKind = "touched"          // the same value was written again
	Deleted         EntryKind = "deleted"          // the aspect is gone
	EntityDeleted   EntryKind = "entityDeleted"    // all rows of the URN are gone; Aspect is the key aspect
	Document        EntryKind = "document"         // a time-series document, carried in Value
	DocumentsErased EntryKind = "documentsDeleted" // time-series documents deleted by the query in Value
	Restated        EntryKind = "restated"         // nothing changed, projections are to be refreshed
	// Message tells the other processes of a catalog something that concerns no entity. Value
	// says it, and Aspect names its topic, which is no aspect of the model.
	Message EntryKind = "message"
)

// Entry is one change of the log. Apart from time-series entries, messages and values that
// are gone it carries no value: a projection reads the current one.
type Entry struct {
	Sequence   uint64
	Kind       EntryKind
	URN        urn.URN
	Aspect     string
	OldVersion int64 // logical version before; 0 for none
	NewVersion int64 // logical version after; 0 for none
	Actor      urn.URN
	Time       int64 // epoch ms
	RunID      string
	TraceID    string
	// Origin names the background sink that made the change. It is empty for changes of people
	// and programs, and for what the service derives from these within their transaction.
	Origin string
	// Caller is the request that made the change, nil when none did. Entries of one Update may
	// share it; it must not be changed.
	Caller *Caller
	// Value is that of Document, DocumentsErased and Message. Where Removal tells so it is what
	// the log alone still knows: see Gone and AspectsGone.
	Value json.RawMessage
}

// Gone is the value of a version that went with the change: of an aspect that was deleted, or
// whose earlier version became the latest again. It is nil when the entry does not carry it.
func (e *Entry) Gone(version int64) json.RawMessage {
	if version == 0 || version != e.OldVersion || len(e.Value) == 0 || e.Kind != Deleted && e.Kind != Written {
		return nil
	}
	return e.Value
}

// AspectGone is an aspect of an entity that was deleted.
type AspectGone struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// AspectsGone are the aspects that went with an entity, as far as its entry carries them.
func (e *Entry) AspectsGone() (gone []AspectGone, err error) {
	if e.Kind != EntityDeleted || len(e.Value) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(e.Value, &gone); err != nil {
		return nil, fmt.Errorf("read entry %d of the log: %w", e.Sequence, err)
	}
	return gone, nil
}

// Log is the ordered list of all changes. Sequences start above 0 and increase;
// there may be gaps between them, so nobody counts entries by subtracting. An entry
// is committed before any that follows it is seen.
type Log interface {
	// Entries lists at most limit entries (1000 when 0 or less) with sequences greater than
	// after, in order. A driver may give fewer when they are large: only none means the end.
	Entries(ctx context.Context, after uint64, limit int) ([]Entry, error)
	// Last is the sequence of the last committed entry, trimmed or not, 0 when there was
	// never one. The channel is closed when a later one is committed.
	Last() (uint64, <-chan struct{})
	// Position reads the place a follower has stored, 0 when it has none.
	Position(ctx context.Context, follower string) (uint64, error)
	// SetPosition stores it, durably.
	SetPosition(ctx context.Context, follower string, sequence uint64) error
	// Trim forgets entries up to and including the given sequence. Sequences are not reused.
	Trim(ctx context.Context, upTo uint64) error
	// Trimmed is the greatest sequence forgotten, 0 when none was. A reader that stands before
	// it has missed entries.
	Trimmed(ctx context.Context) (uint64, error)
	// First is the sequence of the oldest entry kept, 0 when none is.
	First(ctx context.Context) (uint64, error)
}

// Package timeseries is the port to timestamped aspects: time-series documents that are appended,
// read by time and entity, aggregated, and eventually erased.
//
// There is one index per (entity type, time-series aspect), named by IndexName. The first document
// creates its index. Explode derives documents from an aspect; a driver stores and finds them, and
// has no notion of aspects.
//
// All data of a driver is a projection of the store's change log. Each index stores the log
// sequence that it has applied. Apply with a sequence up to that one is a no-op, so entries can be
// replayed. Methods are safe for concurrent use; readers do not wait for writers. A name that
// CheckIndex refuses, a bad batch and a bad filter are errors of kind fault.Invalid. After Close
// every call fails with fault.Unavailable. With a cancelled context a call returns the error of the
// context.
package timeseries

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// IndexName returns the name of the index of an aspect, for example
// dataset_datasetprofileaspect_v1.
func IndexName(entityType, aspect string) string {
	return strings.ToLower(entityType) + "_" + strings.ToLower(aspect) + "aspect_v1"
}

// Document is one time-series document.
type Document struct {
	// ID identifies the document: another document with the same id replaces it.
	ID        string
	URN       urn.URN
	Time      int64 // timestampMillis of the aspect
	RunID     string
	MessageID string
	// Granularity is the JSON text of eventGranularity, empty if absent.
	Granularity string
	// Partition and TimePartition are taken from partitionSpec; TimePartition is JSON text.
	Partition     string
	TimePartition string
	// Exploded marks the document of one element of a collection. It has no Event.
	Exploded bool
	// Parent is the id of the plain document of an exploded one.
	Parent string
	// Event is the whole aspect in canonical JSON.
	Event  json.RawMessage
	System model.SystemMetadata
	// Columns holds stat values by name ("rowCount", "userCounts.count"): string, int64 or float64.
	Columns map[string]any
}

// Fixed returns the value of a field that documents of every aspect have, by the name of the field
// in filters: a text, or an int64 for times in milliseconds; nil if it is empty. ok reports whether
// such a field exists.
func (d *Document) Fixed(field string) (value any, ok bool) {
	var text string
	switch field {
	case "timestampMillis", "@timestamp":
		return d.Time, true
	case "isExploded":
		return strconv.FormatBool(d.Exploded), true
	case "urn":
		text = string(d.URN)
	case "runId":
		text = d.RunID
	case "messageId":
		text = d.MessageID
	case "eventGranularity":
		text = d.Granularity
	case "partitionSpec.partition":
		text = d.Partition
	case "partitionSpec.timePartition":
		text = d.TimePartition
	case ParentField:
		text = d.Parent
	default:
		return nil, false
	}
	if text == "" {
		return nil, true
	}
	return text, true
}

// Batch holds the changes of one index by a part of the change log. Its steps are applied in order.
// Sequence is the last log sequence that it covers.
type Batch struct {
	Sequence uint64
	Ops      []Op
}

// Op is one step of a batch; exactly one member is set. Steps are applied in order.
type Op struct {
	Upsert *Document
	// Erase deletes matching documents, including exploded ones, and ignores order and After. With
	// a Limit it deletes at most so many of the oldest plain documents, with their exploded
	// documents and all older exploded ones.
	Erase *Query
}

// Query selects time-series documents. The zero value selects all plain ones.
type Query struct {
	URNs     []urn.URN // any of these; empty for all
	From, To *int64    // inclusive limits of Time
	RunID    string    // exact; empty for any
	IDs      []string  // any of these; empty for all
	Filter   Filter    // alternatives of conjunctions; empty matches all
	Exploded bool      // exploded documents instead of plain ones
	// Ascending lists the oldest first; the default is newest first. Documents with equal times are
	// ordered by ID in the same direction.
	Ascending bool
	// After continues behind the document with this time and id, in the requested order.
	After *Position
	Limit int // maximum number of documents; 0 or less means all
}

// Position is the position of a document in an ordered listing.
type Position struct {
	Time int64
	ID   string
}

// Filter is a list of alternatives, each a list of conditions that must all hold.
type Filter [][]Condition

// Operator is the comparison of a condition.
type Operator string

const (
	Equal          Operator = "EQUAL"
	IEqual         Operator = "IEQUAL"
	Contain        Operator = "CONTAIN" // case-insensitive, as StartWith and EndWith
	StartWith      Operator = "START_WITH"
	EndWith        Operator = "END_WITH"
	GreaterThan    Operator = "GREATER_THAN"
	GreaterOrEqual Operator = "GREATER_THAN_OR_EQUAL_TO"
	LessThan       Operator = "LESS_THAN"
	LessOrEqual    Operator = "LESS_THAN_OR_EQUAL_TO"
	Exists         Operator = "EXISTS"
	IsNull         Operator = "IS_NULL"
)

// Condition compares a field: "urn", "timestampMillis" (or "@timestamp"), "runId", "messageId",
// "eventGranularity", "partitionSpec.partition", "partitionSpec.timePartition", "isExploded",
// ParentField, or a column of the document. Any other name is a path with dots in the event. A
// trailing ".keyword" is ignored. Matcher describes the comparison of values.
type Condition struct {
	Field    string
	Operator Operator // empty means Equal
	Values   []string // any of them; ordering operators use the first
	Negated  bool
}

// ParentField is the name of Document.Parent in conditions.
const ParentField = "@parent"

// Size is the size of one index.
type Size struct {
	Index     string
	Bytes     int64 // primary storage of the index
	Documents int64 // including exploded ones
}

// Store is the interface of a driver.
type Store interface {
	// Apply applies a batch to an index, durably and atomically. It skips a batch whose Sequence is
	// not above Applied(index), and one without a document if the index is absent. The store keeps
	// no reference to memory of batch.
	Apply(ctx context.Context, index string, batch Batch) error
	// Applied returns the last sequence that the index has applied, 0 for an absent index.
	Applied(ctx context.Context, index string) (uint64, error)
	// Find returns documents in the order of the query. An absent index has none.
	Find(ctx context.Context, index string, q Query) ([]Document, error)
	// Count returns the number of documents that the query selects. It ignores order, After and
	// Limit.
	Count(ctx context.Context, index string, q Query) (int64, error)
	// Latest returns the newest plain document of each URN. URNs without one are missing.
	Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]Document, error)
	// Sizes returns the sizes of all indexes, ordered by name.
	Sizes(ctx context.Context) ([]Size, error)
	// Compact frees the space of erased documents, and returns the number of bytes. Reads and
	// writes continue meanwhile. After an error, such as fault.StorageFull, the index is unchanged.
	Compact(ctx context.Context, index string) (int64, error)
	// Close releases all indexes. Calling it twice is allowed.
	Close() error
}

// Package timeseries is the port to timestamped aspects: documents that are
// appended, read by time and entity, aggregated, and one day erased.
//
// There is one index per (entity type, time-series aspect), named by IndexName.
// An index comes into being with its first document. Documents are derived from
// an aspect by Explode; a driver stores and finds them, and knows nothing of
// aspects.
//
// Everything a driver holds is a projection of the store's change log. Each
// index remembers the log sequence it has applied; Apply with a sequence at or
// below it is a no-op, so entries can be replayed. Methods are safe for
// concurrent use; readers do not wait for writers. A name that CheckIndex
// refuses, a bad batch or filter is an error of kind fault.Invalid. After Close
// every call fails with fault.Unavailable. A cancelled context gives its own error.
package timeseries

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// IndexName is the name of the index of an aspect, for example
// dataset_datasetprofileaspect_v1.
func IndexName(entityType, aspect string) string {
	return strings.ToLower(entityType) + "_" + strings.ToLower(aspect) + "aspect_v1"
}

// Document is one row of an index.
type Document struct {
	// ID is the identity of the document: the same id again replaces it.
	ID        string
	URN       urn.URN
	Time      int64 // timestampMillis of the aspect
	RunID     string
	MessageID string
	// Granularity is the JSON text of eventGranularity, empty when absent.
	Granularity string
	// Partition and TimePartition come from partitionSpec; TimePartition is JSON text.
	Partition     string
	TimePartition string
	// Exploded marks the document of one element of a collection. It has no Event.
	Exploded bool
	// Parent is the id of the plain document an exploded one was derived with.
	Parent string
	// Event is the whole aspect in canonical JSON.
	Event  json.RawMessage
	System model.SystemMetadata
	// Columns holds stat values by name ("rowCount", "userCounts.count"): string, int64 or float64.
	Columns map[string]any
}

// Fixed gives the value of a field that documents of every aspect have, by the name the
// field has in filters: text, or an int64 for times in milliseconds; nil when it is empty.
// It reports whether there is such a field.
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

// Batch is what one stretch of the change log does to one index: first it
// erases, then it upserts. Sequence is the last log sequence it covers.
type Batch struct {
	Sequence uint64
	Ops      []Op
}

// Op is one step of a batch; exactly one member is set. Steps are applied in order.
type Op struct {
	Upsert *Document
	// Erase deletes what matches, exploded documents included; order and After are ignored. With
	// a Limit the oldest plain documents go, at most so many, with the exploded ones made with
	// them and those that are older.
	Erase *Query
}

// Query selects documents. The zero value selects all that are not exploded.
type Query struct {
	URNs     []urn.URN // any of them; empty for all
	From, To *int64    // inclusive bounds on Time
	RunID    string    // exact; empty for any
	IDs      []string  // any of them; empty for all
	Filter   Filter    // or-of-ands; empty matches all
	Exploded bool      // exploded documents instead of plain ones
	// Ascending lists the oldest first; the default is newest first. Ties are ordered by ID
	// in the same direction.
	Ascending bool
	// After continues behind the document with this time and id, in the order asked.
	After *Position
	Limit int // at most so many documents; 0 or less means all
}

// Position is the place of a document in an ordered listing.
type Position struct {
	Time int64
	ID   string
}

// Filter is a list of alternatives, each a list of conditions that must all hold.
type Filter [][]Condition

// Operator is how a condition compares.
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

// Condition compares a field: "urn", "timestampMillis" (or "@timestamp"), "runId",
// "messageId", "eventGranularity", "partitionSpec.partition",
// "partitionSpec.timePartition", "isExploded", ParentField, or a column the
// document has. A field that names none of these is looked up as a path of dots
// in the event. ".keyword" at the end of a name means nothing. How values
// compare is told at Matcher.
type Condition struct {
	Field    string
	Operator Operator // empty means Equal
	Values   []string // any of them; ordering operators use the first
	Negated  bool
}

// ParentField is the name under which conditions find Document.Parent.
const ParentField = "@parent"

// Size is the size of one index.
type Size struct {
	Index     string
	Bytes     int64 // of the primary storage the index occupies
	Documents int64 // exploded ones included
}

// Store is everything a driver offers.
type Store interface {
	// Apply carries out a batch on an index, durably, atomically. A batch whose Sequence is
	// not above Applied(index) is skipped, and so is one without a document when the index is
	// absent. The store keeps nothing of batch's memory.
	Apply(ctx context.Context, index string, batch Batch) error
	// Applied is the last sequence the index holds, 0 for an absent index.
	Applied(ctx context.Context, index string) (uint64, error)
	// Find lists documents in the order the query asks for. An absent index has none.
	Find(ctx context.Context, index string, q Query) ([]Document, error)
	// Count counts what the query selects; order, After and Limit are ignored.
	Count(ctx context.Context, index string, q Query) (int64, error)
	// Latest gives for each URN its newest plain document, absent ones left out.
	Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]Document, error)
	// Sizes lists all indices by name.
	Sizes(ctx context.Context) ([]Size, error)
	// Compact gives back the space that erased documents took, and returns how many bytes that
	// were. Reads and writes go on meanwhile. After an error, such as fault.StorageFull, the
	// index is as it was.
	Compact(ctx context.Context, index string) (int64, error)
	// Close releases all indices. Closing twice is fine.
	Close() error
}

package audit

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxTextBytes limits each text of an event, MaxURNBytes each URN. Record and the sink cut longer
// ones.
const (
	MaxTextBytes = 500
	MaxURNBytes  = 8192
)

// Store is the port for storing events. All methods are safe for concurrent use, and readers do not
// wait for writers. After Close every call fails with an error of kind fault.Unavailable.
type Store interface {
	// Append stores events, all or none, and returns when they are durable. An event replaces a
	// stored event with the same place.
	Append(ctx context.Context, events []Event) error
	// Find returns events ordered by place.
	Find(ctx context.Context, q Query) ([]Event, error)
	// Count returns the number of events that match a query regardless of its After and Limit. It
	// stops counting at most.
	Count(ctx context.Context, q Query, most int) (int, error)
	// Trim deletes the oldest events beyond the limits, and returns their number.
	Trim(ctx context.Context, l Limits) (int, error)
	// Sizes returns the size of each class.
	Sizes(ctx context.Context) (map[Class]Size, error)
	// Condition returns the result of the last write.
	Condition() disk.State
	Close() error
}

// Query selects events that meet all given conditions. Empty lists match all events.
type Query struct {
	From, To    int64 // epoch ms, inclusive and exclusive; a To of 0 means no end
	Types       []Type
	EntityTypes []string
	Aspects     []string
	Actors      []urn.URN
	Entities    []urn.URN
	// WrittenAspects limits events of the types of IsWrite to these aspects; nil matches all of
	// them, and an empty list none.
	WrittenAspects []string
	After          *Place // the last event of the previous page
	Limit          int    // maximum number of events; 0 or less means 1000
}

// DefaultLimit is the page size of a Query without a limit.
const DefaultLimit = 1000

// Check returns fault.Malformed for a query that no driver can answer.
func (q *Query) Check() error {
	if q.From < 0 || q.To < 0 {
		return fault.New(fault.Malformed, "the time of audit events is not negative")
	}
	return nil
}

// Classes returns the classes that can contain selected events.
func (q *Query) Classes() []Class {
	if len(q.Types) == 0 {
		return Classes()
	}
	var found []Class
	for _, t := range q.Types {
		for _, c := range ClassesOf(t) {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	slices.Sort(found)
	return found
}

// SelectsPlace reports whether a place meets the conditions on time, type and actor. It ignores
// After and Limit.
func (q *Query) SelectsPlace(p Place) bool {
	return p.Time >= q.From && (q.To == 0 || p.Time < q.To) && isSelected(q.Types, p.Type) && isSelected(q.Actors, p.Actor)
}

// Selects reports whether an event meets the conditions. It ignores After and Limit.
func (q *Query) Selects(e *Event) bool {
	if !q.SelectsPlace(e.Place()) || !isSelected(q.Entities, e.Entity) || !isSelected(q.Aspects, e.Aspect) || !isSelected(q.EntityTypes, e.EntityType()) {
		return false
	}
	return q.WrittenAspects == nil || !e.Type.IsWrite() || slices.Contains(q.WrittenAspects, e.Aspect)
}

func isSelected[T comparable](list []T, value T) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

func compare[T cmp.Ordered](a, b T) int { return cmp.Compare(a, b) }

// Limits are the limits of retention.
type Limits struct {
	Before   int64 // events older than this time in epoch ms are deleted; 0 keeps all
	MaxBytes int64 // of all events; 0 keeps all
}

// Share returns the part of MaxBytes for a class: half for administration, an eighth for refusals
// and the rest for writes. So neither the busiest class nor an attacker that covers up traces can
// displace the others.
func (l Limits) Share(c Class) int64 {
	switch c {
	case Administration:
		return l.MaxBytes / 2
	case Refusals:
		return l.MaxBytes / 8
	}
	return l.MaxBytes - l.MaxBytes/2 - l.MaxBytes/8
}

// Size is the size of a class.
type Size struct {
	Events int64
	Bytes  int64
}
